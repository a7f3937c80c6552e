#!/usr/bin/env node
// One command that says whether the repository is in order:  npm run check [-- --with-tests] [-- --only NAME,NAME]
import { performance } from 'node:perf_hooks';
import { arrows, arrowsMustFail } from './check/arrows.mjs';
import { deadCode, deadCodeMustFail } from './check/dead-code.mjs';
import { format, formatMustFail } from './check/format.mjs';
import { generated } from './check/generated.mjs';
import { house } from './check/house.mjs';
import { library } from './check/library.mjs';
import { links } from './check/links.mjs';
import { lint, lintMustFail } from './check/lint.mjs';
import { program, tool } from './check/program.mjs';
import { types, typesMustFail } from './check/typecheck.mjs';
import { snippets, snippetsMustFail } from './snippets.mjs';

const build = () =>
  program([process.execPath, 'scripts/build.mjs']).then(({ code, output }) => ({ ok: code === 0, output: code === 0 ? '' : output }));
const tests = () => tool('vitest/vitest.mjs', ['run']).then(({ code, output }) => ({ ok: code === 0, output }));

/** Each resolves to `{ok, output, note?}` and is independent of the others, but that `build` comes first. */
const steps = [
  { name: 'format', run: format },
  { name: 'format: must fail', run: formatMustFail },
  { name: 'lint', run: lint },
  { name: 'lint: must fail', run: lintMustFail },
  { name: 'arrows', run: arrows },
  { name: 'arrows: must fail', run: arrowsMustFail },
  { name: 'types', run: types },
  { name: 'types: must fail', run: typesMustFail },
  { name: 'dead code', run: deadCode },
  { name: 'dead code: must fail', run: deadCodeMustFail },
  { name: 'library', run: library },
  { name: 'snippets', run: () => snippets() },
  { name: 'snippets: must fail', run: snippetsMustFail },
  { name: 'links', run: links },
  { name: 'generated files', run: generated },
  { name: 'house', run: house },
];
if (process.argv.includes('--with-tests')) steps.push({ name: 'tests', run: tests });

const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',');
const chosen = process.argv.includes('--only') ? steps.filter(({ name }) => only.some((wanted) => name.startsWith(wanted))) : steps;

const rows = [];
await report('build', timed(build));
const running = startTwoAtATime(chosen);
for (const [index, { name }] of chosen.entries()) await report(name, running[index]);

const failed = rows.filter(({ ok }) => !ok).length;
console.log(`\n${rows.map(({ line }) => line).join('\n')}`);
console.log(`check: ${rows.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function report(name, result) {
  const { ok, output, note, seconds } = await result;
  const line = `${ok ? '✓' : '✗'} ${name.padEnd(22)} ${seconds.padStart(6)}  ${note ?? ''}`.trimEnd();
  rows.push({ ok, line });
  console.log(line);
  if (!ok || /\d warnings$/.test(note ?? '')) if (output) console.log(output.replaceAll(/^/gm, '    '));
}

/** The machine this has to be quick on has two cores. Results stay in order. */
function startTwoAtATime(list) {
  const results = list.map(() => settledLater());
  let next = 0;
  const lane = async () => {
    for (let mine = next++; mine < list.length; mine = next++) results[mine].settle(await timed(list[mine].run));
  };
  void lane();
  void lane();
  return results.map(({ promise }) => promise);
}

function settledLater() {
  let settle;
  const promise = new Promise((resolve) => (settle = resolve));
  return { promise, settle };
}

async function timed(run) {
  const began = performance.now();
  const result = await run().catch((error) => ({ ok: false, output: error.stack }));
  return { ...result, seconds: `${((performance.now() - began) / 1000).toFixed(1)} s` };
}
