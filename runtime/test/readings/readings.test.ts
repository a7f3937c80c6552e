import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVERY, EVERY_FACT } from '../../../packages/record/test/every-event.js';
import { begin, passStage, plantExhausted, plantSuccess, planter, sha256 } from '../../../packages/record/test/plant-run.js';
import { processes } from '../../src/io/processes.js';
import { lockText } from '../../src/record/marks.js';
import { atHome } from './at-home.js';
import { judged } from './judged.js';

let at: ReturnType<typeof atHome>;
beforeEach(() => {
  at = atHome();
});
afterEach(() => at.done());

const GOOD = '2026-07-30T14-22-08-a3f9';
const BAD = '2026-07-30T15-00-00-0001';
const LIVE = '2026-07-31T09-00-00-0002';
const REQUEST = { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 };
const live = (folder: string): void => {
  const plant = planter(folder);
  begin(plant);
  passStage(plant, '01-classify', REQUEST, 'urgent\n');
};
const both = (): void => {
  at.keep(GOOD, plantSuccess);
  at.keep(BAD, plantExhausted);
};
describe('finding a run', () => {
  it('[O-6 I-1] by name, by an unambiguous prefix, by latest', async () => {
    both();
    for (const word of [GOOD, GOOD.slice(0, -2), '2026-07-30T14']) expect((await at.flow(['request', word])).code).toBe(0);
    const many = await at.flow(['request', '2026-07']);
    expect(many.code).toBe(2);
    expect(many.err).toContain(`2 runs: ${GOOD}, ${BAD}`);
    const none = await at.flow(['request', '2027']);
    expect(none).toMatchObject({ code: 1, out: '', err: `There is no run "2027" in ${at.home}/runs.\n` });
  });

  it('[O-6] latest is the newest by the first line, then by name', async () => {
    both();
    expect((await at.flow(['show', 'latest', '--json'])).out).toContain(`"folder": "${at.home}/runs/${BAD}"`);
    const folder = join(at.home, 'runs', GOOD, 'record.jsonl');
    writeFileSync(folder, readFileSync(folder, 'utf8').replace('"ts":"2026-07-30T14:22:08', '"ts":"2026-07-30T14:22:09'));
    expect((await at.flow(['show', 'latest', '--json'])).out).toContain(`"folder": "${at.home}/runs/${GOOD}"`);
  });

  it('[R-9] by the path of a folder anywhere, with every reading command', async () => {
    cpSync(at.keep(GOOD, plantSuccess), join(at.root, 'copy'), { recursive: true });
    rmSync(at.home, { recursive: true });
    for (const words of [
      ['show'],
      ['show', '02-draft'],
      ['events'],
      ['session', '02-draft'],
      ['output'],
      ['request'],
      ['checks'],
      ['verify'],
    ]) {
      const [command = '', ...rest] = words;
      for (const path of ['./copy', join(at.root, 'copy'), 'copy']) {
        const answer = await at.flow([command, path, ...rest], { env: {} });
        expect(answer, `${command} ${path}`).toMatchObject({ code: 0, err: '' });
        expect(answer.out).not.toBe('');
      }
    }
  });

  it('[R-9 E-4] the commands it offers next are typed as a shell reads them', async () => {
    cpSync(at.keep(GOOD, plantSuccess), join(at.root, 'a copy'), { recursive: true });
    expect((await at.flow(['show', './a copy'])).out).toContain("  flow verify './a copy'   prove");
  });

  it.each(['show', 'events', 'output', 'request', 'checks', 'verify'])(
    '[I-1] %s says which run there is not, and makes no home',
    async (command) => {
      rmSync(at.home, { recursive: true });
      expect(await at.flow([command, 'latest'])).toMatchObject({ code: 1, out: '', err: `There is no run yet in ${at.home}/runs.\n` });
      expect(await at.flow([command, './nowhere'])).toMatchObject({ code: 1, err: expect.stringContaining('record.jsonl') });
      expect(await at.flow([command])).toMatchObject({ code: 2 });
      expect(await at.flow(['list'])).toMatchObject({ code: 1, err: `There is no run yet in ${at.home}.\n` });
    },
  );

  it('[S-2] refuses to print when the list of what must be redacted cannot be read', async () => {
    both();
    writeFileSync(join(at.home, 'config.yaml'), 'redact: [');
    expect(await at.flow(['show', 'latest'])).toMatchObject({ code: 2, out: '' });
  });
});

