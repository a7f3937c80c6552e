/** Runs under a governance contract, by the library, on the real disk: one flow `main` and a script. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventName, Fact, FactOf } from '@gated-flow/record';
import { resume, run, type RunRequest, type RunSurroundings } from '../../src/index.js';
import { type Line, plant, type Tree } from '../run/ground.js';

export interface Ground {
  readonly root: string;
  readonly home: string;
  readonly work: string;
  readonly assembly: string;
  /** What stands in a file of the working tree; null when it is not there. */
  left(name: string): string | null;
  run(lines: readonly Line[], asked?: Asking): Promise<Ended>;
  /** Of the newest run, unless said. */
  resume(lines: readonly Line[], asked?: Asking & { readonly of?: string }): Promise<Ended>;
}

export interface Asking extends Pick<RunRequest, 'wishes' | 'deadline' | 'governance' | 'options'>, Partial<RunSurroundings> {}

export interface Ended {
  readonly run: string;
  readonly folder: string;
  readonly cause: string;
  readonly reason: string;
  readonly facts: readonly Fact[];
  told<N extends EventName>(event: N): FactOf<N>[];
  readonly pending: readonly string[];
}

const roots: string[] = [];

export function clear(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
}

/** With `stages` of a contract named `open`; more of it in `more`. */
export function ground(
  entries: Tree,
  stages: object,
  { more = {}, root: beside = {} }: { readonly more?: object; readonly root?: Tree } = {},
): Ground {
  const root = mkdtempSync(join(tmpdir(), 'flow-governance-'));
  roots.push(root);
  const at = { root, home: join(root, 'home'), work: join(root, 'work'), assembly: join(root, 'a') };
  mkdirSync(at.work);
  plant(at.assembly, {
    'ASSEMBLY.md': '---\n---\nHelp the reader.\n',
    'flows/main/FLOW.md': '---\ndescription: A flow for a test\n---\n',
    'governance.contract.json': JSON.stringify({ contract_type: 'governance', contract_name: 'open', stages, ...more }),
    ...Object.fromEntries(Object.entries(entries).map(([path, value]) => [`flows/main/${path}`, value])),
    ...beside,
  });
  const env = { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: join(root, 'cache') };
  const surroundings = (facts: Fact[], asked: Asking): RunSurroundings => ({
    cwd: at.work,
    env,
    signal: new AbortController().signal,
    onFact: (fact) => void facts.push(fact),
    ...asked,
  });
  const words = (lines: readonly Line[], { wishes, deadline, governance, options }: Asking) => ({
    home: at.home,
    in: at.work,
    models: { kind: 'scripted', file: script(root, lines) } as const,
    ...(wishes === undefined ? {} : { wishes }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(governance === undefined ? {} : { governance }),
    ...(options === undefined ? {} : { options }),
  });
  return {
    ...at,
    left: (name) => (existsSync(join(at.work, name)) ? readFileSync(join(at.work, name), 'utf8') : null),
    async run(lines, asked = {}) {
      const facts: Fact[] = [];
      const ran = await run({ target: at.assembly, request: 'the request', ...words(lines, asked) }, surroundings(facts, asked));
      if (!ran.ok) throw new Error(`refused: ${JSON.stringify(ran.refusals)}`);
      return ended(ran.outcome, facts);
    },
    async resume(lines, asked = {}) {
      const facts: Fact[] = [];
      const ran = await resume({ run: asked.of ?? 'latest', ...words(lines, asked) }, surroundings(facts, asked));
      if (!ran.ok || ran.outcome === null) throw new Error(`refused: ${JSON.stringify(ran)}`);
      return ended(ran.outcome, facts);
    },
  };
}

let scripts = 0;

function script(root: string, lines: readonly Line[]): string {
  const file = join(root, `script-${(scripts += 1)}.jsonl`);
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return file;
}

type Outcome = Extract<Awaited<ReturnType<typeof run>>, { ok: true }>['outcome'];

function ended({ run: name, folder, ending }: Outcome, facts: readonly Fact[]): Ended {
  const told = <N extends EventName>(event: N): FactOf<N>[] => facts.filter((fact): fact is FactOf<N> => fact.event === event);
  return {
    ...{ run: name, folder, cause: ending.cause, reason: ending.reason ?? '', facts, told },
    pending: told('run_end').at(-1)?.pending ?? [],
  };
}

/** `state by via`, in order. */
export const leave = (run: Ended): readonly string[] =>
  run.told('authorization').map(({ state, by, via }) => [state, by, via].filter((word) => word !== undefined).join(' '));

export const namesIn = (home: string, shelf: string): readonly string[] => {
  const folder = join(home, 'authorizations', shelf);
  return existsSync(folder) ? readdirSync(folder) : [];
};
