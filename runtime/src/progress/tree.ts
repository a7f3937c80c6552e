/** What is under way, as the lines of a tree: containers, their stages, and child runs below whoever called them. */
import { type Board, type ChildBoard, type FanoutBoard, type StageBoard } from './board.js';
import { type Running, runningLine, saidLine } from './lines.js';

interface Line {
  readonly text: string;
  /** Left out first when there is little room. */
  readonly aside: boolean;
}

type Look = Omit<Running, 'title'>;

/** At most `rows` lines; what does not fit is counted in the last. */
export function runningTree(board: Board, look: Look, rows: number): string[] {
  const all = linesOf(board, look);
  const lines = all.length > rows ? all.filter(({ aside }) => !aside) : all;
  if (lines.length <= rows) return lines.map(({ text }) => text);
  const kept = lines.slice(0, Math.max(0, rows - 1));
  return [...kept.map(({ text }) => text), `   … ${lines.length - kept.length} more lines`].slice(0, rows);
}

function linesOf(board: Board, look: Look): Line[] {
  const stages = groupBy(
    [...board.stages.values()].filter(({ ended }) => !ended),
    ({ child }) => child,
  );
  const children = groupBy([...board.children.values()], ({ parent, caller }) => `${parent?.place ?? ''}\0${caller}`);

  const ofRun = (run: ChildBoard | null, depth: number): Line[] => {
    const lines: Line[] = [];
    const told = new Set<string>();
    for (const stage of stages.get(run) ?? []) {
      const parts = stage.stage.split('/');
      parts.slice(0, -1).forEach((name, index) => {
        const path = parts.slice(0, index + 1).join('/');
        if (!told.has(path)) lines.push(heading(name, depth + index));
        told.add(path);
      });
      const at = depth + parts.length - 1;
      lines.push(...ofStage(stage, at, look), ...below(run, stage.stage, at + 1));
    }
    if (run === null)
      for (const fanout of board.fanouts.values()) lines.push(counted(fanout, depth), ...below(run, fanout.stage, depth + 1));
    return lines;
  };
  /** A child with one stage under way is one line. */
  const below = (run: ChildBoard | null, caller: string, depth: number): Line[] =>
    (children.get(`${run?.place ?? ''}\0${caller}`) ?? []).flatMap((child) => {
      const [only, ...others] = stages.get(child) ?? [];
      if (only !== undefined && others.length === 0 && !only.stage.includes('/'))
        return [...ofStage(only, depth, look, `${child.label} › `), ...below(child, only.stage, depth + 1)];
      return [heading(child.label, depth), ...ofRun(child, depth + 1)];
    });
  return ofRun(null, 0);
}

function ofStage(stage: StageBoard, depth: number, look: Look, before = ''): Line[] {
  const name = stage.title.slice(stage.stage.lastIndexOf('/') + 1);
  const indent = '  '.repeat(depth);
  return [
    { text: runningLine(stage, { ...look, title: `${indent}${before}${name}` }), aside: false },
    ...stage.said.map((said) => ({ text: indent + saidLine(said), aside: true })),
  ];
}

function heading(name: string, depth: number): Line {
  return { text: ` ◇ ${'  '.repeat(depth)}${name}`, aside: false };
}

function counted({ stage, items, done, failed }: FanoutBoard, depth: number): Line {
  const line = heading(stage, depth);
  return { ...line, text: `${line.text}   ${done} of ${items} done${failed === 0 ? '' : `, ${failed} of them failed`}` };
}

function groupBy<K, T>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
