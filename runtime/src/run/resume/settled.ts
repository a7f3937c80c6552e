/** Which steps of a donor's root sequence are settled, and what each of them handed on (G-11). Pure. */
import { extname } from 'node:path';
import type { Branch, Choose, Fanout, Loop, Parallel, Stage, Step } from '@gated-flow/assembly';
import { attemptFolder, type ContainerView, type RunView, type SealedFile, type Sourced, type StageView } from '@gated-flow/record';
import { compareBytes } from '@gated-flow/text';
import { wantedChecks } from '../donor/wanted-checks.js';

export interface HandedOn {
  /** The stage that sealed it; of a fan-out, `<its path>/<item>`. */
  readonly stage: string;
  readonly repeat?: number;
  /** As the next step receives it. */
  readonly name: string;
  readonly output: SealedFile;
  /** Where the same bytes stand in a run that carries them. */
  readonly place: string;
  readonly options: Readonly<Record<string, Sourced>>;
}

/** `settled: false` says in half a sentence why; `lies` that the record contradicts itself there. */
export type Settled =
  | { readonly settled: true; readonly handedOn: readonly HandedOn[] }
  | { readonly settled: false; readonly why: string; readonly lies?: true };

/** What a record says about its steps, for one who asks step by step. */
export interface Telling {
  of(step: Step): Settled;
}

export function tellSettled(view: RunView): Telling {
  const stages = new Map(view.stages.map((stage) => [placeKey(stage), stage]));
  const containers = new Map(view.containers.map((container) => [placeKey(container), container]));

  const carried = (entry: string): Settled | null => {
    const group = view.stages.filter(({ carried_for }) => carried_for?.entry === entry);
    const [first] = group;
    if (first === undefined) return null;
    if (group.length !== first.carried_for?.of) return no('the run died while it took it over');
    return yes(group.flatMap((stage) => carriedOutput(stage)));
  };
  const stageOutput = (stage: Stage, repeat?: number): Settled => {
    const found = stages.get(placeKey({ stage: stage.path, repeat }));
    return found === undefined ? no('it had not begun') : outputOf(stage, found);
  };
  const sequence = (steps: readonly Step[], repeat?: number): Settled => {
    const last = steps.at(-1);
    return last === undefined ? no('it is empty') : within(last, repeat);
  };
  const loop = (step: Loop): Settled => {
    const done = containers.get(placeKey({ stage: step.path }));
    if (done?.type !== 'LOOP') return no(begun(step.path));
    const well = done.ended_by === 'stop' || (done.ended_by === 'limit' && step.question === undefined);
    if (!well) return no(done.ended_by === 'limit' ? 'it ran out of repeats' : `it ended as ${done.ended_by}`);
    return called(sequence(step.steps, done.repeats), step.name);
  };
  const choose = (step: Choose, repeat?: number): Settled => {
    const chose = containers.get(placeKey({ stage: step.path, repeat }));
    if (chose?.type !== 'CHOOSE') return no(begun(step.path));
    const way = step.alternatives.find(({ name }) => name === chose.chose);
    return way === undefined ? lie(`it chose ${chose.chose}, which it does not have`) : called(sequence(way.steps, repeat), way.name);
  };
  const parallel = (step: Parallel, repeat?: number): Settled => {
    const done = containers.get(placeKey({ stage: step.path, repeat }));
    if (done?.type !== 'PARALLEL') return no(begun(step.path));
    const failed = step.branches.find(({ name }) => done.branches[name] !== 'success');
    if (failed !== undefined) return no(`its branch ${failed.name} ended as ${done.branches[failed.name] ?? 'never begun'}`);
    return together([...step.branches].sort(byName).map((branch) => called(sequence(branch.steps, repeat), branch.name)));
  };
  const fanout = (step: Fanout): Settled => {
    const done = containers.get(placeKey({ stage: step.path }));
    if (done?.type !== 'FANOUT') return no(begun(step.path));
    if (done.cause !== 'success') return no(`it ended as ${done.cause}`);
    const items = view.subflows.filter(({ stage }) => stage === step.path);
    if (items.length !== done.items) return lie(`it has ${items.length} of ${done.items} items`);
    return together(items.sort((a, b) => compareBytes(a.item ?? '', b.item ?? '')).map((item) => itemOutput(step, item)));
  };
  const within = (step: Step, repeat?: number): Settled => {
    switch (step.type) {
      case 'STAGE':
        return stageOutput(step, repeat);
      case 'LOOP':
        return loop(step);
      case 'CHOOSE':
        return choose(step, repeat);
      case 'PARALLEL':
        return parallel(step, repeat);
      case 'FANOUT':
        return fanout(step);
    }
  };
  const begun = (path: string): string => {
    if (view.ending?.stage === path) return `it ended as ${view.ending.cause}`;
    return view.stages.some(({ stage }) => stage === path || stage.startsWith(`${path}/`)) ? 'it had not ended' : 'it had not begun';
  };

  return { of: (step) => carried(step.path) ?? within(step) };
}

