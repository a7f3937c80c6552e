import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guarded } from '../../src/cli/job-log.js';
import { main } from '../../src/cli/main.js';
import { FORMATS } from '../../src/reports/formats.js';
import { fakeIo } from '../cli/io.js';
import { atHome } from '../readings/at-home.js';
import { calls, clear, go, plant, sh, stage, stops, wrote } from '../run/ground.js';

let at: ReturnType<typeof atHome>;
beforeEach(() => {
  at = atHome();
});
afterEach(() => at.done());
afterAll(clear);

const KEY = 'planted-key-0123456789';
const HEADER = 'planted-header-98765';
const SECRETS = { PLANTED_API_KEY: KEY, OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${HEADER},x=${HEADER}` };
const ALL = FORMATS.map(({ name }) => name);

describe('secrets in reports', () => {
  it('[S-2 I-1 I-10] what tools, arguments, gates, hooks and reasons hold of them is in no report', async () => {
    const leak = `echo "the key is ${KEY} and the header Bearer ${HEADER}"`;
    const { outcome } = await go(
      {
        '01-a/STAGE.md': stage('Work.', 'retries: 0\n'),
        '01-a/gate.sh': sh(`: "$1"; ${leak}; exit 1`),
        '01-a/before.sh': sh(leak),
        '01-a/failure.sh': sh(leak),
      },
      [
        calls('01-a', 'bash', { command: leak }),
        calls('01-a', 'read', { path: `/nowhere/${KEY}/${HEADER}` }),
        wrote('01-a', `written: ${KEY} ${HEADER}`),
        stops('01-a', { text: `I used ${KEY} and ${HEADER}` }),
      ],
      { env: () => SECRETS },
    );
    const env = { FLOW_HOME: at.home, ...SECRETS };
    const written = await at.flow(['report', outcome.folder, '--format', ALL.join(','), '--output', 'out', '--contents'], { env });
    expect(written).toMatchObject({ code: 0, err: '' });
    for (const { file } of FORMATS) {
      const text = readFileSync(join(at.root, 'out', file), 'utf8');
      expect(text, file).toContain('***');
      expect(text, file).not.toContain(KEY);
      expect(text, file).not.toContain(HEADER);
    }
  });

  it('[S-2 I-7] nor in annotations and the summary of a step', async () => {
    plant(at.root, {
      'notes/STAGE.md': '---\nretries: 0\n---\nWrite.\n',
      'notes/gate.sh': sh(`: "$1"; echo "no: ${KEY} ${HEADER}"; exit 1`),
    });
    const summary = join(at.root, 'summary.md');
    let commands = '';
    const plain = fakeIo({
      cwd: at.root,
      env: { FLOW_HOME: at.home, PATH: process.env['PATH'], GITHUB_STEP_SUMMARY: summary, ...SECRETS },
    });
    const io = guarded(plain, { command: (text) => void (commands += text), outIsFile: false, stop: async () => {} });
    expect(await main(['run', '--rehearse', 'notes', `asked with ${KEY}`], io)).toBe(1);
    const all = commands + plain.printed() + plain.said() + readFileSync(summary, 'utf8');
    expect(commands).toContain('no: *** ***');
    expect(all).not.toContain(KEY);
    expect(all).not.toContain(HEADER);
  });
});

describe('child runs in reports', () => {
  it('[I-1 G-7] a child that its caller could do without fails nothing', async () => {
    const { outcome } = await go(
      { '01-ask.md': stage() },
      [
        calls('01-ask', 'subflow', { calls: [{ flow: 'part', input: 'x' }] }),
        { ...calls('01-say', 'refuse', { reason: 'It is beyond me.' }), flow: 'part' },
        wrote('01-ask', 'asked'),
        stops('01-ask'),
      ],
      { root: { 'subflows/part/FLOW.md': '---\ndescription: A part\n---\n', 'subflows/part/01-say.md': stage('Say it.') } },
    );
    expect(outcome.ending.cause).toBe('success');
    const { out } = await at.flow(['report', outcome.folder, '--format', 'junit']);
    expect(out).toContain('<testsuite name="01-ask/1/01-say" tests="1" failures="0" errors="0" skipped="1"');
    expect(out).toContain('the run went on without it');
    const github = await at.flow(['report', outcome.folder, '--format', 'github']);
    expect(github.out).toMatch(/^::warning title=01-ask\/1\/01-say%3A refused::It is beyond me\./);
    expect(github.out).not.toContain('::error');
  });
});