describe('list', () => {
  it('[I-1 R-7] newest first, with how each ended, and running and crashed told by the lock alone', async () => {
    both();
    at.keep(LIVE, live);
    const states = async () =>
      (await at.flow(['list'])).out
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(/ {2,}/).slice(0, 2));
    const rest = [
      [BAD, 'exhausted'],
      [GOOD, 'success'],
    ];
    expect((await states()).toSorted()).toEqual([
      [GOOD, 'success'],
      [BAD, 'exhausted'],
      [LIVE, 'crashed'],
    ]);
    at.lock(LIVE, lockText(processes.self()));
    expect((await states())[0]).toEqual([LIVE, 'running']);
    at.lock(LIVE, lockText({ ...processes.self(), boot: 'another' }));
    expect(await states()).toEqual([[LIVE, 'crashed'], ...rest]);
    at.lock(LIVE, 'nonsense');
    expect((await states())[0]).toEqual([LIVE, 'crashed']);
  });

  it('[R-7 I-1] a run that may not be looked into is listed, and whoever asks for it learns what the system refused', async () => {
    const loop = join(at.home, 'runs', GOOD);
    symlinkSync(loop, loop);
    expect((await at.flow(['list'])).out.trim().split(/ {2,}/)).toEqual([GOOD, 'unreadable']);
    for (const command of ['show', 'events', 'checks']) {
      const { code, err } = await at.flow([command, GOOD]);
      expect([code, err], command).toEqual([
        2,
        expect.stringMatching(/^The file system refused: [a-z]+ .*\(ELOOP\)\. .*symbolic link.*\n$/),
      ]);
    }
  });

  it('[I-3] a run is one line, whatever its record says', async () => {
    const file = join(at.keep(GOOD, plantSuccess), 'record.jsonl');
    const [first = '', ...others] = readFileSync(file, 'utf8').split('\n');
    const start = { ...JSON.parse(first), assembly: `/a\n${BAD}   success` };
    writeFileSync(file, [JSON.stringify(start), ...others].join('\n'));
    expect((await at.flow(['list'])).out.trimEnd().split('\n')).toEqual([expect.stringContaining(`/a\\x0a${BAD}`)]);
  });

  it('[I-2] as one document', async () => {
    both();
    writeFileSync(join(at.keep(LIVE, live), 'record.jsonl'), 'garbage\n');
    mkdirSync(join(at.home, 'runs', '2026-07-31T09-00-00-0003'));
    const { runs, omitted } = judged((await at.flow(['list', '--json', '--limit', '2'])).out);
    expect(runs).toMatchObject([
      { run: BAD, state: 'exhausted', exit: 1, stage: '02-draft' },
      { run: GOOD, state: 'success', flow: 'triage' },
    ]);
    expect(omitted).toBe(1);
    expect((await at.flow(['list', '--limit', 'x'])).code).toBe(2);
  });
});

