import type { WarningRule } from './warning.js';

/** A skill that no text names reaches the agent as one line in a list, which it may well pass over. */
export const skillNeverNamed: WarningRule = ({ assembly, skills }) => {
  if (skills.length === 0) return [];
  const texts = textsOf(assembly).join('\n');
  return skills
    .filter(({ name }) => !texts.includes(name))
    .map(({ name, path }) => ({
      path,
      message: `No stage, flow or purpose names the skill ${name}; an agent sees only its one line. Say where to use it.`,
    }));
};

function textsOf(assembly: Parameters<WarningRule>[0]['assembly']): readonly string[] {
  const texts = [assembly.purpose];
  for (const [path, entry] of assembly.snapshot.entries) {
    if (entry.kind === 'file' && entry.bytes !== undefined && path.endsWith('.md') && !/(^|\/)(skills\/|README\.md$)/.test(path))
      texts.push(new TextDecoder().decode(entry.bytes));
  }
  return texts;
}
