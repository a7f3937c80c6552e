import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { isLiving, readProcess } from '../../src/io/process-table.js';
import { type Ask, calls, clear, go, leapsAt, type Line, type Ran, sh, stage, stops, wrote } from './ground.js';

afterAll(clear);

const FRAME =
  'Your output did not pass review. Fix the cause, then rewrite your output. If the cause is outside what you were asked to do, say so plainly instead of retrying.\n\nThe review output follows:\n\n';
const S = '01-word';
const at = (path: string): string => `stages/${S}/1/${path}`;

/** What the agent read after its n-th stop, from 1. */
function sentBack(ran: Ran, n: number): string {
  const texts = (ran.requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'user' ? [message.text] : []));
  return texts[n] ?? '';
}

describe('a round', () => {
  it('[K-1 K-15] runs from the top each time, stops at the first failure, and records before it tells', async () => {
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage('Write.\n\n## Checklist\n\n- One'),
        [`${S}/schema.json`]: '{"type":"object","required":["a"]}',
        [`${S}/gate.sh`]: sh('grep -q good "$1" || { echo say good; exit 1; }'),
      },
      [
        stops(S),
        wrote(S, '{}', { expect: 'Nothing was written to $OUTPUT.' }),
        stops(S),
        calls(S, 'mark', { item: 1, state: 'done', evidence: 'seen' }, { expect: '1. One' }),
        stops(S),
      ],
      { invocation: { options: { retries: '4' } } },
    );
    const seen = ran.told('check').map(({ retry, check, exit }) => `${retry} ${check} ${exit}`);
    expect(seen).toEqual([
      '1 output 1',
      '2 output 0',
      '2 checklist 1',
      '3 output 0',
      '3 checklist 0',
      '3 schema 1',
      '4 output 0',
      '4 checklist 0',
      '4 schema 1',
      '5 output 0',
      '5 checklist 0',
      '5 schema 1',
    ]);
    expect(ran.cause()).toBe('exhausted');
    expect(ran.outcome.ending).toMatchObject({ exit: 1, failed: 'schema' });
    expect(ran.read(at('1/checks/output-missing.txt'))).toBe('Nothing was written to $OUTPUT.');
    expect(ran.read(at('2/checks/output.txt'))).toBe('');
    expect(ran.has(at('3/checks/gate.txt'))).toBe(false);
  });

  it('[K-2] retries count send-backs of every kind together', async () => {
    const ran = await go({ [`${S}/STAGE.md`]: stage('W.', 'retries: 1\n'), [`${S}/gate`]: sh('echo no; exit 1') }, [
      stops(S),
      wrote(S, 'x'),
      stops(S),
    ]);
    expect(ran.told('check').map(({ check }) => check)).toEqual(['output', 'output', 'gate']);
    expect(ran.outcome.ending).toMatchObject({ cause: 'exhausted', failed: 'gate' });
    expect(ran.told('stage_end')[0]).toMatchObject({ attempts: 2, sealed: false, output: { path: at('2/output.txt') } });
    expect(ran.outcome.output).toBeNull();
  });

  it('[K-3] anything but a regular file is a missing output, and what was found is said', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [
      calls(S, 'bash', { command: 'mkdir "$OUTPUT"' }),
      stops(S),
      calls(S, 'bash', { command: 'rmdir "$OUTPUT"; ln -s /etc/hostname "$OUTPUT"' }, { expect: 'a folder' }),
      stops(S),
      calls(S, 'bash', { command: 'rm "$OUTPUT"; mkfifo "$OUTPUT"' }, { expect: 'a symbolic link' }),
      stops(S),
    ]);
    expect(ran.cause()).toBe('exhausted');
    expect(ran.read(at('1/checks/output-missing.txt'))).toMatch(/^Nothing was written to \$OUTPUT\. There is a folder/);
    expect(ran.read(at('3/checks/output-missing.txt'))).toMatch(/no regular file/);
  });

  it('[K-3] an empty file is an output', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [calls(S, 'bash', { command: ': > "$OUTPUT"' }), stops(S)]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('stage_end')[0]).toMatchObject({ sealed: true, judged: false, output: { bytes: 0 } });
  });

  it('[K-9 K-16] the agent reads the frame and the gate’s own words, and nothing of who spoke', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage(), [`${S}/gate.sh`]: sh('grep -q good "$1" && exit 0; echo say good; echo please >&2; exit 3') },
      [wrote(S, 'bad'), stops(S), wrote(S, 'good'), stops(S)],
    );
    expect(sentBack(ran, 1)).toBe(`${FRAME}say good\nplease\n`);
    expect(ran.read(at('1/checks/gate.txt'))).toBe('say good\nplease\n');
    expect(ran.read(at('2/output.txt'))).toBe('good');
    expect(ran.read(at('1/output.txt'))).toBe('bad');
  });

  it('[K-4 K-9] unmarked items come back numbered, with the fixed sentence and nothing else', async () => {
    const ran = await go({ [`${S}.md`]: stage('W.\n\n## Checklist\n\n- [ ] Spell *it*\n- Count it\n  - nested') }, [
      wrote(S, 'x'),
      calls(S, 'mark', { item: 1, state: 'done', evidence: 'read' }),
      stops(S),
      stops(S),
    ]);
    expect(sentBack(ran, 1)).toBe(
      '2. Count it\n\nThe items above are unmarked. If an item is done, you must mark it with the mark tool; prose does not count.',
    );
  });

  it('[L-8] every mark is recorded, the last one counts, and marks live through send-backs', async () => {
    const mark = (state: string, more: Line = {}): Line => calls(S, 'mark', { item: 1, state, evidence: 'e', ...more });
    const ran = await go({ [`${S}/STAGE.md`]: stage('W.\n\n# Checklist\n\n1. One'), [`${S}/gate`]: sh('grep -q two "$1"') }, [
      mark('done'),
      mark('skipped'),
      mark('skipped', { reason: 'r' }),
      calls(S, 'mark', { item: 7, state: 'done', evidence: 'e' }),
      wrote(S, 'one', { expect: 'no item 7' }),
      stops(S),
      wrote(S, 'two'),
      stops(S),
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('tool_call').map(({ tool, decision }) => `${tool} ${decision}`)).toEqual(['mark done', 'mark skipped']);
  });
});

