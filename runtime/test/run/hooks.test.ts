import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Machine } from '../../src/run/machine.js';
import { calls, clear, go, sh, stage, stops, wrote } from './ground.js';

afterAll(clear);

const S = '01-word';
const good = [wrote(S, 'x'), stops(S)];

/** SIGTERM arrives right after a line with this text was written. */
function interruptedAfter(text: string, machine: Machine): Machine {
  const controller = new AbortController();
  return {
    ...machine,
    signals: {
      signal: controller.signal,
      reason: () => (controller.signal.aborted ? { stop: 'signal', signal: 15, name: 'SIGTERM' } : null),
    },
    openAppend(path) {
      const file = machine.openAppend(path);
      return {
        ...file,
        append(bytes) {
          file.append(bytes);
          if (Buffer.from(bytes).includes(text)) queueMicrotask(() => controller.abort());
        },
      };
    },
  };
}

describe('hooks', () => {
  it('[K-12] before may change $INPUT, and the prompt names what it left', async () => {
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage(),
        [`${S}/before.sh`]: sh('tr a-z A-Z < "$INPUT/request.txt" > "$INPUT/loud.txt"; rm "$INPUT/request.txt"'),
      },
      good,
    );
    expect(ran.read(`stages/${S}/1/first-turn.txt`)).toMatch(/- loud\.txt\n/);
    expect(ran.read(`stages/${S}/1/first-turn.txt`)).not.toContain('request.txt');
    expect(ran.told('stage_start')[0]?.received).toMatchObject([{ name: 'request.txt', path: 'request.txt' }]);
  });

  it('[K-12] a before that says no ends the stage before any turn, and failure follows', async () => {
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage(),
        [`${S}/before`]: sh('echo no key; exit 9'),
        [`${S}/failure`]: sh('echo "$CAUSE ${REASON-unset}"; [ -e "$OUTPUT" ] || echo nothing'),
      },
      good,
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1, failed: 'before' });
    expect(ran.outcome.ending.reason).toContain('no key');
    expect(ran.told('turn')).toEqual([]);
    expect(ran.told('hook').map(({ hook, exit }) => [hook, exit])).toEqual([
      ['before', 9],
      ['failure', 0],
    ]);
    expect(ran.read(`stages/${S}/1/hooks/failure.txt`)).toBe('rejected unset\nnothing\n');
    expect(ran.told('stage_end')[0]).toMatchObject({ failed: 'before', attempts: 0, sealed: false });
  });

  it('[K-12] a success that says no rejects an output that every check had passed; both hooks ran, each once', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage(), [`${S}/gate`]: sh('exit 0'), [`${S}/success`]: sh('exit 4'), [`${S}/failure`]: sh('exit 0') },
      good,
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1, failed: 'success' });
    expect(ran.told('hook').map(({ hook }) => hook)).toEqual(['success', 'failure']);
    expect(ran.outcome.output).toBeNull();
  });

  it('[K-11] a success that rewrites what passed is drift', async () => {
    const ran = await go({ [`${S}/STAGE.md`]: stage(), [`${S}/success`]: sh('echo more >> "$OUTPUT"') }, good);
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, failed: '$OUTPUT' });
  });

  it('[K-11] also when it says no', async () => {
    const ran = await go({ [`${S}/STAGE.md`]: stage(), [`${S}/success`]: sh('echo more >> "$OUTPUT"; exit 1') }, good);
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, failed: '$OUTPUT' });
  });

  it('[K-12] hooks run once, whatever the number of rounds', async () => {
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage(),
        [`${S}/before`]: sh('echo b >> "$PWD/log"'),
        [`${S}/success`]: sh('echo s >> "$PWD/log"'),
        [`${S}/gate`]: sh('grep -q good "$1"'),
      },
      [wrote(S, 'bad'), stops(S), wrote(S, 'good'), stops(S)],
    );
    expect(ran.cause()).toBe('success');
    expect(readFileSync(join(ran.root, 'work/log'), 'utf8')).toBe('b\ns\n');
  });

  it.each([
    ['before', 'exit 127', 'fault'],
    ['before', 'kill -KILL $$', 'fault'],
    ['success', 'exit 126', 'fault'],
    ['success', 'head -c 17000000 /dev/zero', 'fault'],
  ])('[K-12] a %s that could not be executed (%s) is a broken assembly, exit 2', async (hook, script, cause) => {
    const ran = await go({ [`${S}/STAGE.md`]: stage(), [`${S}/${hook}`]: sh(script) }, good);
    expect(ran.outcome.ending).toMatchObject({ cause, exit: 2, failed: hook });
  });

  it('[K-12] a hook has its own clock', async () => {
    const ran = await go({ [`${S}/STAGE.md`]: stage('W.', 'timeout: 1\n'), [`${S}/before`]: sh('sleep 61') }, good);
    expect(ran.outcome.ending).toMatchObject({ cause: 'timeout', exit: 2, failed: 'before' });
  });

  it.each(['exit 1', 'exit 127', 'kill -KILL $$', 'echo more >> "$OUTPUT"'])(
    '[K-12] nothing that failure does (%s) changes the ending',
    async (script) => {
      const ran = await go({ [`${S}/STAGE.md`]: stage(), [`${S}/failure`]: sh(script) }, [
        wrote(S, 'x'),
        calls(S, 'refuse', { reason: 'no' }),
      ]);
      expect(ran.outcome.ending).toMatchObject({ cause: 'refused', exit: 1, reason: 'no' });
      expect(ran.told('hook')).toHaveLength(1);
    },
  );

  it('[K-10] a failure hook that drifted is recorded and not run', async () => {
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage(),
        [`${S}/failure`]: sh('echo ran > "$PWD/ran"'),
        [`${S}/before`]: sh('echo "# x" >> "$(dirname "$0")/failure"; exit 1'),
      },
      good,
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', failed: 'before' });
    expect(ran.told('hash_drift')).toMatchObject([{ file: `flows/main/${S}/failure` }]);
    expect(ran.told('hook').map(({ hook }) => hook)).toEqual(['before']);
    expect(existsSync(join(ran.root, 'work/ran'))).toBe(false);
  });

  it('[K-12 E-2] a signal between the last check and failure leaves it out', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'), [`${S}/gate`]: sh('exit 1'), [`${S}/failure`]: sh('echo ran') },
      good,
      { machine: (machine) => interruptedAfter('"check":"gate"', machine) },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'signal', exit: 143 });
    expect(ran.told('hook')).toEqual([]);
  });

  it('[K-12] $REASON is the exact capture of what failed', async () => {
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'),
        [`${S}/gate`]: sh("printf 'raw \\377'; exit 1"),
        [`${S}/failure`]: sh('cp "$REASON" "$PWD/reason"'),
      },
      good,
    );
    expect(ran.cause()).toBe('exhausted');
    expect(readFileSync(join(ran.root, 'work/reason'))).toEqual(Buffer.from([0x72, 0x61, 0x77, 0x20, 0xff]));
  });

  it('[K-12] the caller’s own CAUSE and REASON do not pass for ours', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage(), [`${S}/before`]: sh('exit 1'), [`${S}/failure`]: sh('echo "$CAUSE ${REASON-unset}"') },
      good,
      { env: () => ({ CAUSE: 'mine', REASON: 'mine' }) },
    );
    expect(ran.read(`stages/${S}/1/hooks/failure.txt`)).toBe('rejected unset\n');
  });
});
