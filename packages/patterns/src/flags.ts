/** Takes `(?i)`, `(?ms)` and the like off the beginning of a pattern: JavaScript has flags, but no such groups. */
export function leadingFlags(source: string): { readonly rest: string; readonly flags: string } {
  const found = /^\(\?([ims]+)\)/.exec(source);
  return found ? { rest: source.slice(found[0].length), flags: found[1] ?? '' } : { rest: source, flags: '' };
}
