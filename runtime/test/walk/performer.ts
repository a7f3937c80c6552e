/** A performer that plays what it is told, and keeps what it was asked for. */
import type { Fact } from '@gated-flow/record';
import type { Ending, LoopAnswer } from '../../src/stage/decide.js';
import type { Given } from '../../src/stage/scope.js';
import type { Chosen, ItemEnded, Pass, Performer, Walked } from '../../src/walk/walk.js';

export const SUCCESS: Ending = { cause: 'success', exit: 0 };
export const REFUSED: Ending = { cause: 'refused', exit: 1, reason: 'cannot' };
export const SIGNAL: Ending = { cause: 'signal', exit: 130, reason: 'SIGINT was received.' };

export const file = (name: string): Given => ({ name, file: `/run/${name}`, sha256: name });

export interface Part {
  /** What becomes of a stage in a repeat; success when nothing is said. May wait. */
  readonly stage?: (path: string, pass: Pass) => Partial<Ending> | LoopAnswer | undefined | Promise<Partial<Ending> | undefined>;
  readonly choose?: (path: string, pass: Pass) => Chosen;
  readonly item?: (id: string) => Partial<ItemEnded> | Promise<Partial<ItemEnded>>;
  readonly text?: string | null;
  /** Asked before each step: how the run is being stopped. */
  readonly stopped?: () => Ending | null;
}

export interface Played {
  readonly performer: Performer;
  /** `path(name, name)`, and ` ?question` when it was asked one; in the order begun. */
  readonly began: string[];
  readonly facts: Fact[];
}

export function plays(part: Part = {}): Played {
  const began: string[] = [];
  const facts: Fact[] = [];
  const performer: Performer = {
    async runStage(stage, pass) {
      began.push(`${spell(stage.path, pass)}${pass.question === undefined ? '' : ` ?${pass.question}`}`);
      return walked(stage.path, stage.name, await part.stage?.(stage.path, pass));
    },
    async choose(choose, pass) {
      began.push(spell(choose.path, pass));
      if (!part.choose) throw new Error(`nobody said what ${choose.path} chooses`);
      return part.choose(choose.path, pass);
    },
    async runItem(_fanout, { n, id, request }) {
      began.push(`${n} ${id} ${request}`);
      return { ...SUCCESS, output: file(`${id}.txt`), ...(await part.item?.(id)) };
    },
    async readText() {
      if (part.text === undefined) throw new Error('nobody said what the list is');
      return part.text;
    },
    record: (fact) => facts.push(fact),
    stopped: () => part.stopped?.() ?? null,
  };
  return { performer, began, facts };
}

function spell(path: string, { given, repeat }: Pass): string {
  return `${path}${repeat === undefined ? '' : `#${repeat}`}(${given.map(({ name }) => name).join(', ')})`;
}

function walked(path: string, name: string, said: Partial<Ending> | LoopAnswer | undefined): Walked {
  if (said && 'answer' in said) return { ending: SUCCESS, stage: path, outputs: [file(`${name}.txt`)], answer: said };
  if (said?.cause === undefined) return { ending: SUCCESS, stage: path, outputs: [file(`${name}.txt`)] };
  return { ending: { cause: said.cause, exit: said.exit ?? 1, reason: said.reason ?? 'cannot' }, stage: path, outputs: null };
}

/** A promise that is settled by hand. */
export function held<T>(): { readonly promise: Promise<T>; resolve(value: T): void; reject(error: unknown): void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets everything go on that can, without a clock. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
