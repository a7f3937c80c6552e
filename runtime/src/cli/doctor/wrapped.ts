const NARROWEST = 20;

/** The words in lines of at most `width` columns; a word that is longer stands alone and is not cut, so that paths and commands can be copied. */
export function wrapped(text: string, width: number): readonly string[] {
  const most = Math.max(NARROWEST, width);
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(/(?<=\S) (?=\S)/)) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}
