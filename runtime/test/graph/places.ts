/** Gives every step of a shape a name that no other has, and its path in the flow. */
import type { ChooseShape, FanoutShape, LoopShape, ParallelShape, Sequence, Shape, StageShape, Way } from './shapes.js';

interface Place {
  readonly name: string;
  readonly path: string;
}

export interface Stage extends Place, StageShape {}
export interface Loop extends Place, Omit<LoopShape, 'steps' | 'last'> {
  readonly steps: readonly Step[];
}
export interface Branch extends Place {
  /** A folder of numbered stages, not the step itself. */
  readonly folder: boolean;
  readonly steps: readonly Step[];
}
export interface Choose extends Place, Omit<ChooseShape, 'ways'> {
  readonly branches: readonly Branch[];
}
export interface Parallel extends Place, Omit<ParallelShape, 'ways'> {
  readonly branches: readonly Branch[];
}
/** No two fan-outs share an item's id: a script tells their agents apart by it. */
interface Ids {
  readonly ids: readonly string[];
}
export interface Fanout extends Place, FanoutShape, Ids {}
/** The stage that writes the list of the fan-out behind it. */
export interface List extends Place, Ids {
  readonly type: 'list';
}
export type Step = Stage | Loop | Choose | Parallel | Fanout | List;

type Unplaced = Exclude<Shape, FanoutShape> | (FanoutShape & Ids) | ({ readonly type: 'list' } & Ids);

/** A fan-out stands between two stages (G-6). */
const READER: StageShape = { type: 'stage', acts: ['write'], retries: 0, calls: null };

export function placed(flow: Sequence): readonly Step[] {
  let given = 0;
  const fresh = (): string => `n${(given += 1)}`;
  let items = 0;
  const freshId = (): string => `i${(items += 1)}`;

  function sequence({ steps, last }: Sequence, above: string): Step[] {
    return [...steps, last].flatMap(withList).map((shape, index) => {
      const name = fresh();
      return step(shape, { name, path: `${above}${String(index + 1).padStart(2, '0')}-${name}` });
    });
  }

  function withList(shape: Shape): Unplaced[] {
    if (shape.type !== 'fanout') return [shape];
    const ids = shape.items.map(freshId);
    return [{ type: 'list', ids }, { ...shape, ids }, READER];
  }

  function step(shape: Unplaced, at: Place): Step {
    switch (shape.type) {
      case 'loop':
        return { ...shape, ...at, steps: sequence(shape, `${at.path}/`) };
      case 'choose':
      case 'parallel': {
        const { ways, ...rest } = shape;
        return { ...rest, ...at, branches: ways.map((way) => branch(way, `${at.path}/`)) };
      }
      case 'stage':
      case 'list':
      case 'fanout':
        return { ...shape, ...at };
    }
  }

  function branch(way: Way, above: string): Branch {
    const name = fresh();
    const at = { name, path: `${above}${name}` };
    return 'only' in way
      ? { ...at, folder: false, steps: withList(way.only).map((shape) => step(shape, at)) }
      : { ...at, folder: true, steps: sequence(way, `${at.path}/`) };
  }

  return sequence(flow, '');
}