describe('show', () => {
  it('[I-1 R-10 R-5] tells a run stage by stage, with what each failed round was told', async () => {
    both();
    const { code, out } = await at.flow(['show', BAD]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        `triage · 2 stages · anthropic/claude-sonnet-5 (from environment)   run ${GOOD}`,
        ' ✓ 01-classify  1 round      1.0 s   1.6k in   206 out  $0.005  classify.txt',
        ' ✗ 02-draft     3 rounds     2.8 s   4.7k in   618 out  $0.017  exhausted',
        ...[1, 2, 3].map((round) => `     round ${round}   gate/02-sections   The reply has no "What happens next" section.`),
        '     the same feedback came back unchanged',
        '',
        'exhausted at 02-draft · 4.5 s · 6.2k in 824 out · $0.022',
        '  The reply has no "What happens next" section.',
        `  flow show ${BAD} 02-draft   that stage, round by round`,
        `  flow resume ${BAD}          carry 01-classify, run 02-draft again`,
        `  flow verify ${BAD}          prove that nothing was changed since`,
        '',
      ].join('\n'),
    );
  });

  it('[R-10] tells one stage round by round, by its path or its name', async () => {
    both();
    const byName = await at.flow(['show', BAD, 'draft']);
    expect(byName).toEqual(await at.flow(['show', BAD, '02-draft']));
    for (const part of [
      'retries 2 (default)',
      'round 3   failed   1 turn',
      'gate/02-sections   exit 1   12 ms',
      'exhausted: gate/02-sections   exit 1',
      'output.txt   stages/01-classify/1/1/output.txt',
    ]) {
      expect(byName.out).toContain(part);
    }
    expect(await at.flow(['show', BAD, '02-daft'])).toMatchObject({
      code: 1,
      out: '',
      err: 'The run has no stage "02-daft". Did you mean 02-draft?\n',
    });
  });

  it('[I-2] as one document, also of a record with every event', async () => {
    both();
    expect(judged((await at.flow(['show', GOOD, '--json'])).out)).toMatchObject({ kind: 'flow.show', state: 'success', stages: [{}, {}] });
    expect(judged((await at.flow(['show', GOOD, '02-draft', '--json'])).out)).toMatchObject({ stages: [{ stage: '02-draft' }] });
    at.keep(LIVE, (folder) => EVERY_FACT.forEach(planter(folder).event));
    expect(judged((await at.flow(['show', LIVE, '--json'])).out)).toMatchObject({ signals: ['SIGINT'], containers: [{}, {}, {}, {}] });
    expect((await at.flow(['show', LIVE])).out).toContain('chose x over y');
    expect((await at.flow(['show', LIVE, 'a'])).out).toContain('mark   skipped   item 2   stop   e   r');
  });

  it('[I-1 R-6] shows what can be read of a damaged record, and ends with 5', async () => {
    const folder = at.keep(GOOD, plantSuccess);
    const path = join(folder, 'record.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"attempts":1', '"attempts":9'));
    const { code, out, err } = await at.flow(['show', GOOD]);
    expect(code).toBe(5);
    expect(out).toContain('02-draft');
    expect(err).toContain('line 7 does not follow line 6: one of the two was changed (R-2)');
    writeFileSync(path, 'x\n');
    expect(await at.flow(['show', GOOD])).toMatchObject({ code: 5, out: '' });
    writeFileSync(path, '');
    expect(await at.flow(['show', GOOD])).toMatchObject({ code: 1, out: '' });
  });

  it('[I-3 S-2] lets nothing through that steers a terminal, and no secret', async () => {
    const secret = 'sk-0123456789abcdef';
    at.keep(LIVE, (folder) => {
      const plant = planter(folder);
      begin(plant);
      const capture = plant.capture('stages/a/1/1/checks/gate.txt', `\u001b]0;owned\u0007 \u202e ${secret}\n`);
      plant.event({ ...EVERY.stage_start, received: [], options: { [`\u001b[2J${secret}`]: { value: '\u009b2J', from: 'stage' } } });
      plant.event({ ...EVERY.check, ...capture, exit: 1, file: `gate\u001b[31m`, overflow: undefined });
      plant.event({ ...EVERY.tool_call, evidence: `\u001b[2J ${secret}` });
      plant.event({
        ...EVERY.stage_end,
        output: undefined,
        session: undefined,
        sealed: false,
        cause: 'fault',
        reason: `\u001b[2J\u202e${secret}`,
      });
      plant.seal({ exit: 2, cause: 'fault', reason: `\r\u001b[2J${secret}`, stage: '\u001b[1m' });
    });
    const env = { FLOW_HOME: at.home, MY_API_KEY: secret };
    const commands = [
      ['show', LIVE],
      ['show', LIVE, 'a'],
      ['checks', LIVE],
      ['events', LIVE],
      ['events', LIVE, '--jsonl'],
      ['list'],
      ['verify', LIVE],
    ];
    for (const words of [...commands, ['show', LIVE, '--json'], ['checks', LIVE, '--json'], ['list', '--json']]) {
      const { out, err } = await at.flow(words, { env });
      expect(out + err, words.join(' ')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(out + err, words.join(' ')).not.toContain(secret);
    }
    expect((await at.flow(['show', LIVE], { env })).out).toContain('\\x1b]0;owned\\x07 \\u202e ***');
  });
});

