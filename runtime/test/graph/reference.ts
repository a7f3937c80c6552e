/**
 * An interpreter of the graph that knows no disk, no process and no time: what a graph does is read from its shape alone, and told as
 * one line for each stage, container and call, in the order of the tree (G-1 to G-8).
 */
import { compareBytes } from '@gated-flow/text';
import type { Cause } from '@gated-flow/record';
import { isJson, mayPass, nth } from './planted.js';
import type { Branch, Choose, Fanout, Loop, Parallel, Stage, Step } from './places.js';
import type { Act, Answer } from './shapes.js';

export interface Told {
  readonly cause: Cause;
  /** Names that the next step is given; null unless the cause is success. */
  readonly leaves: readonly string[] | null;
  readonly lines: readonly string[];
  readonly answer?: Answer;
}

interface Pass {
  readonly given: readonly string[];
  readonly repeat?: number;
  readonly asked?: Answer;
}

export interface Helpers {
  readonly oracle: readonly Step[];
  readonly depth: number;
}

export const exitOf = (cause: Cause): number => (cause === 'success' ? 0 : cause === 'fault' ? 2 : 1);

const atRepeat = (path: string, repeat: number | undefined): string => (repeat === undefined ? path : `${path}#${repeat}`);

export function told(steps: readonly Step[], { asked, ...pass }: Pass, helpers: Helpers): Told {
  const lines: string[] = [];
  let { given } = pass;
  let left: Told | null = null;
  for (const step of steps) {
    const last = step === steps.at(-1) && asked !== undefined;
    left = stepTold(step, { ...pass, given, ...(last ? { asked } : {}) }, helpers);
    lines.push(...left.lines);
    if (left.leaves === null) return { ...left, lines };
    given = left.leaves;
  }
  if (left === null) throw new Error('nothing to walk');
  return { ...left, lines };
}

function stepTold(step: Step, pass: Pass, helpers: Helpers): Told {
  switch (step.type) {
    case 'list':
      return success([`${step.name}.json`], [stageLine(step.path, pass, 'success 1')]);
    case 'stage':
      return stageTold(step, pass, helpers);
    case 'loop':
      return loopTold(step, pass, helpers);
    case 'choose':
      return chooseTold(step, pass, helpers);
    case 'parallel':
      return parallelTold(step, pass, helpers);
    case 'fanout':
      return fanoutTold(step);
  }
}

function success(leaves: readonly string[], lines: readonly string[]): Told {
  return { cause: 'success', leaves, lines };
}

function stageLine(path: string, { given, repeat }: Pass, ended: string): string {
  return `${atRepeat(path, repeat)} [${[...given].sort(compareBytes).join(' ')}] ${ended}`;
}

/** How the work ends, and in which attempt. */
function workOf(act: Act, retries: number): { readonly cause: Cause; readonly attempt: number } {
  switch (act) {
    case 'write':
      return { cause: 'success', attempt: 1 };
    case 'late':
      return retries > 0 ? { cause: 'success', attempt: 2 } : { cause: 'exhausted', attempt: 1 };
    case 'refuse':
      return { cause: 'refused', attempt: 1 };
    case 'broken':
      return { cause: 'fault', attempt: 1 };
    default:
      return { cause: 'exhausted', attempt: retries + 1 };
  }
}

function stageTold(stage: Stage, pass: Pass, helpers: Helpers): Told {
  const act = nth(stage.acts, pass.repeat);
  const work = workOf(act, stage.retries);
  const unanswered = work.cause === 'success' && mayPass(act) && pass.asked === 'none';
  const { cause, attempt }: typeof work = unanswered ? { cause: 'exhausted', attempt: stage.retries + 1 } : work;
  const lines = [stageLine(stage.path, pass, `${cause} ${attempt}`), ...(stage.calls === null ? [] : callLines(stage.calls, helpers))];
  if (cause !== 'success') return { cause, leaves: null, lines };
  const done = success([`${stage.name}${isJson(stage) ? '.json' : '.txt'}`], lines);
  return pass.asked === undefined ? done : { ...done, answer: pass.asked };
}

/** A failing child is an answer (G-7). */
function callLines(flow: 'oracle' | 'dig', helpers: Helpers): string[] {
  if (flow === 'dig') return digLines(1, helpers.depth);
  const child = told(helpers.oracle, { given: ['request.txt'] }, helpers);
  return [`> 1 oracle ${child.cause}`, ...indented(child.lines)];
}

