/** Walks the tree that is the graph. What a stage does is not known here: it is given files and ends (G-1). */
import type { Choose, Fanout, Stage, Step } from '@gated-flow/assembly';
import type { Cause, FactOf } from '@gated-flow/record';
import type { Ending, LoopAnswer } from '../stage/decide.js';
import type { Given } from '../stage/scope.js';

/** How a step, a sequence or a whole flow ended. */
export interface Walked {
  readonly ending: Ending;
  /** The path of the stage or container that ended it. */
  readonly stage: string;
  /** What the next step is given; null unless the ending is success. */
  readonly outputs: readonly Given[] | null;
  /** What was answered to the question of the pass; present whenever the ending is success and there was one (G-3). */
  readonly answer?: LoopAnswer;
}

/** One pass through a step. */
export interface Pass {
  readonly given: readonly Given[];
  /** Inside a LOOP: from 1. */
  readonly repeat?: number;
  /** A loop's question, which the last stage of the pass is asked (G-3). */
  readonly question?: string;
}

/** The alternative an agent selected, or how it ended without (G-4). */
export type Chosen = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly ending: Ending };

/** One child run of a FANOUT. */
export interface ItemRun {
  /** The place in the sorted list, from 1. */
  readonly n: number;
  readonly id: string;
  /** What the child is asked, as JSON: `{id, input}`. */
  readonly request: string;
}

export interface ItemEnded {
  readonly cause: Cause;
  readonly exit: number;
  readonly reason?: string;
  /** Named after the item; null unless the cause is success. */
  readonly output: Given | null;
}

type ContainerFact = FactOf<'loop_done'> | FactOf<'parallel_done'> | FactOf<'fanout_start'> | FactOf<'fanout_done'>;

/** Walks a sequence to its end. A container is given it along with the performer, and knows no other container. */
export type Walk = (steps: readonly Step[], pass: Pass) => Promise<Walked>;

/** What a container is walked with. */
export interface Walking {
  readonly performer: Performer;
  readonly walk: Walk;
}

/** What a walk lets others do. Everything here rejects only when an end could not be recorded. */
export interface Performer {
  runStage(stage: Stage, pass: Pass): Promise<Walked>;
  choose(choose: Choose, pass: Pass): Promise<Chosen>;
  runItem(fanout: Fanout, item: ItemRun): Promise<ItemEnded>;
  /** The text of a file that a step was given; null when it is not UTF-8. */
  readText(given: Given): Promise<string | null>;
  record(fact: ContainerFact): void;
  /** How whatever has not begun ends, because the run is being stopped; null while it may begin (E-2, I-5). */
  stopped(): Ending | null;
}