describe('events', () => {
  it('[I-2] prints the lines of the record as they are, or one line an event', async () => {
    const folder = at.keep(GOOD, plantSuccess);
    const record = readFileSync(join(folder, 'record.jsonl'), 'utf8');
    expect((await at.flow(['events', GOOD, '--jsonl'])).out).toBe(record);
    const { out } = await at.flow(['events', GOOD]);
    expect(out.split('\n')).toHaveLength(record.split('\n').length);
    expect(out).toContain('14:22:10.500  02-draft round 1  check  check=gate  file=gate/02-sections');
  });

  it('[I-1] follows a live run through half lines until it ends', async () => {
    const folder = at.keep(LIVE, live);
    at.lock(LIVE, lockText(processes.self()));
    const whole = join(at.root, 'whole');
    plantSuccess(whole);
    const rest = readFileSync(join(whole, 'record.jsonl')).subarray(readFileSync(join(folder, 'record.jsonl')).length);
    const pieces = [rest.subarray(0, 30), rest.subarray(30, 700), rest.subarray(700)];
    const sleeps = pausing(() => appendFileSync(join(folder, 'record.jsonl'), pieces.shift() ?? ''));
    const { code, out } = await at.flow(['events', LIVE, '--follow', '--jsonl'], { outClosed: sleeps });
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(join(whole, 'record.jsonl'), 'utf8'));
  });

  it('[R-7] stops following a run whose process is gone, and says so', async () => {
    at.keep(LIVE, live);
    expect(await at.flow(['events', LIVE, '--follow'])).toMatchObject({ code: 0, err: `${LIVE} crashed: its record has no end.\n` });
  });

  it('[I-4] stops following when nobody reads any more', async () => {
    at.keep(LIVE, live);
    at.lock(LIVE, lockText(processes.self()));
    expect(await at.flow(['events', LIVE, '--follow'], { outClosed: AbortSignal.abort() })).toMatchObject({ code: 0, out: '' });
  });
});

