import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RecordEvent } from '@gated-flow/record';
import { compareBytes } from '@gated-flow/text';
import { afterAll, describe, expect, it } from 'vitest';
import { type Answer, atHome } from './readings/at-home.js';

const examples = join(import.meta.dirname, '../../fixtures/assemblies/examples');

/** `expected.json`: what is typed after the assembly, and what each script brings about. */
interface Expected {
  readonly words: readonly string[];
  readonly scripts: Readonly<Record<string, ScriptedRun>>;
}

interface ScriptedRun {
  readonly cause: string;
  readonly exit: number;
  /** `stage check exit` of every check of the run itself: by stage, since branches run at once, and in the order of the record. */
  readonly checks: readonly string[];
  /** SHA-256 of the run's output; null when there is none. */
  readonly output: string | null;
  /** What hooks left in the working tree. */
  readonly leaves: readonly string[];
}

const removals: (() => void)[] = [];
afterAll(() => removals.splice(0).forEach((remove) => remove()));

/** A copy of an example, a working tree and a home of their own. */
function lay(name: string) {
  const home = atHome();
  removals.push(home.done);
  const folder = join(home.root, name);
  cpSync(join(examples, name), folder, { recursive: true });
  const work = join(home.root, 'work');
  mkdirSync(work);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.root, FLOW_HOME: home.home, XDG_CACHE_HOME: join(home.root, 'cache') };
  return {
    work,
    flow: (...words: readonly string[]): Promise<Answer> => home.flow(words, { cwd: folder, env }),
    checks(run: string): string[] {
      const record = readFileSync(join(home.home, 'runs', run, 'record.jsonl'), 'utf8').trim();
      const events: RecordEvent[] = record.split('\n').map((line) => JSON.parse(line));
      const checks = events.filter((event) => event.event === 'check').sort((a, b) => compareBytes(a.stage ?? '', b.stage ?? ''));
      return checks.map(({ stage, file, check, exit }) => `${stage ?? '?'} ${file ?? check} ${exit ?? 'killed'}`);
    },
  };
}

/** Folders count by being there. */
const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

describe.each(names)('example %s', (name) => {
  const { words, scripts }: Expected = JSON.parse(readFileSync(join(examples, name, 'expected.json'), 'utf8'));

  it(`[I-6] ${name} checks without a warning`, async () => {
    const { flow } = lay(name);
    const { code, out } = await flow('check', './assembly', ...words, '--rehearse', '--warnings-fail');
    expect([code, out]).toEqual([0, expect.not.stringContaining('warning')]);
  });

  it(`[M-5] ${name} has what is expected of every script beside it`, () => {
    const written = readdirSync(join(examples, name)).filter((file) => file.endsWith('.jsonl'));
    expect(Object.keys(scripts).sort()).toEqual(written.sort());
  });

  it.each(Object.entries(scripts))(
    `[M-5 K-1 R-8] ${name} with %s goes its way to the last line, and the record is whole`,
    async (script, expected) => {
      const { flow, work, checks } = lay(name);
      const { code, out, err } = await flow('run', './assembly', ...words, '--script', script, '--in', work, '--json', '-v');
      expect(out, err).not.toBe('');
      const { run, cause, output } = JSON.parse(out);
      expect({ cause, exit: code, checks: checks(run), output: output?.sha256 ?? null, leaves: readdirSync(work).sort() }, err).toEqual(
        expected,
      );
      expect(err).not.toContain('nothing asked for');
      expect((await flow('verify', run)).code).toBe(0);
    },
  );

  it(`[M-5 K-2] ${name} is sent back on its way`, () => {
    const failures = Object.values(scripts).flatMap(({ checks }) => checks.filter((check) => !check.endsWith(' 0')));
    expect(failures).not.toEqual([]);
  });

  it(`[M-6] ${name} rehearses to its end, in one round a stage`, async () => {
    const { flow, work, checks } = lay(name);
    const { code, out, err } = await flow('run', './assembly', ...words, '--rehearse', '--in', work, '--json');
    const { run } = JSON.parse(out);
    expect(code, err).toBe(0);
    expect(checks(run).filter((check) => !check.endsWith(' 0'))).toEqual([]);
    expect((await flow('verify', run)).code).toBe(0);
  });

  it(`[I-6] ${name} shows every gate a good and a bad output`, () => {
    for (const { gate, fixtures } of gatesOf(join(examples, name, 'assembly'))) {
      const verdict = (kind: string) =>
        readdirSync(join(fixtures, kind)).map((file) => judge(gate, join(fixtures, kind, file), join(examples, name)));
      expect(new Set(verdict('pass')), gate).toEqual(new Set(['0 without a word']));
      expect(verdict('fail'), gate).toContain('1 with a reason');
    }
  });

  it(`[M-5] ${name} says in its README how to run it`, () => {
    const readme = readFileSync(join(examples, name, 'README.md'), 'utf8');
    for (const script of Object.keys(scripts)) expect(readme).toContain(`flow run ./assembly ${words.join(' ')} --script ${script}`);
    expect(readme).toContain(`flow run ./assembly ${words.join(' ')} --rehearse`);
  });
});

/** Every gate of an assembly, with the fixtures of its stage. */
function gatesOf(assembly: string): { gate: string; fixtures: string }[] {
  return readdirSync(assembly, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('STAGE.md'))
    .flatMap((path) => {
      const stage = join(assembly, path, '..');
      const gates = existsSync(join(stage, 'gate'))
        ? readdirSync(join(stage, 'gate')).map((file) => join('gate', file))
        : readdirSync(stage);
      return gates
        .filter((file) => /^gate[./]/.test(file))
        .map((file) => ({ gate: join(stage, file), fixtures: join(stage, '.fixtures') }));
    });
}

/** Runs a gate as a run would; the slots that an example declares are the folders beside its assembly. */
function judge(gate: string, output: string, beside: string): string {
  const tmp = mkdtempSync(join(tmpdir(), 'gate-'));
  removals.push(() => rmSync(tmp, { recursive: true, force: true }));
  const folders = readdirSync(beside, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const slots = Object.fromEntries(folders.map((entry) => [basename(entry.name).toUpperCase(), join(beside, entry.name)]));
  const { status, stdout, stderr } = spawnSync(gate, [output], { cwd: tmp, env: { ...process.env, ...slots, TMP: tmp }, encoding: 'utf8' });
  return `${status} ${stdout + stderr === '' ? 'without a word' : 'with a reason'}`;
}
