import { program } from './program.mjs';

/** Files that a program makes, each with the command that says whether the file is what it would make now. */
const makers = [
  { file: 'docs/rules.md', check: ['scripts/rules.mjs', '--check'] },
  { file: 'docs/refusals.md', check: ['scripts/generate-refusals.mjs', '--check'] },
  { file: 'packages/contract/docs/grammar.md', check: ['scripts/contract-grammar.mjs', '--check'] },
  { file: 'docs/contract-seed.md', check: ['scripts/seeds.mjs', 'contract', '--check'] },
  { file: 'docs/governance-seed.md', check: ['scripts/seeds.mjs', 'governance', '--check'] },
];

export async function generated() {
  const faults = [];
  for (const { file, check } of makers) {
    const { code, output } = await program([process.execPath, ...check]);
    if (code !== 0) faults.push(`${file}:\n${output}`);
  }
  return { ok: faults.length === 0, output: faults.join('\n'), note: makers.map(({ file }) => file).join(', ') };
}
