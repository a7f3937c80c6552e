/** A run for a pull request or a step's summary: what came of it, a row for each stage, and what was said, folded (I-7). */
import type { StageView } from '@gated-flow/record';
import { extname } from 'node:path';
import { counted, cutText } from '@gated-flow/text';
import { cost, duration, roundTitle, tokens } from '../views/figures.js';
import { nameOf } from '../views/pick-stage.js';
import { checkTitle } from '../views/said.js';
import { FLAGS } from '../views/stage-line.js';
import { cell, fenced, htmlCode, inline } from './plain.js';
import { placeOf, type RunPart } from './source.js';
import { failedUnjudged, judgedIn } from './verdicts.js';
import type { Words } from './words.js';

/** A comment of GitHub holds 65,536 characters. */
export const MARKDOWN_BYTES = 60_000;
const ROWS = 100;
const REASON_BYTES = 4_000;
const TITLE_BYTES = 300;

/** At most `MARKDOWN_BYTES`; what has no room is counted. Everything foreign stands in code. */
export async function markdownReport(parts: AsyncIterable<RunPart>, words: Words): Promise<string> {
  const rows: string[] = [];
  const details = openRoom(MARKDOWN_BYTES - 2_000);
  let stages = 0;
  let head: RunPart | null = null;
  for await (const part of parts) {
    head ??= part;
    for (const stage of part.view.stages) {
      stages += 1;
      if (rows.length < ROWS) rows.push(details.reserve(rowOf(part, stage, words)));
      for await (const detail of detailsOf(part, stage, words)) details.add(detail);
    }
  }
  if (head === null) return '';
  const omitted = stages - rows.length;
  const more = omitted === 0 ? '' : `\n${counted(omitted, 'more stage')}: ${inline(`flow show ${head.run.word}`)}\n`;
  return [headingOf(head, words, details.tellsWhy()), table(rows), more, details.text(), footOf(head, words)]
    .filter((block) => block !== '')
    .join('\n');
}

/** `told`: what failed is among the details. */
function headingOf({ view, state }: RunPart, { clean }: Words, told: boolean): string {
  const { ending, flow } = view;
  const name = inline(clean(flow));
  if (ending === null)
    return `### ${state === 'running' ? '▸' : '✗'} ${name}: ${state === 'running' ? 'still running' : 'killed, its record has no end'}\n`;
  if (ending.cause === 'success') return `### ✓ ${name}\n`;
  const at = ending.stage === undefined ? '' : ` at ${inline(clean(ending.stage))}`;
  const reason = ending.reason === undefined || told ? '' : `\n${fenced(cutText(clean(ending.reason), REASON_BYTES))}`;
  return `### ✗ ${name}: ${ending.cause}${at}\n${reason}`;
}

function table(rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const head = ['', 'stage', 'rounds', 'time', 'tokens in', 'out', 'cost', ''];
  return `| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}\n${rows.join('')}`;
}

const MARKS = { ended: '✗', running: '▸', carried: '=', reused: '=' } as const;

