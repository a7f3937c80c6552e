import type { FactOf } from '@gated-flow/record';

/** As a run names its own working tree. */
const NAME = /^w-[0-9a-f]{16}$/;

/** The working tree that an isolated run made for itself, by its first line; null for any other run. Nothing that is called otherwise is ever touched. */
export function treeIn(start: Pick<FactOf<'run_start'>, 'workdir' | 'isolated_from'> | null): string | null {
  if (start?.isolated_from === undefined || !start.workdir.startsWith('/')) return null;
  const parts = start.workdir.split('/');
  const at = parts.findLastIndex((part) => NAME.test(part));
  return at < 0 || parts.includes('..') ? null : parts.slice(0, at + 1).join('/');
}
