/** The picture as an SVG that stands alone: no script, nothing from elsewhere, readable by light and by dark, with words for who cannot see it. Pure. */
import { escapeName } from '@gated-flow/text';
import { type Arrow, type Box, FONT, layOut, LINE } from './layout.js';
import type { Picture } from './picture.js';
import { spokenOf } from './words.js';

const SPOKEN_MAX = 4_000;

const STYLE = `
text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#24292f}
.name{font-weight:700}.aside{fill:#57606a}.paper{fill:#fff}
rect{stroke-width:1.2;stroke:#8c959f;fill:#f6f8fa}
.flow{fill:#fff;stroke:#d0d7de}.end{fill:#eaeef2}.stage{fill:#ddf4ff;stroke:#0969da}
.loop{fill:#fff8c5;stroke:#bf8700}.choose{fill:#fbefff;stroke:#8250df}.parallel{fill:#dafbe1;stroke:#1a7f37}
.fanout{fill:#ffeff7;stroke:#bf3989;stroke-dasharray:6 3}.branch{fill:#fff;stroke-dasharray:3 3}
.line{fill:none;stroke:#57606a;stroke-width:1.4}.head{fill:#57606a}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.aside{fill:#9198a1}.paper,.flow,.branch{fill:#0d1117}rect{stroke:#6e7681;fill:#161b22}
.flow{stroke:#30363d}.end{fill:#21262d}.stage{fill:#0c2d6b;stroke:#4493f8}.loop{fill:#3b2300;stroke:#d29922}
.choose{fill:#2b1350;stroke:#ab7df8}.parallel{fill:#04260f;stroke:#3fb950}.fanout{fill:#42062a;stroke:#db61a2}
.line{stroke:#9198a1}.head{fill:#9198a1}}
`.trim();

/** Ends with a line feed. Names are escaped for the page and for the eye. */
export function pictureSvg(picture: Picture): string {
  const { width, height, boxes, arrows } = layOut(picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="flow-picture-title flow-picture-desc">`,
    `<title id="flow-picture-title">${quoted(`Flow ${picture.name}`)}</title>`,
    `<desc id="flow-picture-desc">${quoted(spokenOf(picture, SPOKEN_MAX))}</desc>`,
    `<style>${STYLE.replaceAll('"', "'")}</style>`,
    `<rect class="paper" width="${width}" height="${height}" stroke="none"/>`,
    ...boxes.map(boxText),
    ...arrows.map(arrowText),
    '</svg>',
    '',
  ].join('\n');
}

function boxText({ x, y, width, height, look, lines, full }: Box): string {
  const middle = round(x + width / 2);
  const words = lines.map((line, index) => {
    const kind = index === 0 ? 'name' : 'aside';
    return `<text class="${kind}" x="${middle}" y="${round(y + 18 + index * LINE)}" text-anchor="middle">${quoted(line)}</text>`;
  });
  const corner = look === 'end' ? 14 : 6;
  return `<g><title>${quoted(full)}</title><rect class="${look}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${corner}"/>${words.join('')}</g>`;
}

function arrowText(points: Arrow): string {
  const [x, y] = points.at(-1) ?? [0, 0];
  const line = points.map((point) => point.map(round).join(',')).join(' ');
  return `<polyline class="line" points="${line}"/><path class="head" d="M${round(x - 4)},${round(y - 7)} h8 l-4,7 z"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function quoted(text: string): string {
  return escapeName(text.replaceAll('\n', ' · '))
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark);
}
