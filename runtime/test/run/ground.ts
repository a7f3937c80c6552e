/** Plants an assembly in a scratch folder and runs it in this process, on the real disk with real programs. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readAssembly } from '@gated-flow/assembly';
import type { Fact, FactOf, EventName } from '@gated-flow/record';
import { openMachine } from '../../src/io/machine.js';
import { createPrograms } from '../../src/io/programs/programs.js';
import { runPrepared } from '../../src/main.js';
import { rehearsalModel } from '../../src/models/rehearsal/model.js';
import { openScript, type OpenScript } from '../../src/models/scripted/model.js';
import { readScript } from '../../src/models/scripted/read.js';
import type { Invocation } from '../../src/plan/invocation.js';
import type { Plan } from '../../src/plan/plan.js';
import { loadConfig } from '../../src/plan/config/load.js';
import { prepare } from '../../src/plan/prepare.js';
import type { Model, ModelRequest } from '../../src/ports/model.js';
import { openHome } from '../../src/record/home.js';
import type { RunOutcome } from '../../src/run/finish.js';
import type { Machine } from '../../src/run/machine.js';
import type { RunOptions } from '../../src/run/options.js';
import type { Activity } from '../../src/stage/activity.js';
import { leapingClock } from '../io/leaping-clock.js';

/** A file, an executable (`x`), a symbolic link, bytes, or an empty folder. */
export type Planted = string | { readonly x: string } | { readonly link: string } | { readonly bytes: Uint8Array } | { readonly dir: true };
export type Tree = Readonly<Record<string, Planted>>;

export function plant(root: string, tree: Tree): void {
  for (const [path, value] of Object.entries(tree)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    if (typeof value === 'string') writeFileSync(at, value);
    else if ('x' in value) {
      writeFileSync(at, value.x);
      chmodSync(at, 0o755);
    } else if ('link' in value) symlinkSync(value.link, at);
    else if ('bytes' in value) writeFileSync(at, value.bytes);
    else mkdirSync(at, { recursive: true });
  }
}

export const sh = (text: string): Planted => ({ x: `#!/bin/sh\n${text}\n` });
export const stage = (body = 'Write the word.', front = ''): string => `---\n${front}---\n${body}\n`;

export type Line = Readonly<Record<string, unknown>>;
export const calls = (name: string, tool: string, input: object, more: Line = {}): Line => ({
  stage: name,
  calls: [{ tool, input }],
  ...more,
});
export const wrote = (name: string, content: string, more: Line = {}): Line => calls(name, 'write', { path: '$OUTPUT', content }, more);
export const stops = (name: string, more: Line = {}): Line => ({ stage: name, text: 'done', ...more });

export interface Ran {
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  readonly facts: readonly Fact[];
  /** Those of all child runs, in the order in which they were written. */
  readonly childFacts: readonly Fact[];
  readonly activities: readonly Activity[];
  /** What the caller was told. */
  readonly notices: readonly string[];
  /** Every request that the model was given. */
  readonly requests: readonly ModelRequest[];
  /** Scratch root; `work` below it is `$PWD`. */
  readonly root: string;
  told<N extends EventName>(event: N): FactOf<N>[];
  /** A file of the run's folder, as text. */
  read(path: string): string;
  has(path: string): boolean;
  cause(): string;
}

export interface Ask {
  readonly request?: string;
  /** Beside the flow: `ASSEMBLY.md`, `lib/…`, `skills/…`. */
  readonly root?: Tree;
  readonly work?: Tree;
  readonly config?: string;
  /** Over the caller's; may need to know the scratch root. */
  readonly env?: (root: string) => Readonly<Record<string, string>>;
  readonly invocation?: Partial<Invocation>;
  readonly rehearse?: boolean;
  /** What each turn costs; nothing unless said. */
  readonly costUsd?: number;
  readonly isolate?: 'clean' | 'dirty';
  readonly debugReceipts?: true;
  /** Asked for leave when a rule of the governance contract holds a call. */
  readonly approve?: RunOptions['approve'];
  readonly approvalWaitSeconds?: number;
  /** Instead of the script. */
  readonly models?: (machine: Machine) => () => Model;
  /** Alters the machine, to let something fail; `root` is the scratch root. */
  readonly machine?: (machine: Machine, root: string) => Machine;
  readonly flowFront?: string;
}

/** A machine on which limits of time are met as soon as this file is in the working tree and has a byte, and no earlier. */
export const leapsAt =
  (name: string): Ask['machine'] =>
  (machine, root) =>
    leaping(machine, () => (statSync(join(root, 'work', name), { throwIfNoEntry: false })?.size ?? 0) > 0);

/** As `leapsAt`, by any condition. */
export function leaping(machine: Machine, happened: () => boolean): Machine {
  const clock = leapingClock(happened);
  const { boot } = machine.processes.self();
  return {
    ...machine,
    clock,
    programs: (started) => createPrograms({ clock, started: ({ group, startTime }) => started({ pid: group, started: startTime, boot }) }),
  };
}

const roots: string[] = [];

