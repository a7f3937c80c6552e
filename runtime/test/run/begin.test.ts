import { afterAll, describe, expect, it } from 'vitest';
import { DiskError } from '../../src/ports/disk.js';
import { clear, go, stage } from './ground.js';

afterAll(clear);

describe('a run that cannot be born', () => {
  it('[O-7 Q-22] leaves no tree of its own behind', async () => {
    const closed: string[] = [];
    const run = go({ '01-word.md': stage() }, [], {
      isolate: 'clean',
      machine: (machine) => ({
        ...machine,
        worktrees: {
          open: async ({ folder }) => ({
            ok: true,
            worktree: {
              workdir: folder,
              mark: async () => null,
              close: async (outcome) => (closed.push(outcome), { left: 'nothing', lines: [] }),
            },
          }),
        },
        openAppend(path) {
          if (path.endsWith('groups.jsonl')) return machine.openAppend(path);
          throw new DiskError('open', path, 'ENOSPC');
        },
      }),
    });
    await expect(run).rejects.toMatchObject({ operation: 'open', code: 'ENOSPC' });
    expect(closed).toEqual(['failure']);
  });
});
