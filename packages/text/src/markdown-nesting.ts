const MAX_NESTING = 50;
const MAX_LIST_INDENT = 200;
const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|[0-9]{1,9}[.)](?=[ \t]|$)))+/gmu;
const INDENTED_MARKER = new RegExp(`^[ \\t]{${MAX_LIST_INDENT}}[ \\t]*(?:[-+*>]|[0-9]{1,9}[.)])`, 'mu');

/**
 * Whether quotes and lists are nested more than 50 deep in one line, or a mark stands behind 200 blanks. A parser of markdown takes
 * time by the cube of the nesting, so whoever parses what is not trusted asks before.
 */
export function isDeeplyNestedMarkdown(text: string): boolean {
  if (INDENTED_MARKER.test(text)) return true;
  for (const [markers] of text.matchAll(MARKERS)) {
    if (markers.length > MAX_NESTING && (markers.match(/[-+*>]|[.)]/gu)?.length ?? 0) > MAX_NESTING) return true;
  }
  return false;
}