describe('schemas', () => {
  const json = (output: string, schema = '{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}'): Promise<Ran> =>
    go({ [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'), [`${S}/schema.json`]: schema }, [wrote(S, output), stops(S)]);

  it.each<[string, string, RegExp]>([
    ['a broken document, with line and column', '{\n  "a": 1,\n}', /^It is not JSON: line 3, column 1: /],
    ['nothing at all', '', /empty/],
    ['a byte-order mark', '\ufeff{"a":1}', /byte-order mark/],
    ['a wrong type, by pointer', '{"a":"x"}', /^\/a: /],
    ['a missing key', '{}', /a/],
    ['prose', 'Here you are: {"a":1}', /^It is not JSON: line 1, column 1/],
  ])('[K-5] %s', async (_name, output, says) => {
    const ran = await json(output);
    expect(ran.cause()).toBe('exhausted');
    expect(ran.read(at('1/checks/schema.txt'))).toMatch(says);
  });

  it('[K-5] at most twenty faults are told, and the rest counted', async () => {
    const ran = await json(JSON.stringify(Array.from({ length: 50 }, () => 'x')), '{"type":"array","items":{"type":"integer"}}');
    const lines = ran.read(at('1/checks/schema.txt')).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[20]).toBe('and 30 more.');
  });

  it('[K-5] a hostile pattern does not hang the run', async () => {
    const ran = await json(JSON.stringify({ a: `${'a'.repeat(50_000)}!` }), '{"properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}');
    expect(ran.cause()).toBe('exhausted');
  });

  it('[K-5] bytes that are not UTF-8 are no JSON', async () => {
    const ran = await go({ [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'), [`${S}/schema.json`]: '{}' }, [
      calls(S, 'bash', { command: `printf '"\\377"' > "$OUTPUT"` }),
      stops(S),
    ]);
    expect(ran.read(at('1/checks/schema.txt'))).toBe('The file is not valid UTF-8.');
  });

  const TYPED = '---\nverdict: str\nscore: int\nratio: float\nok: bool\nwhy: list\nwhen: date\nany:\n---\n\n## What\n';
  const template = (output: string): Promise<Ran> =>
    go({ [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'), [`${S}/schema.md`]: TYPED }, [wrote(S, output), stops(S)]);
  const GOOD = { verdict: 'fine', score: '3', ratio: '0.5', ok: 'true', why: '[a]', when: '2026-02-28', any: '{x: 1}' };
  const front = (more: Record<string, string>): string =>
    `---\n${Object.entries({ ...GOOD, ...more })
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n')}\n---\nbody`;

  it('[K-6] every slim type accepts what it is for', async () => {
    expect((await template(front({ ratio: '3' }))).cause()).toBe('success');
  });

  it.each<[string, string]>([
    ['score', 'true'],
    ['score', '3.0'],
    ['score', '"3"'],
    ['ratio', '"0.5"'],
    ['ok', 'yes'],
    ['why', 'a'],
    ['when', '2026-02-30'],
    ['when', '2026-2-3'],
    ['when', '2026-02-28T00:00:00Z'],
    ['verdict', '12'],
    ['verdict', 'true'],
    ['verdict', '2026'],
  ])('[K-6] %s: %s is the wrong type', async (key, value) => {
    const ran = await template(front({ [key]: value }));
    expect(ran.read(at('1/checks/schema.txt'))).toMatch(new RegExp(`^${key}: must be `));
  });

  it('[K-6] a date in front matter is a string too, and other keys are the output’s own business', async () => {
    expect((await template(front({ verdict: '2026-01-01', extra: 'kept' }))).cause()).toBe('success');
  });

  it('[K-6] no front matter, or one that is not UTF-8, fails; the body may be any bytes', async () => {
    expect((await template('just prose')).cause()).toBe('exhausted');
    const ran = await go({ [`${S}/STAGE.md`]: stage('W.', 'retries: 1\n'), [`${S}/schema.md`]: '---\nv: str\n---\n' }, [
      calls(S, 'bash', { command: `printf -- '---\\nv: \\377\\n---\\nx' > "$OUTPUT"` }),
      stops(S),
      calls(S, 'bash', { command: `printf -- '---\\nv: x\\n---\\n\\377\\376' > "$OUTPUT"` }, { expect: 'UTF-8' }),
      stops(S),
    ]);
    expect(ran.cause()).toBe('success');
  });
});

describe('gates', () => {
  const gate = (script: string, front = 'retries: 0\n', ask: Ask = {}): Promise<Ran> =>
    go({ [`${S}/STAGE.md`]: stage('W.', front), [`${S}/gate`]: sh(script) }, [wrote(S, 'x'), stops(S)], ask);

  it('[K-7] exec of the file itself: first argument, working directory, empty input, environment', async () => {
    const ran = await gate(
      '[ "$1" = "$OUTPUT" ] && [ -z "$2" ] && [ "$PWD" = "$(pwd)" ] && [ -z "$(cat)" ] && [ -d "$INPUT" ] && [ "$TMPDIR" = "$TMP" ] && [ -n "$FLOW_RUN_ID" ] || { env; exit 1; }',
    );
    expect(ran.outcome.ending.reason).toBeUndefined();
    expect(ran.cause()).toBe('success');
  });

  it('[S-2] provider keys and the runtime’s own variables do not reach gates or the agent; hooks have the caller’s', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-ant-0123456789', MY_TOKEN: 'tok-0123456789', FLOW_HOME: '/nowhere', PLAIN: 'plain' };
    const test = '[ -z "$ANTHROPIC_API_KEY$MY_TOKEN$FLOW_HOME" ] && [ "$PLAIN" = plain ]';
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'),
        [`${S}/gate`]: sh(test),
        [`${S}/before`]: sh('[ "$ANTHROPIC_API_KEY" = sk-ant-0123456789 ]'),
      },
      [calls(S, 'bash', { command: `${test} && [ -z "$FLOW_RUN_ID" ] && echo clean > "$OUTPUT"` }), stops(S)],
      { env: () => env },
    );
    expect(ran.cause()).toBe('success');
  });

  it('[S-2] what a gate prints of a secret is told as ***, and its capture keeps the bytes', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'), [`${S}/gate`]: sh('echo "leaked: tok-0123456789"; exit 1') },
      [wrote(S, 'x'), stops(S)],
      { env: () => ({ MY_TOKEN: 'tok-0123456789' }) },
    );
    expect(ran.outcome.ending.reason).toBe('leaked: ***\n');
    expect(ran.read(at('1/checks/gate.txt'))).toBe('leaked: tok-0123456789\n');
  });

  it.each<[string, string, string, number]>([
    ['127', 'exit 127', 'fault', 2],
    ['126', 'echo x; exit 126', 'fault', 2],
    ['a signal', 'kill -SEGV $$', 'fault', 2],
    ['75 with evidence', 'echo down; exit 75', 'blocked', 1],
    ['75 in silence', 'exit 75', 'exhausted', 1],
  ])('[K-8] %s', async (_name, script, cause, exit) => {
    expect((await gate(script)).outcome.ending).toMatchObject({ cause, exit });
  });

  it('[K-8] more than 16 MiB of output is broken machinery, and the capture ends at the limit', async () => {
    const ran = await gate('head -c 20000000 /dev/zero; exit 0');
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, failed: 'gate' });
    expect(ran.told('check').at(-1)).toMatchObject({ overflow: true });
    expect(ran.read(at('1/checks/gate.txt'))).toHaveLength(16 * 1024 * 1024);
  });

  it('[K-8] output that is not UTF-8 is kept exactly and told as a fixed sentence', async () => {
    const ran = await gate("printf 'bad \\377\\376 bytes'; exit 1");
    expect(readFileSync(join(ran.outcome.folder, at('1/checks/gate.txt')))).toEqual(
      Buffer.from([...Buffer.from('bad '), 0xff, 0xfe, ...Buffer.from(' bytes')]),
    );
    expect(ran.outcome.ending.reason).toMatch(/check\.capture/);
    expect(ran.outcome.ending.reason).not.toContain('\ufffd');
  });

  it('[K-8] a terminal reason holds at most 2,048 bytes, head and tail', async () => {
    const { ending } = (await gate('i=0; while [ $i -lt 2000 ]; do echo "line $i é"; i=$((i+1)); done; exit 1')).outcome;
    expect(Buffer.byteLength(ending.reason ?? '')).toBeLessThanOrEqual(2_048);
    expect(ending.reason).toMatch(/^line 0 é\n[\s\S]*check\.capture[\s\S]*line 1999 é\n$/);
  });

  it('[K-13] a grandchild that holds the descriptor does not hang a finished gate, and ends with it', async () => {
    const ran = await gate('sleep 61 & echo $! > "$PWD/child"; exit 0');
    expect(ran.cause()).toBe('success');
    const child = readFileSync(join(ran.root, 'work/child'), 'utf8').trim();
    const entry = readProcess(Number(child));
    expect(entry !== null && isLiving(entry)).toBe(false);
  });

  it('[K-10] a gate that changed since the run began is drift, named, and not run', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage(), [`${S}/gate.sh`]: sh('exit 1') },
      [
        wrote(S, 'x'),
        stops(S),
        calls(S, 'bash', { command: `find "${'$'}COPY" -name gate.sh -exec sh -c 'echo "#!/bin/sh" > "$1"' _ {} \\;` }),
        stops(S),
      ],
      { env: (root) => ({ COPY: `${root}/home/runs` }) },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, failed: `flows/main/${S}/gate.sh` });
    expect(ran.told('hash_drift')).toHaveLength(1);
    expect(ran.told('gate_start')).toHaveLength(1);
  });

  it('[K-10 A-21] so is a change, a loss or a stranger in the lib it may reach', async () => {
    for (const deed of ['echo x >> "$1/words.txt"', 'rm "$1/words.txt"', 'touch "$1/extra.py"', 'chmod +x "$1/words.txt"']) {
      const ran = await go(
        {
          [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'),
          [`${S}/lib/words.txt`]: 'good\n',
          [`${S}/gate`]: sh('grep -qf "$(dirname "$0")/lib/words.txt" "$1"'),
          [`${S}/before`]: sh(`set -- "$(dirname "$0")/lib"; ${deed}`),
        },
        [wrote(S, 'good'), stops(S)],
      );
      expect(ran.outcome.ending, deed).toMatchObject({ cause: 'fault', exit: 2 });
      expect(ran.told('hash_drift')[0]?.file, deed).toMatch(/01-word\/lib\//);
    }
  });

  it('[K-11] a gate that rewrites the output it judges ends the run', async () => {
    const ran = await gate('echo more >> "$1"; exit 0');
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, failed: '$OUTPUT' });
    expect(ran.told('hash_drift')[0]).toMatchObject({ file: '$OUTPUT' });
    expect(ran.told('stage_end')[0]).toMatchObject({ sealed: false });
  });

  it('[K-8] a gate’s own clock ends the run with exit 2, whatever it printed', async () => {
    const ran = await gate('echo half; echo > "$PWD/up"; sleep 61', 'timeout: 1\n', { machine: leapsAt('up') });
    expect(ran.outcome.ending).toMatchObject({ cause: 'timeout', exit: 2, failed: 'gate' });
    expect(ran.told('check').at(-1)).toMatchObject({ exit: null });
  });
});
