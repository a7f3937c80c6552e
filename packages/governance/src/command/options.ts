/** Options before git's subcommand whose value is the next word. */
const GIT_VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--attr-source']);
/** Options before a subcommand are a few; the rest of a list is looked at as it stands. */
const MAX_LEADING = 16;

/**
 * The arguments joined by one space: as written, and from each place on where the subcommand may begin behind options. Which
 * options take a value is known for git; for others both readings count.
 */
export function argumentForms(program: string, words: readonly string[]): readonly string[] {
  const starts = program === 'git' ? [gitSubcommand(words)] : possibleStarts(words);
  return [...new Set([0, ...starts])].map((start) => words.slice(start).join(' '));
}

function gitSubcommand(words: readonly string[]): number {
  let at = 0;
  while (words[at]?.startsWith('-')) at += GIT_VALUED.has(words[at] ?? '') ? 2 : 1;
  return at;
}

function possibleStarts(words: readonly string[]): readonly number[] {
  const reached = new Set<number>();
  const waiting = [0];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at) || at > MAX_LEADING || at > words.length) continue;
    reached.add(at);
    const word = words[at];
    if (word === undefined || !/^[-+]./.test(word)) continue;
    waiting.push(at + 1);
    if (!word.includes('=')) waiting.push(at + 2);
  }
  return [...reached].filter((at) => at < words.length && !/^[-+]./.test(words[at] ?? '')).sort((a, b) => a - b);
}
