import { shellWord } from '../plan/fix.js';
import type { KeptTree } from './marks.js';

/** What became of a dead run. */
export interface Swept {
  readonly run: string;
  /** Processes that were ended, scratch folders that were removed. */
  readonly processes: number;
  readonly scratch: number;
  /** Working trees of its own that still stand: they may hold somebody's work. */
  readonly trees: readonly KeptTree[];
  /** A scratch folder that could not be removed, and why. */
  readonly trouble: string | null;
}

/** One line for people; null when the run had left nothing. */
export function sweptSentence({ run, processes, scratch, trees, trouble }: Swept): string | null {
  const done = [
    ...(processes > 0 ? [`${processes === 1 ? '1 process' : `${processes} processes`} it had left running ended`] : []),
    ...(scratch > 0 ? ['its scratch folder removed'] : []),
  ];
  const sentences = [
    ...(done.length > 0 ? [`${done.join(', ')}.`] : []),
    ...(trouble === null ? [] : [`its scratch folder could not be removed: ${trouble}.`]),
    ...trees.map(
      ({ folder, from }) =>
        `its working tree is kept in ${folder}; to drop it: git -C ${shellWord(from)} worktree remove --force ${shellWord(folder)}`,
    ),
  ];
  return sentences.length === 0 ? null : `The run ${run} was killed: ${sentences.join(' ')}`;
}
