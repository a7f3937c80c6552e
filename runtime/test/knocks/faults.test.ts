import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import type { AppendFile } from '../../src/ports/append.js';
import { DiskError } from '../../src/ports/disk.js';
import { readRun } from '../../src/record/read-run.js';
import type { Machine } from '../../src/run/machine.js';
import { createFailingMachine, type FailingMachine } from '../../src/testing/index.js';
import { calls, clear, go, sh, stage, stops, wrote, type Line, type Tree } from '../run/ground.js';

afterAll(clear);

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE'];
const FLOW: Tree = {
  '01-word/STAGE.md': stage(),
  '01-word/before.sh': sh('echo ready'),
  '01-word/gate.sh': sh('grep -q good "$1"'),
  '01-word/schema.json': '{"type":"string"}',
  '02-end/STAGE.md': stage('End it.\n\n## Checklist\n\n- [ ] Look'),
  '02-end/success.sh': sh(':'),
  '02-end/failure.sh': sh(':'),
};
const LINES: readonly Line[] = [
  wrote('01-word', '"bad"'),
  stops('01-word'),
  calls('01-word', 'bash', { command: 'echo hi > "$TMP/x"' }),
  wrote('01-word', '"good"'),
  stops('01-word'),
  wrote('02-end', 'the end'),
  calls('02-end', 'mark', { item: 1, state: 'done', evidence: 'seen' }),
  stops('02-end'),
];

/** What one failing call came to, in a word, and in words. */
async function story(failure: { call: number; code: string } | null): Promise<{ calls: readonly string[]; came: string; why: string }> {
  let machine: FailingMachine | null = null;
  const failing = () => machine?.calls ?? [];
  try {
    const ran = await go(FLOW, LINES, {
      root: { 'skills/style/SKILL.md': '---\ndescription: s\n---\n' },
      machine: (real) => (machine = createFailingMachine(real, failure)),
    });
    const { folder, ending, trouble, output } = ran.outcome;
    const { reading } = await readRun(folder);
    expect({ call: failing()[(failure?.call ?? 0) - 1], faults: reading.faults }).toMatchObject({ faults: [] });
    if (ending.cause !== 'success') {
      const told = ran.requests.flatMap(({ messages }) => messages).map((message) => JSON.stringify(message));
      return { calls: failing(), came: ending.cause, why: [ending.reason, trouble, ...told].join('\n') };
    }
    expect((await verifyRun(folder)).differences).toEqual([]);
    expect(readFileSync(output?.file ?? '', 'utf8')).toBe('the end');
    return { calls: failing(), came: 'success', why: trouble ?? '' };
  } catch (error) {
    if (error instanceof DiskError) return { calls: failing(), came: 'not born', why: error.message };
    if (error instanceof Error && error.message.startsWith('refused: ')) return { calls: failing(), came: 'refused', why: error.message };
    throw error;
  }
}

describe('every kind of call of a run to the file system', () => {
  it('[Q-22] that fails is a fault with the operation named, or a clean refusal, and never a false success', async () => {
    const whole = await story(null);
    expect(whole.came).toBe('success');
    const outlived = new Set<string>();
    const met = new Set<string>();
    for (const [index, call] of whole.calls.entries()) {
      if (met.has(shapeOf(call))) continue;
      met.add(shapeOf(call));
      const code = CODES[index % CODES.length] ?? 'EIO';
      const { came, why } = await story({ call: index + 1, code });
      const [, operation = ''] = /^(.+?) \//.exec(call) ?? [];
      if (came === 'success' && why === '') outlived.add(/^write .*\/out\/output/.test(call) ? 'read' : operation);
      else if (came === 'success') expect([operation, why]).toEqual(['remove', expect.stringContaining(code)]);
      else if (came === 'refused') expect(why).toContain('"message":');
      else
        expect(`${call} ${code}: ${came}: ${why}`).toMatch(
          new RegExp(`: (fault|not born|exhausted): [^]*(${code}|${WORDS[code] ?? code})`),
        );
    }
    // A run outlives what only warns, tidies up or tells a tool of the agent's; each of those is told elsewhere.
    expect([...outlived].filter((operation) => !OUTLIVED.includes(operation))).toEqual([]);
  }, 300_000);
});

