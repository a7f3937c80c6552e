/** An assembly, runs of it against scripts, and what becomes of them, through the library, on the real disk with real programs. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashLine } from '@gated-flow/record';
import { replay, type ReplayRequest, resume, type ResumeRequest, type ResumeResult, run, type RunRequest } from '../../src/index.js';
import { type Line, plant, sh, stage, stops, type Tree, wrote } from '../run/ground.js';

const roots: string[] = [];

/** Removes what the tests of a file left; for `afterAll`. */
export function clear(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
}

export const NAMES = ['01-read', '02-sort', '03-draft', '04-check', '05-send'] as const;

/** Five stages; each passes when its output says `good`. */
export const FIVE: Tree = Object.fromEntries(
  NAMES.flatMap((name) => [
    [`${name}/STAGE.md`, stage(`Write for ${name}.`, 'retries: 0\n')],
    [`${name}/gate.sh`, sh('grep -q good "$1" || { echo "not good"; exit 1; }')],
  ]),
);

/** Every stage writes `good`, but for those named. */
export function work(...bad: readonly string[]): readonly Line[] {
  return NAMES.flatMap((name) => [wrote(name, bad.includes(name) ? 'bad\n' : `good ${name}\n`), stops(name)]);
}

export interface Ground {
  readonly root: string;
  /** Of the flow. */
  readonly flow: string;
  /** Of all that is run from here on. */
  readonly env: Record<string, string | undefined>;
  readonly home: string;
  plant(tree: Tree): void;
  run(lines: readonly Line[], more?: Partial<RunRequest>): Promise<{ folder: string; name: string; cause: string }>;
  resume(lines: readonly Line[], more?: Partial<ResumeRequest>): Promise<ResumeResult>;
  replay(more?: Partial<ReplayRequest>): ReturnType<typeof replay>;
  /** Every run's name, oldest first. */
  runs(): readonly string[];
}

export function ground(entries: Tree = FIVE, beside: Tree = {}): Ground {
  const root = mkdtempSync(join(tmpdir(), 'flow-resume-'));
  roots.push(root);
  const [home, flow] = [join(root, 'home'), join(root, 'a/flows/main')];
  mkdirSync(join(root, 'work'));
  plant(join(root, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp the reader.\n',
    'flows/main/FLOW.md': '---\ndescription: A flow for a test\n---\nGo on.\n',
    ...beside,
  });
  plant(flow, entries);
  const env: Record<string, string | undefined> = { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: join(root, 'cache') };
  const surroundings = {
    cwd: join(root, 'work'),
    env,
    signal: new AbortController().signal,
  };
  let scripts = 0;
  const models = (lines: readonly Line[]): NonNullable<RunRequest['models']> => {
    const file = join(root, `script-${(scripts += 1)}.jsonl`);
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    return { kind: 'scripted', file };
  };
  return {
    ...{ root, flow, home, env },
    plant: (tree) => plant(flow, tree),
    async run(lines, more = {}) {
      const result = await run({ target: join(root, 'a'), request: 'say it', home, models: models(lines), ...more }, surroundings);
      if (!result.ok) throw new Error(JSON.stringify(result.refusals));
      const { run: name, folder, ending } = result.outcome;
      return { name, folder, cause: ending.cause };
    },
    resume: (lines, more = {}) => resume({ run: 'latest', home, models: models(lines), ...more }, surroundings),
    replay: (more = {}) => replay({ run: 'latest', home, ...more }, surroundings),
    runs: () =>
      readdirSync(join(home, 'runs'))
        .filter((name) => !name.includes('.'))
        .sort(),
  };
}

/** Which steps of a plan are carried, and why the first of the others runs. */
export function carriedOf(result: ResumeResult): { carried: readonly string[]; why: string | null } {
  if (!result.ok) throw new Error(JSON.stringify(result));
  const { rows } = result.plan;
  return { carried: rows.filter((row) => row.carried).map(({ step }) => step), why: rows.find((row) => !row.carried)?.why ?? null };
}

export function refusalOf(result: ResumeResult | Awaited<ReturnType<Ground['replay']>>): string {
  if (result.ok) throw new Error('it was not refused');
  return 'refusals' in result
    ? result.refusals.map(({ message }) => message).join('\n')
    : `damaged: ${JSON.stringify(result.damaged.differences)}`;
}

export function damageOf(result: ResumeResult | Awaited<ReturnType<Ground['replay']>>): readonly string[] {
  if (result.ok || !('damaged' in result)) throw new Error(`it was not called damaged: ${JSON.stringify(result)}`);
  return result.damaged.differences.map(({ path }) => path);
}

/** Every file below a folder with its bytes' hash, its mode and its times: what an untouched folder keeps. */
export function stateOf(folder: string): string {
  const lines: string[] = [];
  const walk = (at: string): void => {
    const { mode, mtimeMs, ctimeMs, size } = lstatSync(at);
    lines.push([at, mode, mtimeMs, ctimeMs, size].join(' '));
    if (lstatSync(at).isDirectory()) for (const name of readdirSync(at).sort()) walk(join(at, name));
    else if (lstatSync(at).isFile()) lines.push(createHash('sha256').update(readFileSync(at)).digest('hex'));
  };
  walk(folder);
  return lines.join('\n');
}

export type Event = Record<string, unknown> & { event: string; stage?: string };

export function eventsOf(folder: string): Event[] {
  return readFileSync(join(folder, 'record.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Event => JSON.parse(line));
}

/** Writes a record anew with a chain that holds, without an end and without seals: what a liar with time can do. */
export function forge(folder: string, change: (events: Event[]) => Event[]): void {
  let prev = createHash('sha256').update('').digest('hex');
  const events = change(eventsOf(folder).filter(({ event }) => event !== 'run_end'));
  const lines = events.map((event) => {
    const line = JSON.stringify({ ...event, prev });
    prev = hashLine(line);
    return line;
  });
  for (const seal of ['manifest.sha256', 'record.sha256']) rmSync(join(folder, seal), { force: true });
  writeFileSync(join(folder, 'record.jsonl'), `${lines.join('\n')}\n`);
}
