/** Whether a JSON text is nested deeper than `most`, told without parsing it: brackets inside of its texts do not count. */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') {
      depth++;
      if (depth > most) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}