/** One call of each kind: the script that knocks below the ports lets every single one fail. */
function shapeOf(call: string): string {
  return call.replace(/flow-test-\w+/, '').replaceAll(/[0-9a-f]{12,}|\d{4}-\d\d-\d\dT[\w-]+/g, '*');
}

const OUTLIVED = ['list', 'look', 'look at', 'measure', 'read', 'remove', 'resolve'];

/** How an agent is told. */
const WORDS: Readonly<Record<string, string>> = { ENOSPC: 'no space is left', EACCES: 'may not be accessed' };

describe('what a failing call showed', () => {
  const lone: Tree = { '01-word.md': stage() };
  const script = [wrote('01-word', 'x'), stops('01-word')];
  const onRecord = (real: Machine, change: (file: AppendFile) => Partial<AppendFile>): Machine => ({
    ...real,
    openAppend(path) {
      const file = real.openAppend(path);
      return path.endsWith('record.jsonl') ? { ...file, ...change(file) } : file;
    },
  });

  it('[Q-22 R-5] a record that could not take the end of a stage is cut off there', async () => {
    const ran = await go(lone, script, {
      machine: (real) =>
        onRecord(real, ({ append }) => ({
          append(bytes) {
            if (Buffer.from(bytes).includes('"event":"stage_end"')) throw new DiskError('append', '/r', 'ENOSPC');
            append(bytes);
          },
        })),
    });
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2 });
    expect(ran.outcome.trouble).toContain('ENOSPC');
    expect((await readRun(ran.outcome.folder)).reading).toMatchObject({ state: 'incomplete', faults: [] });
  });

  it('[Q-22 R-1] a look at the record that fails once is no change of the record', async () => {
    let looks = 0;
    const ran = await go(lone, script, {
      machine: (real) =>
        onRecord(real, ({ stamp }) => ({
          stamp() {
            if (++looks === 5) throw new DiskError('look', '/r', 'EIO');
            return stamp();
          },
        })),
    });
    expect(ran.cause()).toBe('success');
    expect((await verifyRun(ran.outcome.folder)).verified).toBe(true);
  });

  it('[Q-22 R-5] a record that cannot be looked at when a stage ends is a fault, and the stage has ended', async () => {
    const ran = await go(lone, script, {
      machine: (real) => onRecord(real, () => ({ standing: () => Promise.reject(new DiskError('look', '/r', 'EIO')) })),
    });
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2 });
    expect(ran.told('stage_end')).toMatchObject([{ cause: 'fault', reason: 'look failed on /r: EIO.' }]);
  });

  it('[Q-22 E-1 R-8] a success whose seals could not be written is a fault', async () => {
    const ran = await go(lone, script, {
      machine: (real) => ({
        ...real,
        disk: {
          ...real.disk,
          write: (path, bytes, options) =>
            path.endsWith('record.sha256') ? Promise.reject(new DiskError('write', path, 'ENOSPC')) : real.disk.write(path, bytes, options),
        },
      }),
    });
    expect(ran.outcome).toMatchObject({ ending: { cause: 'fault', exit: 2 }, output: null });
    expect(ran.outcome.ending.reason).toContain('ENOSPC');
  });
});

describe('the failing machine', () => {
  it('[Q-22] fails whatever port the call goes through', async () => {
    const ran = await go({ '01-word.md': stage() }, [wrote('01-word', 'x'), stops('01-word')], {
      machine: (real) => createFailingMachine(real, null),
    });
    expect(ran.cause()).toBe('success');
    expect(readFileSync(join(ran.outcome.folder, 'record.jsonl'), 'utf8')).toContain('run_end');
  });
});