function digLines(level: number, depth: number): string[] {
  const below = level < depth ? digLines(level + 1, depth) : [];
  return ['> 1 dig success', ...indented([stageLine('01-dig', { given: ['request.txt'] }, 'success 1'), ...below])];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function loopTold(loop: Loop, { given }: Pass, helpers: Helpers): Told {
  const lines: string[] = [];
  let before: readonly string[] = [];
  const over = (repeats: number, by: string, ended: Pick<Told, 'cause' | 'leaves'>): Told => ({
    ...ended,
    lines: [`LOOP ${loop.path} ${repeats} ${by}`, ...lines],
  });
  for (let repeat = 1; ; repeat += 1) {
    const asked = loop.answers === null ? {} : { asked: nth(loop.answers, repeat) };
    const walked = told(loop.steps, { given: [...given, ...before], repeat, ...asked }, helpers);
    lines.push(...walked.lines);
    if (walked.leaves === null) return over(repeat, walked.cause, { cause: walked.cause, leaves: null });
    const done = { cause: 'success' as const, leaves: walked.leaves.map((name) => renamed(name, loop.name)) };
    if (walked.answer === 'stop') return over(repeat, 'stop', done);
    if (repeat === loop.repeat) return over(repeat, 'limit', walked.answer === undefined ? done : { cause: 'rejected', leaves: null });
    before = walked.leaves;
  }
}

function renamed(file: string, name: string): string {
  return `${name}${file.slice(file.lastIndexOf('.'))}`;
}

/** What an agent of a choice has: the retries of the flow. */
const RETRIES = 1;

function chooseTold(choose: Choose, pass: Pass, helpers: Helpers): Told {
  const chosen = choose.manner === 'right' || choose.manner === 'corrected' ? choose.branches[choose.chosen] : undefined;
  const agent = (ended: string): string => stageLine(choose.path, pass, ended);
  if (!chosen) return { cause: 'exhausted', leaves: null, lines: [agent(`exhausted ${RETRIES + 1}`)] };
  const walked = told(chosen.steps, pass, helpers);
  const lines = [`CHOOSE ${atRepeat(choose.path, pass.repeat)} ${chosen.name}`, agent('success 1'), ...walked.lines];
  return { cause: walked.cause, leaves: walked.leaves?.map((name) => renamed(name, chosen.name)) ?? null, lines };
}

function parallelTold({ path, wide, branches }: Parallel, pass: Pass, helpers: Helpers): Told {
  const walked: { branch: Branch; told: Told }[] = [];
  for (const branch of [...branches].sort((a, b) => compareBytes(a.name, b.name))) {
    if (!wide && walked.some((one) => one.told.leaves === null)) break;
    walked.push({ branch, told: told(branch.steps, pass, helpers) });
  }
  const causes = walked.map((one) => `${one.branch.name}=${one.told.cause}`).join(' ');
  const lines = [`PARALLEL ${atRepeat(path, pass.repeat)} ${causes}`, ...walked.flatMap((one) => one.told.lines)];
  const failed = walked.find((one) => one.told.leaves === null);
  if (failed) return { cause: failed.told.cause, leaves: null, lines };
  return success(
    walked.flatMap((one) => (one.told.leaves ?? []).map((name) => renamed(name, one.branch.name))),
    lines,
  );
}

function fanoutTold({ path, items, ids }: Fanout): Told {
  if (items.length === 0) return { cause: 'fault', leaves: null, lines: [] };
  const ended = items.map((act, index) => ({ id: ids[index] ?? '', ...workOf(act, RETRIES) }));
  const failed = ended.find(({ cause }) => cause !== 'success');
  const cause = failed?.cause ?? 'success';
  const lines = [
    `FANOUT ${path} ${items.length} ${cause}`,
    ...ended.flatMap((one, index) => [
      `> ${index + 1} worker ${one.id} ${one.cause}`,
      ...indented([stageLine('01-work', { given: ['request.json'] }, `${one.cause} ${one.attempt}`)]),
    ]),
  ];
  return failed
    ? { cause, leaves: null, lines }
    : success(
        ended.map(({ id }) => `${id}.json`),
        lines,
      );
}

/** Whether anything in it runs beside anything else. */
export function isOneByOne(steps: readonly Step[]): boolean {
  return steps.every((step) => {
    switch (step.type) {
      case 'stage':
      case 'list':
        return true;
      case 'loop':
        return isOneByOne(step.steps);
      case 'fanout':
        return step.width === 1;
      case 'parallel':
        return !step.wide && step.branches.every((branch) => isOneByOne(branch.steps));
      case 'choose':
        return step.branches.every((branch) => isOneByOne(branch.steps));
    }
  });
}
