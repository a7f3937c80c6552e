/** Random well-formed graphs, each with what every agent in it is going to do. */
import fc from 'fast-check';

/**
 * What an agent does in one pass: writes and stops; writes only once it is sent back; refuses; never writes; its provider fails; writes
 * what the schema, or the gate, does not accept.
 */
export type Act = 'write' | 'late' | 'refuse' | 'nothing' | 'broken' | 'unfit' | 'shut';
export type Answer = 'continue' | 'stop' | 'none';
/** How a choice is made: at once, after a name that is none, never, or with nothing but such a name. */
export type Manner = 'right' | 'corrected' | 'never' | 'wrong';

export interface StageShape {
  readonly type: 'stage';
  /** By repeat; the last of them goes on. */
  readonly acts: readonly [Act, ...Act[]];
  readonly retries: number;
  /** The helper its agent calls first. */
  readonly calls: 'oracle' | 'dig' | null;
}

/** A sequence ends in a stage (G-2). */
export interface Sequence {
  readonly steps: readonly Shape[];
  readonly last: StageShape;
}

/** A folder of numbered stages, or the one thing that it is. */
export type Way = Sequence | { readonly only: Shape };

export interface LoopShape extends Sequence {
  readonly type: 'loop';
  readonly repeat: number;
  /** By repeat, when there is a question; the last of them goes on. */
  readonly answers: readonly [Answer, ...Answer[]] | null;
}

export interface ChooseShape {
  readonly type: 'choose';
  readonly manner: Manner;
  readonly chosen: number;
  readonly ways: readonly Way[];
}

export interface ParallelShape {
  readonly type: 'parallel';
  /** All at once, or one after the other. */
  readonly wide: boolean;
  readonly ways: readonly Way[];
}

/** Stands with the stage that writes its list directly before it. */
export interface FanoutShape {
  readonly type: 'fanout';
  readonly width: number;
  /** What the agent of each item does; an empty list starts no child. */
  readonly items: readonly Act[];
}

export type Shape = StageShape | LoopShape | ChooseShape | ParallelShape | FanoutShape;

export interface Program {
  readonly main: Sequence;
  /** A helper that may itself be any graph. */
  readonly oracle: Sequence;
  /** How deep the helper that calls itself may be called. */
  readonly depth: number;
}

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 24, arbitrary: fc.constant<Act>('write') },
  { weight: 3, arbitrary: fc.constant<Act>('late') },
  { weight: 4, arbitrary: fc.constantFrom<Act[]>('refuse', 'nothing', 'broken', 'unfit') },
);

const acts: fc.Arbitrary<[Act, ...Act[]]> = fc.tuple(act, fc.array(act, { maxLength: 2 })).map(([first, rest]) => [first, ...rest]);

/** A gate is a real process: one stage in twenty has one. */
const stageActs: fc.Arbitrary<[Act, ...Act[]]> = fc.oneof(
  { weight: 19, arbitrary: acts },
  { weight: 1, arbitrary: fc.constantFrom<[Act, ...Act[]][]>(['shut'], ['write', 'shut']) },
);

function stage(helpers: boolean): fc.Arbitrary<StageShape> {
  const call = fc.constantFrom<StageShape['calls'][]>('oracle', 'dig');
  return fc.record({
    type: fc.constant<'stage'>('stage'),
    acts: stageActs,
    retries: fc.integer({ min: 0, max: 1 }),
    calls: helpers ? fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: call }) : fc.constant(null),
  });
}

interface Room {
  /** Containers inside containers that may still come. */
  readonly depth: number;
  /** No loop stands in a loop (G-2). */
  readonly inLoop: boolean;
  readonly helpers: boolean;
}

function sequence(room: Room, more: fc.Arbitrary<Shape>[] = []): fc.Arbitrary<Sequence> {
  const inner = { ...room, depth: room.depth - 1 };
  const containers = room.depth > 0 ? [...(room.inLoop ? [] : [loop(inner)]), choose(inner), parallel(inner)] : [];
  const step: fc.Arbitrary<Shape> = fc.oneof(stage(room.helpers), ...containers, ...more);
  return fc.record({ steps: fc.array(step, { maxLength: room.depth > 1 ? 3 : 1 }), last: stage(room.helpers) });
}

function ways(room: Room, minLength: number): fc.Arbitrary<Way[]> {
  const containers = room.depth > 0 ? [...(room.inLoop ? [] : [loop({ ...room, depth: 0 })]), choose({ ...room, depth: 0 })] : [];
  const only: fc.Arbitrary<Way> = fc.oneof(stage(room.helpers), ...containers).map((one) => ({ only: one }));
  return fc.array(fc.oneof(only, sequence(room)), { minLength, maxLength: 3 });
}

function loop(room: Room): fc.Arbitrary<LoopShape> {
  const answer = fc.constantFrom<Answer[]>('continue', 'continue', 'stop', 'none');
  const answers = fc.tuple(answer, fc.array(answer, { maxLength: 2 })).map(([first, rest]): [Answer, ...Answer[]] => [first, ...rest]);
  return fc
    .tuple(sequence({ ...room, inLoop: true }), fc.integer({ min: 1, max: 3 }), fc.option(answers))
    .map(([inside, repeat, asked]) => ({ type: 'loop', ...inside, repeat, answers: asked }));
}

function choose(room: Room): fc.Arbitrary<ChooseShape> {
  const manner = fc.constantFrom<Manner[]>('right', 'right', 'right', 'corrected', 'never', 'wrong');
  return fc
    .tuple(ways(room, 2), manner, fc.nat())
    .map(([all, how, index]) => ({ type: 'choose', ways: all, manner: how, chosen: index % all.length }));
}

function parallel(room: Room): fc.Arbitrary<ParallelShape> {
  return fc.record({ type: fc.constant<'parallel'>('parallel'), wide: fc.boolean(), ways: ways(room, 2) });
}

const fanout: fc.Arbitrary<Shape> = fc.record({
  type: fc.constant<'fanout'>('fanout'),
  width: fc.integer({ min: 1, max: 4 }),
  items: fc.array(act, { maxLength: 4 }),
});

export const programs: fc.Arbitrary<Program> = fc.record({
  main: sequence({ depth: 2, inLoop: false, helpers: true }, [fanout]),
  oracle: sequence({ depth: 1, inLoop: false, helpers: false }),
  depth: fc.integer({ min: 1, max: 3 }),
});