/** Removes what the tests of a file left; for `afterAll`. */
export function clear(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
}

/** Runs one flow `main` with these entries against a script. */
export async function go(entries: Tree, lines: readonly Line[], ask: Ask = {}): Promise<Ran> {
  const root = mkdtempSync(join(tmpdir(), 'flow-test-'));
  roots.push(root);
  mkdirSync(join(root, 'work'));
  plant(join(root, 'work'), ask.work ?? {});
  if (ask.config !== undefined) plant(join(root, 'home'), { 'config.yaml': ask.config });
  plant(join(root, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp the reader.\n',
    'flows/main/FLOW.md': `---\ndescription: A flow for a test\n${ask.flowFront ?? ''}---\n`,
    ...Object.fromEntries(Object.entries(entries).map(([path, value]) => [`flows/main/${path}`, value])),
    ...ask.root,
  });
  const env = { ...process.env, XDG_CACHE_HOME: join(root, 'cache'), ...ask.env?.(root) };
  const opened = openMachine(env);
  try {
    return await runIn(root, { lines, ask, env, machine: ask.machine?.(opened, root) ?? opened });
  } finally {
    opened.dispose();
  }
}

interface Running {
  readonly lines: readonly Line[];
  readonly ask: Ask;
  readonly env: Record<string, string | undefined>;
  readonly machine: Machine;
}

async function runIn(root: string, { lines, ask, env, machine }: Running): Promise<Ran> {
  const prepared = await prepare(invocation(root, ask), {
    env,
    cwd: join(root, 'work'),
    disk: machine.disk,
    readConfig: (home) => loadConfig(home, machine.disk),
    readAssembly,
    stdin: { isTerminal: true, read: async () => new Uint8Array(), notice: () => {} },
    discover: async () => null,
  });
  if (!prepared.ok) throw new Error(`refused: ${JSON.stringify(prepared.refusals)}`);
  const refusal = await openHome(prepared.home, machine);
  if (refusal) throw new Error(refusal.message);

  const requests: ModelRequest[] = [];
  const played = script(lines, machine);
  const models = ask.models?.(machine) ?? (ask.rehearse ? rehearsalModel : played.model);
  const facts: Fact[] = [];
  const childFacts: Fact[] = [];
  const activities: Activity[] = [];
  const notices: string[] = [];
  const ran = await runPrepared(
    prepared,
    {
      source: ask.rehearse ? 'rehearsal' : 'scripted',
      openModels() {
        const model = watched(models(), requests, ask);
        return () => model;
      },
      judges: ask.rehearse ? { judges: 'nobody', why: 'a rehearsal asks no model' } : { judges: 'script', answer: played.judge },
      onNotice: (sentence) => notices.push(sentence),
      ...(ask.isolate ? { isolate: ask.isolate } : {}),
      ...(ask.debugReceipts ? { debugReceipts: ask.debugReceipts } : {}),
      ...(ask.approve ? { approve: ask.approve } : {}),
      ...(ask.approvalWaitSeconds === undefined ? {} : { approvalWaitSeconds: ask.approvalWaitSeconds }),
      onFact: (fact, child) => (child === null ? facts : childFacts).push(fact),
      onActivity: (activity) => activities.push(activity),
    },
    machine,
  );
  if (!ran.ok) throw new Error(`refused: ${JSON.stringify(ran.refusals)}`);
  const { outcome } = ran;
  return {
    plan: prepared.plan,
    outcome,
    facts,
    childFacts,
    activities,
    notices,
    requests,
    root,
    told: <N extends EventName>(event: N) => facts.filter((fact): fact is FactOf<N> => fact.event === event),
    read: (path) => readFileSync(join(outcome.folder, path), 'utf8'),
    has: (path) => existsSync(join(outcome.folder, path)),
    cause: () => outcome.ending.cause,
  };
}

function invocation(root: string, ask: Ask): Invocation {
  return {
    purpose: 'run',
    target: join(root, 'a'),
    request: { words: [ask.request ?? 'the request'], none: false },
    home: join(root, 'home'),
    in: join(root, 'work'),
    slots: [],
    optionNames: [],
    options: {},
    route: false,
    models: ask.rehearse ? 'rehearsal' : 'scripted',
    ...ask.invocation,
  };
}

function script(lines: readonly Line[], machine: Machine): OpenScript {
  const read = readScript(lines.map((line) => JSON.stringify(line)).join('\n'));
  if (!read.ok) throw new Error(`the script: ${JSON.stringify(read.refusals)}`);
  return openScript(read.script, { clock: machine.clock });
}

/** Keeps a copy of what the model is asked, as it was at that moment. */
function watched(model: Model, requests: ModelRequest[], { costUsd }: Ask): Model {
  return {
    source: model.source,
    open(who) {
      const session = model.open(who);
      return {
        ...session,
        async next(request) {
          requests.push({ ...request, messages: [...request.messages] });
          const turn = await session.next(request);
          return turn.turn === 'answer' && costUsd !== undefined ? { ...turn, costUsd } : turn;
        },
      };
    },
  };
}
