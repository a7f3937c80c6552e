import type { WarningRule } from './warning.js';

/** A heading that looks like the checklist's but is not exactly `Checklist`, or one with no list under it: nothing is asked of the agent. */
export const checklistUnread: WarningRule = ({ stages }) =>
  stages.flatMap(({ sentinel, body, checklist }) => {
    if (checklist.length > 0) return [];
    const heading = headingsOf(body).find((text) => /^check[ -]?list\b/i.test(text.replace(/[*_`]/g, '')));
    if (heading === undefined) return [];
    if (heading === 'Checklist')
      return [
        { path: sentinel, message: 'Its heading "Checklist" has no list under it, so nothing is asked for. Write the items as a list.' },
      ];
    return [
      { path: sentinel, message: `Its heading ${JSON.stringify(heading)} is not read as a checklist. Spell it exactly: ## Checklist` },
    ];
  });

/** The texts of `#` and underlined headings outside fenced code. */
function headingsOf(body: string): readonly string[] {
  const lines = /check[ -]?list/i.test(body) ? body.split(/\r?\n/) : [];
  const headings: string[] = [];
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    if (fence !== null) continue;
    const hashed = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line)?.[1];
    const underlined = /^ {0,3}(?:=+|-+)[ \t]*$/.test(lines[index + 1] ?? '') ? line.trim() : undefined;
    const text = hashed ?? underlined;
    if (text) headings.push(text);
  }
  return headings;
}
