/** The picture for a terminal. Neither redacted nor escaped. */
import { counted } from '@gated-flow/text';
import { calledByAll, type Picture, type PictureFlow, type PictureStep } from './picture.js';
import { boundsOf, kindOf, namesOf, ownCalls, questionOf } from './words.js';

/** One line of it: what leads to it, its name, and what is said beside. */
interface Row {
  readonly lead: string;
  readonly title: string;
  readonly beside: string;
  /** What leads to the lines that continue this one. */
  readonly next: string;
}

const MARKS = { STAGE: '□', LOOP: '↻', CHOOSE: '◇', PARALLEL: '╫', FANOUT: '⋔' } as const;
/** No column of names is wider. */
const WIDEST = 36;
/** Below this there is no room beside a name: what is said goes below it. */
const ROOM = 28;

/** Lines of at most `width` columns where words allow. */
export function pictureText(picture: Picture, width: number): string {
  const blocks = [
    ...agentLines(picture, width),
    ...picture.flows.map((flow, index) => flowText(flow, { picture, width, called: picture.agent === null && index > 0 })),
  ];
  return `${blocks.join('\n')}`;
}

function agentLines({ agent, name, description, flows }: Picture, width: number): string[] {
  if (agent === null) return [];
  const rows = flows
    .filter(({ path }) => agent.calls.includes(path))
    .map((flow): Row => ({ lead: ' ⋔ ', title: flow.name, beside: flow.description, next: '   ' }));
  return [
    `${name}   the assembly agent chooses among ${counted(flows.length, 'flow')}${description === '' ? '' : `   ${description}`}\n${lines(rows, width)}`,
  ];
}

interface Look {
  readonly picture: Picture;
  readonly width: number;
  readonly called: boolean;
}

function flowText(flow: PictureFlow, { picture, width, called }: Look): string {
  const calls = namesOf(calledByAll(flow), picture);
  const heading = fold(`${flow.name}   ${kindOf(flow, called)}   ${flow.description}`.trimEnd(), { width, indent: '  ' });
  const said = calls.length === 0 ? '' : fold(`  every agent may call ${calls.join(', ')}`, { width, indent: '    ' });
  const rows: Row[] = [{ lead: ' ▷ ', title: called ? 'input' : 'request', beside: '', next: ' │ ' }];
  rows.push(...sequence(flow.steps, ' ', (step) => ownCalls(step, flow, picture)));
  rows.push({ lead: ' ▽ ', title: 'output', beside: '', next: '   ' });
  return `${heading}${said}${lines(rows, width)}`;
}

type CallsOf = (step: PictureStep) => readonly string[];

function sequence(steps: readonly PictureStep[], lead: string, callsOf: CallsOf): Row[] {
  return steps.flatMap((step) => [{ lead: `${lead}│`, title: '', beside: '', next: '' }, ...stepRows(step, lead, callsOf)]);
}

function stepRows(step: PictureStep, lead: string, callsOf: CallsOf): Row[] {
  const calls = callsOf(step);
  const may = calls.length === 0 ? [] : [`may call ${calls.join(', ')}`];
  const next = `${lead}│ `;
  const own = (beside: readonly string[]): Row => ({
    lead: `${lead}${MARKS[step.type]} `,
    title: step.title,
    beside: beside.join('   '),
    next,
  });
  switch (step.type) {
    case 'STAGE':
      return [own([`→ ${step.output}`, ...(step.checks.length === 0 ? [] : [step.checks.join(', ')]), ...may])];
    case 'FANOUT':
      return [own([boundsOf(step)])];
    case 'LOOP': {
      const question = questionOf(step);
      return [
        own([boundsOf(step), ...(question === null ? [] : [`again while: ${question}`])]),
        ...sequence(step.steps, `${lead}│  `, callsOf).slice(1),
      ];
    }
    case 'CHOOSE':
    case 'PARALLEL':
      return [
        own([boundsOf(step), ...may]),
        ...step.branches.flatMap(({ name, steps }) => [
          { lead: `${lead}├─ `, title: name, beside: '', next },
          ...sequence(steps, `${lead}│  `, callsOf).slice(1),
        ]),
      ];
  }
}

function lines(rows: readonly Row[], width: number): string {
  const widest = Math.min(
    WIDEST,
    Math.max(0, ...rows.filter(({ beside }) => beside !== '').map(({ lead, title }) => lead.length + title.length)),
  );
  return rows.map((row) => rowText(row, { widest, width })).join('');
}

function rowText({ lead, title, beside, next }: Row, { widest, width }: { widest: number; width: number }): string {
  const head = `${lead}${title}`;
  if (beside === '') return `${head.trimEnd()}\n`;
  if (width - widest - 3 < ROOM) return `${head}\n${fold(`${next}  ${beside}`, { width, indent: `${next}  ` })}`;
  return fold(`${head.padEnd(widest)}   ${beside}`, { width, indent: next.padEnd(widest + 3) });
}

/** Broken between words; a word that is longer than a line stays whole. */
function fold(text: string, { width, indent }: { width: number; indent: string }): string {
  if (text.length <= width) return `${text}\n`;
  const cut = text.lastIndexOf(' ', width);
  const at = cut > indent.length ? cut : text.indexOf(' ', Math.max(width, indent.length + 1));
  if (at === -1) return `${text}\n`;
  return `${text.slice(0, at).trimEnd()}\n${fold(`${indent}${text.slice(at).trimStart()}`, { width, indent })}`;
}
