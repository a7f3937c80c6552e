/** The fenced code blocks of a markdown text: `{info, text, line}`, `line` being the fence's own, from 1. */
export function fencedBlocks(markdown) {
  const blocks = [];
  let open = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^(`{3,}|~{3,})(.*)$/.exec(line);
    if (open === null && fence) open = { fence: fence[1], info: fence[2].trim(), lines: [], line: index + 1 };
    else if (open !== null && line.trimEnd() === open.fence) {
      blocks.push({ info: open.info, text: open.lines.map((each) => `${each}\n`).join(''), line: open.line });
      open = null;
    } else open?.lines.push(line);
  }
  return blocks;
}
