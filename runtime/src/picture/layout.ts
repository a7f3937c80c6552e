/** Where everything of a picture stands, in pixels: boxes within boxes, from the top down; a long sequence goes on in a further column. Pure. */
import { calledByAll, type Picture, type PictureFlow, type PictureStep } from './picture.js';
import { boundsOf, kindOf, namesOf, ownCalls, questionOf } from './words.js';

/** A rectangle with lines of text at its top. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly look: 'stage' | 'loop' | 'choose' | 'parallel' | 'fanout' | 'branch' | 'flow' | 'end';
  /** The first is its name. Cut to what fits. */
  readonly lines: readonly string[];
  /** Uncut. */
  readonly full: string;
}

/** From one box down to the next; of several points where a column ends. */
export type Arrow = readonly (readonly [number, number])[];

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

export const FONT = 13;
export const LINE = 18;
/** Of a fixed-width font, in the unit of its size. */
const ADVANCE = 0.61;
const PAD = 12;
const GAP = 26;
const COLUMN_GAP = 44;
const MARGIN = 16;
const COLUMNS_MAX = 46;
/** A root sequence of up to about this height is one column. */
const TALL = 1_300;
/** Branches stand side by side up to this width, then in rows. */
const WIDE = 1_300;

/** A part that is laid out, at 0, 0. */
interface Part {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

export function layOut(picture: Picture): Layout {
  const blocks = [
    ...agentBlock(picture),
    ...picture.flows.map((flow, index) => flowBlock(flow, picture, picture.agent === null && index > 0)),
  ];
  const wide = Math.max(WIDE, ...blocks.map(({ width }) => width));
  const placed = inRows(blocks, wide, 28);
  const { boxes, arrows } = moved(placed, MARGIN, MARGIN);
  return { width: Math.ceil(placed.width + 2 * MARGIN), height: Math.ceil(placed.height + 2 * MARGIN), boxes, arrows };
}

function agentBlock({ agent, name, description }: Picture): Part[] {
  return agent === null ? [] : [box('end', [name, 'the assembly agent chooses a flow', ...(description === '' ? [] : [description])])];
}

function flowBlock(flow: PictureFlow, picture: Picture, called: boolean): Part {
  const calls = namesOf(calledByAll(flow), picture);
  const heading = [flow.name, kindOf(flow, called), ...(flow.description === '' ? [] : [flow.description])];
  if (calls.length > 0) heading.push(`every agent may call ${calls.join(', ')}`);
  const parts = [
    box('end', [called ? 'input' : 'request']),
    ...flow.steps.map((step) => stepPart(step, (one) => ownCalls(one, flow, picture))),
    box('end', ['output']),
  ];
  return framed('flow', heading, inColumns(parts));
}

function stepPart(step: PictureStep, callsOf: (step: PictureStep) => readonly string[]): Part {
  const calls = callsOf(step);
  const may = calls.length === 0 ? [] : [`may call ${calls.join(', ')}`];
  switch (step.type) {
    case 'STAGE':
      return box('stage', [step.title, `→ ${step.output}`, ...(step.checks.length === 0 ? [] : [step.checks.join(', ')]), ...may]);
    case 'FANOUT':
      return box('fanout', [step.title, 'FANOUT', ...boundsOf(step).replace('FANOUT, ', '').split(', ')]);
    case 'LOOP': {
      const question = questionOf(step);
      const inner = column(step.steps.map((one) => stepPart(one, callsOf)));
      return framed('loop', [step.title, boundsOf(step), ...(question === null ? [] : [`again while: ${question}`])], inner);
    }
    case 'CHOOSE':
    case 'PARALLEL': {
      const branches = step.branches.map(({ name, steps }) => framed('branch', [name], column(steps.map((one) => stepPart(one, callsOf)))));
      const look = step.type === 'CHOOSE' ? 'choose' : 'parallel';
      return framed(look, [step.title, boundsOf(step), ...may], inRows(branches, WIDE, PAD));
    }
  }
}

function box(look: Box['look'], lines: readonly string[]): Part {
  const shown = lines.map(cut);
  const width = Math.ceil(Math.max(...shown.map(columnsOf)) * FONT * ADVANCE) + 2 * PAD;
  const height = shown.length * LINE + PAD;
  return { width, height, boxes: [{ x: 0, y: 0, width, height, look, lines: shown, full: lines.join('\n') }], arrows: [] };
}

function framed(look: Box['look'], lines: readonly string[], inner: Part): Part {
  const shown = lines.map(cut);
  const head = shown.length * LINE + PAD;
  const width = Math.max(inner.width, Math.ceil(Math.max(...shown.map(columnsOf)) * FONT * ADVANCE)) + 2 * PAD;
  const height = head + inner.height + PAD + 2;
  const { boxes, arrows } = moved(inner, (width - inner.width) / 2, head);
  return { width, height, boxes: [{ x: 0, y: 0, width, height, look, lines: shown, full: lines.join('\n') }, ...boxes], arrows };
}

/** One below the other, with an arrow from each to the next. */
function column(parts: readonly Part[]): Part {
  const width = Math.max(0, ...parts.map((part) => part.width));
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  let y = 0;
  parts.forEach((part, index) => {
    if (index > 0) {
      arrows.push([
        [width / 2, y],
        [width / 2, y + GAP],
      ]);
      y += GAP;
    }
    const at = moved(part, (width - part.width) / 2, y);
    boxes.push(...at.boxes);
    arrows.push(...at.arrows);
    y += part.height;
  });
  return { width, height: y, boxes, arrows };
}

/** As one column, or, when that is tall, as several of about the same height that together are about as wide as tall. */
function inColumns(parts: readonly Part[]): Part {
  const total = parts.reduce((sum, { height }) => sum + height + GAP, 0);
  const widest = Math.max(...parts.map(({ width }) => width)) + COLUMN_GAP;
  const count = Math.max(1, Math.round(total / Math.max(TALL, Math.sqrt(total * widest * 0.7))));
  const columns: Part[][] = [[]];
  let height = 0;
  for (const part of parts) {
    if (height > 0 && columns.length < count && height + part.height / 2 > total / count) {
      columns.push([]);
      height = 0;
    }
    columns.at(-1)?.push(part);
    height += part.height + GAP;
  }
  return besideEachOther(columns.map(column));
}

/** Each goes on where the one before it ends: an arrow leads from the foot of the one to the head of the next. */
function besideEachOther(columns: readonly Part[]): Part {
  const head = columns.length > 1 ? GAP : 0;
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  let x = 0;
  let foot: readonly [number, number] | null = null;
  for (const part of columns) {
    const middle = x + part.width / 2;
    if (foot !== null) {
      const [from, y] = foot;
      const lane = x - COLUMN_GAP / 2;
      arrows.push([foot, [from, y + GAP / 2], [lane, y + GAP / 2], [lane, 4], [middle, 4], [middle, head]]);
    }
    const at = moved(part, x, head);
    boxes.push(...at.boxes);
    arrows.push(...at.arrows);
    foot = [middle, head + part.height];
    x += part.width + COLUMN_GAP;
  }
  const tallest = Math.max(...columns.map(({ height }) => height));
  return { width: x - COLUMN_GAP, height: tallest + head + (columns.length > 1 ? GAP / 2 : 0), boxes, arrows };
}

function inRows(parts: readonly Part[], wide: number, gap: number): Part {
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  let [x, y, row, width] = [0, 0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > wide) [x, y, row] = [0, y + row + gap, 0];
    const at = moved(part, x, y);
    boxes.push(...at.boxes);
    arrows.push(...at.arrows);
    width = Math.max(width, x + part.width);
    x += part.width + gap;
    row = Math.max(row, part.height);
  }
  return { width, height: y + row, boxes, arrows };
}

function moved({ boxes, arrows }: Pick<Part, 'boxes' | 'arrows'>, dx: number, dy: number): Pick<Part, 'boxes' | 'arrows'> {
  return {
    boxes: boxes.map((one) => ({ ...one, x: one.x + dx, y: one.y + dy })),
    arrows: arrows.map((arrow) => arrow.map(([x, y]) => [x + dx, y + dy] as const)),
  };
}

function cut(line: string): string {
  let columns = 0;
  let kept = '';
  for (const character of line) {
    columns += columnsOf(character);
    if (columns > COLUMNS_MAX) return `${kept}…`;
    kept += character;
  }
  return line;
}

/** Letters of East Asia and pictures are two columns wide. */
function columnsOf(text: string): number {
  return [...text].reduce(
    (sum, character) =>
      sum + (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u.test(character) ? 2 : 1),
    0,
  );
}
