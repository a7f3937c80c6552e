/** Annotations of a step in GitHub's log: at most ten, the worst first, the rest counted (I-7). */
import { relative, sep } from 'node:path';
import { counted, cutText, workflowData, workflowProperty } from '@gated-flow/text';

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the repository; null when it is about no file of it. */
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
}

/** What GitHub shows of one kind in one step. */
const SHOWN = 10;
const MESSAGE_BYTES = 4_000;
const TITLE_BYTES = 200;
const LEVELS = ['error', 'warning', 'notice'] as const;

/** Keeps the ten that matter most, whatever their number. Within a level the first come first. */
export interface Ranking {
  add(annotation: Annotation): void;
  /** `more`: how to see those that are not shown. */
  commands(more: string): string;
}

export function createRanking(): Ranking {
  const kept = { error: new Array<Annotation>(), warning: new Array<Annotation>(), notice: new Array<Annotation>() };
  const count = { error: 0, warning: 0, notice: 0 };
  return {
    add(annotation) {
      const { level } = annotation;
      count[level] += 1;
      if (kept[level].length < SHOWN) kept[level].push(annotation);
    },
    commands(more) {
      const all = LEVELS.flatMap((level) => kept[level]);
      const total = count.error + count.warning + count.notice;
      if (total <= SHOWN) return all.map(commandOf).join('');
      const shown = all.slice(0, SHOWN - 1);
      const rest = LEVELS.flatMap((level) => {
        const left = count[level] - shown.filter((one) => one.level === level).length;
        return left === 0 ? [] : [counted(left, level)];
      });
      const counts: Annotation = { level: 'notice', title: `${rest.join(', ')} more`, message: more, file: null, line: null };
      return [...shown, counts].map(commandOf).join('');
    },
  };
}

function commandOf({ level, title, message, file, line }: Annotation): string {
  const place = file === null ? '' : `file=${workflowProperty(file)},line=${line ?? 1},`;
  return `::${level} ${place}title=${workflowProperty(cutText(title, TITLE_BYTES))}::${workflowData(cutText(message, MESSAGE_BYTES))}\n`;
}

/** Where the repository is checked out, as the job says; else where the command runs. */
export function repositoryOf({ env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }): string {
  return env['GITHUB_WORKSPACE'] || cwd;
}

/** An absolute path as the repository names it; null outside of it. */
export function inRepository(path: string, repository: string): string | null {
  const found = relative(repository, path);
  return found === '' || found === '..' || found.startsWith(`..${sep}`) || found.startsWith('/') ? null : found;
}
