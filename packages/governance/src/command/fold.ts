/** Letters of other alphabets that look like Latin ones, in pairs. */
const LOOK_ALIKES = new Map(
  'аa вb сc еe һh іi јj кk ӏl мm оo рp ԛq ѕs тt υu ѵv ԝw хx уy ԁd ɡg αa οo ρp νv ιi κk τt χx гr տs օo ո n'
    .split(' ')
    .flatMap((pair) => ([...pair].length === 2 ? [[[...pair][0] ?? '', [...pair][1] ?? ''] as const] : [])),
);

/** Zero-width, soft hyphen, bidirectional controls, variation selectors, tags. */
const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]|[\u{e0000}-\u{e0fff}]/gu;

/** The text as a reader's eye takes it: without invisible characters, with Latin letters for their look-alikes. ASCII stays as it is. */
export function foldText(text: string): string {
  if (isAscii(text)) return text;
  const plain = text.replace(INVISIBLE, '').normalize('NFKC');
  return [...plain].map((character) => LOOK_ALIKES.get(character) ?? character).join('');
}

function isAscii(text: string): boolean {
  return !/[^ -~\s]/.test(text) && !/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/.test(text);
}