describe('session', () => {
  it('[I-1 I-2] prints a conversation of two thousand turns, as text and as one document', async () => {
    const turns = Array.from({ length: 2000 }, (_, n) => [
      {
        ts: '2026-07-30T14:22:08.000Z',
        kind: 'assistant',
        text: `turn ${n}`,
        calls: [{ id: `${n}`, tool: 'bash', input: { command: 'ls' } }],
        stop: 'calls',
      },
      { ts: '2026-07-30T14:22:09.000Z', kind: 'tool', results: [{ id: `${n}`, tool: 'bash', output: '\u001b[2Jfile\n' }] },
    ]).flat();
    at.keep(LIVE, (folder) => {
      const plant = planter(folder);
      begin(plant);
      const { sha256: hash } = plant.file('stages/a/1/session.jsonl', turns.map((line) => `${JSON.stringify(line)}\n`).join(''));
      plant.event({ ...EVERY.stage_start, received: [] });
      plant.event({ ...EVERY.stage_end, output: undefined, sealed: false, session: { sha256: hash, lines: turns.length } });
    });
    const { code, out } = await at.flow(['session', LIVE, 'a']);
    expect(code).toBe(0);
    expect(out).toContain('turn 1999\n→ bash {"command":"ls"}\n');
    expect(out).toContain('\\x1b[2Jfile');
    expect(judged((await at.flow(['session', LIVE, 'a', '--json'])).out)).toMatchObject({
      kind: 'flow.session',
      stage: 'a',
      repeat: 1,
      lines: turns,
    });
    appendFileSync(join(at.home, 'runs', LIVE, 'stages/a/1/session.jsonl'), '{"kind":"odd"}\n{"torn');
    const altered = await at.flow(['session', LIVE, 'a']);
    expect(altered.code).toBe(5);
    expect(altered.out).toContain('a line that is no entry');
    expect(judged((await at.flow(['session', LIVE, 'a', '--json'])).out)).toMatchObject({ lines: { length: 4000 } });
  });

  it('[I-1] says what there is not: a stage, a repeat, a session', async () => {
    at.keep(GOOD, plantSuccess);
    expect(await at.flow(['session', GOOD, 'zzz'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('It has 01-classify, 02-draft.'),
    });
    expect(await at.flow(['session', GOOD, '02-draft', '--repeat', '2'])).toMatchObject({
      code: 1,
      err: '02-draft has no repeat 2: it ran once.\n',
    });
    expect(await at.flow(['session', GOOD, '02-draft', '--repeat', '0'])).toMatchObject({ code: 2 });
    rmSync(join(at.home, 'runs', GOOD, 'stages/02-draft/1/session.jsonl'));
    expect(await at.flow(['session', GOOD, '02-draft'])).toMatchObject({ code: 1, err: '02-draft has no session: no model was asked.\n' });
  });
});

describe('output and request', () => {
  const bytes = Buffer.from([0, 0xff, 0x1b, 0x5b, 0x32, 0x4a, 0x0a, 0xc3]);
  const odd = (folder: string): void => {
    const plant = planter(folder);
    begin(plant);
    const output = plant.file('stages/a/1/1/output.txt', bytes);
    plant.event({ ...EVERY.stage_start, received: [] });
    plant.event({ ...EVERY.stage_end, output: { ...output, bytes: bytes.length }, session: undefined });
    plant.seal({ exit: 0, cause: 'success' });
  };

  it('[E-3 I-1] prints the bytes unchanged, and escaped on a terminal', async () => {
    at.keep(LIVE, odd);
    expect((await at.flow(['output', LIVE])).bytes).toEqual(bytes);
    expect((await at.flow(['output', LIVE, 'a'], { outIsTerminal: true })).out).toBe('\\x00\ufffd\\x1b[2J\n\ufffd\n');
  });

  it('[E-3] keeps a secret in the bytes of an output, which are what was sealed', async () => {
    at.keep(GOOD, plantSuccess);
    const env = { FLOW_HOME: at.home, WORD_TOKEN: 'What happens next' };
    expect((await at.flow(['output', GOOD], { env })).out).toBe('What happens next: we come.\n');
    expect((await at.flow(['request', GOOD])).out).toBe('The lift is stuck.\n');
  });

  it('[I-1] withholds what did not pass until it is asked for', async () => {
    both();
    expect(await at.flow(['output', BAD])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('ended as exhausted') });
    expect(await at.flow(['output', BAD, '02-draft'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--withheld') });
    expect(await at.flow(['output', BAD, '02-draft', '--withheld'])).toMatchObject({ code: 0, out: 'Draft 3.\n' });
    expect(await at.flow(['output', BAD, '02-draft', '--withheld', '--attempt', '1'])).toMatchObject({ code: 0, out: 'Draft 1.\n' });
    expect(await at.flow(['output', BAD, '02-draft', '--withheld', '--attempt', '4'])).toMatchObject({ code: 1, out: '' });
    expect(await at.flow(['output', GOOD, '02-draft', '--attempt', '2'])).toMatchObject({ code: 0, out: 'What happens next: we come.\n' });
    expect(await at.flow(['output', GOOD, '--attempt', '2'])).toMatchObject({ code: 2 });
    expect(await at.flow(['output', GOOD, '02-draft', '--attempt', 'last'])).toMatchObject({ code: 2 });
  });

  it('[I-1 R-8] prints nothing of what was altered, is missing, or leads out of the run', async () => {
    const folder = at.keep(GOOD, plantSuccess);
    const output = join(folder, 'stages/02-draft/1/2/output.txt');
    writeFileSync(output, 'x');
    expect(await at.flow(['output', GOOD])).toMatchObject({ code: 5, out: '', err: expect.stringContaining('was altered') });
    rmSync(output);
    expect(await at.flow(['output', GOOD])).toMatchObject({ code: 5, out: '', err: expect.stringContaining('missing') });
    writeFileSync(join(at.root, 'twin'), 'What happens next: we come.\n');
    symlinkSync(join(at.root, 'twin'), output);
    expect(await at.flow(['output', GOOD])).toMatchObject({ code: 5, out: '' });
    at.keep(LIVE, (made) => {
      const plant = planter(made);
      begin(plant);
      plant.event({ ...EVERY.stage_start, received: [] });
      plant.event({
        ...EVERY.stage_end,
        output: { path: '../../../twin', sha256: sha256('What happens next: we come.\n'), bytes: 28 },
        session: undefined,
      });
    });
    expect(await at.flow(['output', LIVE, 'a'])).toMatchObject({ code: 5, out: '' });
  });
});

describe('checks', () => {
  it('[R-10 I-1] tells every judgement and what it said', async () => {
    both();
    const { code, out } = await at.flow(['checks', GOOD]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        ' ✓   01-classify round 1   output   exit 0   0 ms',
        ' ✗   02-draft round 1   gate/02-sections   exit 1   12 ms',
        '     The reply has no "What happens next" section.',
        ' ✓   02-draft round 2   gate/02-sections   exit 0   12 ms',
        '',
        '3 judgements: 2 passed, 1 failed',
        '',
      ].join('\n'),
    );
    const { checks } = judged((await at.flow(['checks', BAD, '--json'])).out);
    expect(checks).toHaveLength(4);
    expect(checks).toContainEqual(expect.objectContaining({ stage: '02-draft', retry: 3, check: 'gate', passed: false, intact: true }));
  });

  it('[I-1] ends with 5 for an altered capture and 1 when nothing was judged', async () => {
    const folder = at.keep(GOOD, plantSuccess);
    writeFileSync(join(folder, 'stages/02-draft/1/1/checks/gate/02-sections.txt'), 'fine');
    expect(await at.flow(['checks', GOOD])).toMatchObject({ code: 5, out: expect.stringContaining('its capture was altered') });
    at.keep(LIVE, (made) => begin(planter(made)));
    expect(await at.flow(['checks', LIVE])).toMatchObject({ code: 1, out: '', err: `Nothing was judged in ${LIVE}.\n` });
  });
});

describe('verify and keygen', () => {
  it('[R-8 I-1] exits 0 for a whole run and 5 with each difference named', async () => {
    const folder = at.keep(GOOD, plantSuccess);
    expect(await at.flow(['verify', GOOD])).toMatchObject({ code: 0, out: expect.stringContaining('is whole: 16 events, 20 files.') });
    expect(judged((await at.flow(['verify', GOOD, '--json'])).out)).toMatchObject({ verified: true, signature: 'absent', differences: [] });
    writeFileSync(join(folder, 'stages/02-draft/1/2/output.txt'), 'x');
    writeFileSync(join(folder, 'more\u001b[2J'), 'x');
    writeFileSync(join(folder, `x\n${GOOD} is whole`), 'x');
    const { code, out } = await at.flow(['verify', GOOD]);
    expect(code).toBe(5);
    expect(out).toContain('stages/02-draft/1/2/output.txt is not what line 15 of record.jsonl says (R-8)');
    expect(out).toContain('more\\x1b[2J is not listed in manifest.sha256');
    expect(out).toContain(`  x\\x0a${GOOD} is whole is not listed in manifest.sha256`);
    expect(judged((await at.flow(['verify', GOOD, '--json'])).out)).toMatchObject({ verified: false, differences: { length: 3 } });
  });

  it('[R-8] makes a key once, and tells a good signature from none and a wrong key from a right one', async () => {
    at.keep(GOOD, plantSuccess);
    expect(await at.flow(['keygen', 'k.pem'])).toMatchObject({ code: 0, out: expect.stringContaining(join(at.root, 'k.pem.pub')) });
    expect(await at.flow(['keygen', 'k.pem'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('never overwritten') });
    rmSync(join(at.root, 'k.pem'));
    expect(await at.flow(['keygen', 'k.pem'])).toMatchObject({ code: 2, err: expect.stringContaining('k.pem.pub exists') });
    expect(await at.flow(['verify', GOOD, '--key', 'k.pem.pub'])).toMatchObject({
      code: 5,
      out: expect.stringContaining('the run is not signed'),
    });
    expect(await at.flow(['verify', GOOD, '--key', 'nowhere'])).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') });
    writeFileSync(join(at.root, 'no.pem'), 'no key');
    expect(await at.flow(['verify', GOOD, '--key', 'no.pem'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no Ed25519 public key'),
    });
  });
});

describe('the frozen records of version 1', () => {
  it.each([
    ['success', 0, 0],
    ['exhausted', 0, 0],
    ['torn', 0, 5],
    ['altered', 0, 5],
  ])('[R-6 R-9 R-8] %s is shown with %i and verified with %i', async (name, shown, verified) => {
    const folder = new URL(`../../../fixtures/records/v1/${name}`, import.meta.url).pathname;
    expect(await at.flow(['show', folder])).toMatchObject({ code: shown, out: expect.stringContaining('02-draft') });
    expect((await at.flow(['verify', folder])).code).toBe(verified);
  });
});

/** A signal that acts whenever a pause begins to listen to it. */
function pausing(act: () => void): AbortSignal {
  const { signal } = new AbortController();
  const listen = signal.addEventListener.bind(signal);
  signal.addEventListener = (...words: Parameters<typeof listen>): void => {
    listen(...words);
    act();
  };
  return signal;
}
