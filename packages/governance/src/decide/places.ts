/** Names of arguments, without regard to case and joints, under which tools are given what is said or written. */
const PROSE = new Set(
  [
    ...['content', 'contents', 'text', 'oldText', 'newText', 'old_string', 'new_string', 'old_str', 'new_str', 'body'],
    ...['prompt', 'description', 'message', 'instructions', 'plan', 'step', 'activeForm', 'subject', 'question', 'header', 'label'],
    ...['claim', 'comment', 'explanation', 'reason', 'summary'],
  ].map(bare),
);

/**
 * Every text in a call's arguments that may name a place, for rules with `path` (V-2). An argument nobody knows may name one; what is
 * said or written, such as the prompt of a task, does not (V-3). Inside an object the innermost name counts.
 */
export function placesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(placesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => placesIn(PROSE.has(bare(name)) ? withoutTexts(inside) : inside));
}

/** Objects inside have names of their own. */
function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return null;
  return Array.isArray(value) ? value.map(withoutTexts) : value;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