function outputOf(stage: Stage, view: StageView): Settled {
  const { ending, state, repeat } = view;
  if (ending === null || state === 'running') return no('it had not ended');
  if (ending.cause !== 'success' || ending.exit !== 0) return no(`it ended as ${ending.cause}`);
  const { output } = ending;
  if (!ending.sealed || output === undefined) return lie('it ended as success without a sealed output');
  const extension = extname(output.path);
  if (output.path !== `${attemptFolder(stage.path, repeat, lastAttempt(view))}/output${extension}`)
    return lie(`it sealed ${output.path}, which is no output of its`);
  const unproven = unprovenCheck(stage, view);
  if (unproven !== null) return lie(`it ended as success, and its last round shows no pass of ${unproven}`);
  const about = { stage: stage.path, ...(repeat === undefined ? {} : { repeat }), options: view.options };
  return yes([{ ...about, name: `${stage.name}${extension}`, output, place: output.path }]);
}

/** A reused output was judged before there was any attempt of an agent's, as number 0, in the folder `0/` (G-12). */
function lastAttempt({ ending }: StageView): number {
  return ending?.attempts ?? 0;
}

/** A check of the stage that its last round does not show to have passed; null when all have. */
function unprovenCheck(stage: Stage, view: StageView): string | null {
  const last = view.rounds.find(({ round }) => round === lastAttempt(view))?.checks ?? [];
  const failed = last.find(({ passed }) => !passed);
  if (failed !== undefined) return failed.file ?? failed.check;
  const shown = new Set(last.map(({ check, file }) => file ?? check));
  return wantedChecks(stage).find((name) => !shown.has(name)) ?? null;
}

function carriedOutput({ stage, repeat, ending, carried_for, options }: StageView): HandedOn[] {
  const output = ending?.output;
  if (output === undefined || carried_for === undefined) return [];
  return [{ stage, ...(repeat === undefined ? {} : { repeat }), name: carried_for.name, output, place: output.path, options }];
}

function itemOutput({ path }: Fanout, { item = '', ending }: RunView['subflows'][number]): Settled {
  const output = ending?.output;
  if (ending?.cause !== 'success' || output === undefined) return lie(`its item ${item} left no output`);
  const stage = `${path}/${item}`;
  const extension = extname(output.path);
  const place = `${attemptFolder(stage, undefined, 1)}/output${extension}`;
  return yes([{ stage, name: `${item}${extension}`, output, place, options: {} }]);
}

function called(settled: Settled, name: string): Settled {
  if (!settled.settled) return settled;
  return yes(settled.handedOn.map((one) => ({ ...one, name: `${name}${extname(one.name)}` })));
}

function together(parts: readonly Settled[]): Settled {
  const open = parts.find((part) => !part.settled);
  return open ?? yes(parts.flatMap((part) => (part.settled ? part.handedOn : [])));
}

function byName(a: Branch, b: Branch): number {
  return compareBytes(a.name, b.name);
}

function placeKey({ stage, repeat }: Pick<StageView | ContainerView, 'stage'> & { readonly repeat?: number | undefined }): string {
  return `${stage}\0${repeat ?? 0}`;
}

function yes(handedOn: readonly HandedOn[]): Settled {
  return { settled: true, handedOn };
}

function no(why: string): Settled {
  return { settled: false, why };
}

function lie(why: string): Settled {
  return { settled: false, why, lies: true };
}
