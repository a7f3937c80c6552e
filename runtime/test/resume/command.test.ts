import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle, flow } from '../cli/bundle.js';
import { plant, sh } from '../run/ground.js';
import { eventsOf, FIVE, NAMES, work } from './ground.js';
import { judged } from '../readings/judged.js';

let built: Bundle;
const places: string[] = [];
beforeAll(async () => {
  built = await bundle();
});
afterAll(() => {
  built.remove();
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

function folderOf(text: string): string {
  const document = judged(text);
  return typeof document['folder'] === 'string' ? document['folder'] : '';
}

function place() {
  const root = mkdtempSync(join(tmpdir(), 'flow-resume-command-'));
  places.push(root);
  plant(root, {
    'a/ASSEMBLY.md': '---\n---\nHelp.\n',
    'a/flows/main/FLOW.md': '---\ndescription: A flow\n---\n',
    ...Object.fromEntries(Object.entries(FIVE).map(([path, value]) => [`a/flows/main/${path}`, value])),
    'good.jsonl': work()
      .map((line) => JSON.stringify(line))
      .join('\n'),
    'bad.jsonl': work('03-draft')
      .map((line) => JSON.stringify(line))
      .join('\n'),
    'w/README': 'x',
  });
  return { root, go: (...words: string[]) => flow(built, words, { cwd: join(root, 'w'), env: { FLOW_HOME: join(root, 'home') } }) };
}

/** Kills it once its record says that the stage has begun; with no stage, once there is a record at all. */
async function dieAt(child: ChildProcess, home: string, stage: string | null): Promise<void> {
  for (let tries = 0; tries < 2_000_000; tries += 1) {
    const [run] = existsSync(join(home, 'runs')) ? readdirSync(join(home, 'runs')).filter((name) => !name.includes('.')) : [];
    const record = join(home, 'runs', run ?? '', 'record.jsonl');
    const said = run !== undefined && existsSync(record) ? readFileSync(record, 'utf8') : '';
    if (stage === null ? said !== '' : said.includes(`"event":"prompt","stage":"${stage}"`)) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  child.kill('SIGKILL');
}

describe('flow resume and flow replay', () => {
  it('[G-11 I-2 E-3] the failure names it, the plan comes before anything runs, the output goes to standard output', async () => {
    const { root, go } = place();
    const failed = await go('run', '../a', 'hi', '--script', '../bad.jsonl');
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/flow resume \S+ --script FILE +carry 01-read, 02-sort, run 03-draft again/);
    const plan = await go('resume', 'latest', '--script', '../good.jsonl', '--plan', '--json');
    expect(judged(plan.out.toString())).toMatchObject({
      kind: 'flow.resume',
      steps: [{ step: '01-read', carried: true, outputs: ['read.txt'] }, {}, { why: 'it ended as exhausted' }, {}, {}],
    });
    const resumed = await go('resume', 'latest', '--script', '../good.jsonl');
    expect(resumed).toMatchObject({ code: 0, out: Buffer.from('good 05-send\n') });
    expect(resumed.err.indexOf('2 of 5 steps carried')).toBeLessThan(resumed.err.indexOf('▸ 03-draft\n'));
    expect(resumed.err).toContain(' = 01-read    carried   read.txt\n');
    const shown = await go('show', 'latest');
    expect(shown.out.toString()).toMatch(/resumes \d{4}-/);
    expect(judged((await go('show', 'latest', '--json')).out.toString())).toMatchObject({
      stages: [{ state: 'carried', carried_for: { entry: '01-read', name: 'read.txt', of: 1 } }, {}, {}, {}, {}],
    });
    expect((await go('verify', 'latest')).code).toBe(0);
    expect((await go('output', 'latest', '01-read')).out.toString()).toBe('good 01-read\n');
    const again = await go('resume', 'latest', '--script', '../good.jsonl', '--json');
    expect(again.code).toBe(2);
    expect(judged(again.out.toString())).toMatchObject({ run: null, refusals: [{ code: 'request-invalid' }] });
    rmSync(join(root, 'a'), { recursive: true });
    expect((await go('replay', 'latest')).err).toContain('is no longer at');
  });

  it('[G-11 M-7 I-1] a damaged run ends both with 5, and the document names what differs', async () => {
    const { root, go } = place();
    await go('run', '../a', 'hi', '--script', '../bad.jsonl');
    const folder = folderOf((await go('show', 'latest', '--json')).out.toString());
    writeFileSync(join(folder, 'stages/01-read/1/1/output.txt'), 'good lie\n');
    for (const words of [
      ['resume', 'latest', '--script', '../good.jsonl'],
      ['replay', 'latest'],
    ]) {
      const text = await go(...words);
      expect(text.code).toBe(5);
      expect(text.err).toContain('stages/01-read/1/1/output.txt is not what line');
      const document = await go(...words, '--json');
      expect(document.code).toBe(5);
      expect(judged(document.out.toString())).toMatchObject({ kind: 'flow.damaged', exit: 5 });
    }
    expect(root).not.toBe('');
  });

  it('[M-7 I-2] the table, the document and the exit code say what changed', async () => {
    const { root, go } = place();
    await go('run', '../a', 'hi', '--script', '../bad.jsonl');
    const same = await go('replay', 'latest');
    expect(same.code).toBe(0);
    expect(same.out.toString()).toContain('3 attempts judged, 3 stayed, 0 changed, 2 skipped');
    plant(join(root, 'a/flows/main'), { '03-draft/gate.sh': sh('exit 0') });
    const changed = await go('replay', 'latest');
    expect(changed.code).toBe(1);
    expect(changed.out.toString()).toContain('≠ 03-draft round 1   changed   failed at gate.sh → passed\n     then  not good\n');
    const document = await go('replay', 'latest', '--json');
    expect(judged(document.out.toString())).toMatchObject({ exit: 1, verdicts: { stayed: 2, changed: 1, faults: 0, skipped: 2 } });
    expect((await go('verify', 'latest')).code).toBe(0);
    expect(judged((await go('replay', 'nothing', '--json')).out.toString())).toMatchObject({ run: null, exit: 2 });
  });

  it.each([null, ...NAMES])('[G-11] after SIGKILL in %s a run is resumed behind what had ended by then', async (stage) => {
    const { root, go } = place();
    const slow = work().map((line) => JSON.stringify({ ...line, delay_ms: stage === null || line['stage'] === stage ? 60_000 : 0 }));
    writeFileSync(join(root, 'slow.jsonl'), slow.join('\n'));
    const killed = await flow(built, ['run', '../a', 'hi', '--script', '../slow.jsonl', '-q'], {
      cwd: join(root, 'w'),
      env: { FLOW_HOME: join(root, 'home') },
      meet: (child) => void dieAt(child, join(root, 'home'), stage),
    });
    expect(killed.code).toBe(null);
    const resumed = await go('resume', 'latest', '--script', '../good.jsonl');
    if (stage === null && resumed.code !== 0) {
      expect(resumed).toMatchObject({ code: 2 });
      expect(resumed.err).toMatch(/died before|ended before/);
      const beside = readdirSync(join(root, 'home/runs')).filter((name) => /\.(lock|groups\.jsonl)$/.test(name));
      expect(beside, 'refused as well, it clears what the dead run left').toEqual([]);
      return;
    }
    expect(resumed).toMatchObject({ code: 0, out: Buffer.from('good 05-send\n') });
    const folder = folderOf((await go('show', 'latest', '--json')).out.toString());
    const carried = eventsOf(folder).filter(({ event }) => event === 'stage_carried');
    expect(carried.map((one) => one.stage)).toEqual(stage === null ? [] : NAMES.slice(0, NAMES.indexOf(stage)));
    expect((await go('verify', 'latest')).code).toBe(0);
  });
});