function rowOf(part: RunPart, stage: StageView, { clean }: Words): string {
  const { state, ending, usage, rounds, ms } = stage;
  const passed = state === 'ended' && ending?.cause === 'success';
  const asked = usage.turns > 0;
  const cells = [
    passed ? '✓' : MARKS[state],
    cell(clean(placeOf(part, stage))),
    String(rounds.filter(({ round }) => round > 0).length),
    duration(ms),
    asked ? tokens(usage.input) : '',
    asked ? tokens(usage.output) : '',
    asked ? cost(usage.cost_usd) : '',
    resultOf(stage, clean),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function resultOf({ stage, state, ending, from }: StageView, clean: Words['clean']): string {
  if (ending === null) return 'not ended';
  if (state === 'carried' || state === 'reused') return `${state} from ${cell(clean(from ?? 'another run'))}`;
  if (!ending.sealed || ending.output === undefined) return ending.cause;
  return cell(clean(`${nameOf(stage)}${extname(ending.output.path)}`));
}

/** What failed first, then what was sent back, each folded. */
async function* detailsOf(part: RunPart, stage: StageView, words: Words): AsyncGenerator<Detail> {
  const place = words.clean(placeOf(part, stage));
  for (const { program, round, standing } of judgedIn(stage)) {
    if (standing === 'passed') continue;
    const title = [place, round === null ? '' : roundTitle(round), words.clean(checkTitle(program))]
      .filter((one) => one !== '')
      .join(' · ');
    yield { rank: standing === 'final' ? 0 : 1, text: folded(title, await words.said(part, program), standing === 'final') };
  }
  if (failedUnjudged(stage))
    yield {
      rank: 0,
      text: folded(`${place} · ${stage.ending?.cause ?? ''}`, cutText(words.clean(stage.ending?.reason ?? ''), REASON_BYTES), true),
    };
  for (const flag of stage.flags) yield { rank: 1, text: `- ${inline(place)} ${FLAGS[flag]}\n` };
  for (const { contract, clause_name, details, action_taken } of stage.contracts ?? [])
    yield { rank: 1, text: folded(words.clean(`${place} · ${action_taken} · ${contract}: ${clause_name}`), words.clean(details), false) };
}

function folded(title: string, text: string, open: boolean): string {
  return `<details${open ? ' open' : ''}><summary>${htmlCode(cutText(title, TITLE_BYTES))}</summary>\n\n${fenced(text === '' ? '(it said nothing)' : text)}\n</details>\n`;
}

interface Detail {
  /** 0 before 1. */
  readonly rank: 0 | 1;
  readonly text: string;
}

interface Room {
  /** Takes room for a text that is shown elsewhere. */
  reserve(text: string): string;
  add(detail: Detail): void;
  /** Whether one of the first rank is kept. */
  tellsWhy(): boolean;
  text(): string;
}

/** Keeps whole details as long as there is room, the worse ones first. */
function openRoom(bytes: number): Room {
  const kept: Detail[] = [];
  let left = bytes;
  let omitted = 0;
  return {
    reserve(text) {
      left -= Buffer.byteLength(text);
      return text;
    },
    add(detail) {
      kept.push(detail);
      left -= Buffer.byteLength(detail.text);
      while (left < 0 && kept.length > 0) {
        const worst = kept.findLastIndex(({ rank }) => rank === 1);
        const [gone] = kept.splice(worst === -1 ? kept.length - 1 : worst, 1);
        left += Buffer.byteLength(gone?.text ?? '');
        omitted += 1;
      }
    },
    tellsWhy: () => kept.some(({ rank }) => rank === 0),
    text() {
      const texts = [0, 1].flatMap((rank) => kept.filter((one) => one.rank === rank).map(({ text }) => text));
      return `${texts.join('\n')}${omitted === 0 ? '' : `\n${counted(omitted, 'detail')} left out for want of room.\n`}`;
    },
  };
}

function footOf({ run, view }: RunPart, { clean }: Words): string {
  const { usage, ms, model_source, assembly_hash } = view;
  const models = [...new Set(view.stages.flatMap((stage) => stage.models))];
  const facts = [
    `run ${inline(view.run)}`,
    `assembly ${inline(assembly_hash.slice(0, 12))}`,
    model_source === 'provider'
      ? models
          .slice(0, 5)
          .map((model) => inline(clean(model)))
          .join(', ')
      : model_source,
    duration(ms),
    ...(usage.turns === 0 ? [] : [`${tokens(usage.input)} in, ${tokens(usage.output)} out, ${cost(usage.cost_usd)}`]),
  ];
  return `${facts.filter((fact) => fact !== '').join(' · ')}\n\n${inline(`flow show ${clean(run.word)}`)} tells it round by round.\n`;
}
