/** One home, one assembly and one working tree, in which run follows run, with real files and programs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventName, Fact, FactOf } from '@gated-flow/record';
import { type RunRequest, run } from '../../src/library/run.js';
import type { RunOutcome } from '../../src/run/finish.js';
import { type Line, plant, type Tree } from '../run/ground.js';

export interface Went {
  readonly outcome: RunOutcome;
  readonly facts: readonly Fact[];
  told<N extends EventName>(event: N): FactOf<N>[];
  /** A file of the run's folder, as text. */
  read(path: string): string;
  has(path: string): boolean;
  /** Which stages took over earlier work. */
  reused(): string[];
  /** How many times a model was asked. */
  turns(): number;
}

export interface Yard {
  readonly root: string;
  readonly home: string;
  /** Into the root: `a/…` is the assembly, `work/…` the working tree. */
  plant(tree: Tree): void;
  remove(path: string): void;
  script(lines: readonly Line[]): void;
  /** With `--reuse`, unless the wishes say otherwise. */
  go(request?: Partial<RunRequest>, env?: Readonly<Record<string, string>>): Promise<Went>;
  /** The notes in the home. */
  notes(): string[];
}

const roots: string[] = [];

export function clearYards(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
}

/** With a flow `main` of these entries. */
export function yard(entries: Tree, lines: readonly Line[], flowFront = ''): Yard {
  const root = mkdtempSync(join(tmpdir(), 'flow-reuse-'));
  roots.push(root);
  const home = join(root, 'home');
  mkdirSync(join(root, 'work'));
  const script = (text: readonly Line[]): void =>
    writeFileSync(join(root, 'script.jsonl'), text.map((line) => `${JSON.stringify(line)}\n`).join(''));
  plant(join(root, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp the reader.\n',
    'flows/main/FLOW.md': `---\ndescription: A flow for a test\n${flowFront}---\n`,
    ...Object.fromEntries(Object.entries(entries).map(([path, value]) => [`flows/main/${path}`, value])),
  });
  script(lines);
  return {
    root,
    home,
    plant: (tree) => plant(root, tree),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    script,
    notes: () => (existsSync(join(home, 'reuse')) ? readdirSync(join(home, 'reuse')) : []),
    async go(request = {}, env = {}) {
      const facts: Fact[] = [];
      const ran = await run(
        {
          ...{ target: join(root, 'a'), request: 'the request', home, in: join(root, 'work') },
          models: { kind: 'scripted', file: join(root, 'script.jsonl') },
          wishes: { reuse: true },
          ...request,
        },
        {
          cwd: root,
          env: { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: join(root, 'cache'), ...env },
          signal: new AbortController().signal,
          onFact: (fact) => facts.push(fact),
        },
      );
      if (!ran.ok) throw new Error(`refused: ${JSON.stringify(ran.refusals)}`);
      const { outcome } = ran;
      const told = <N extends EventName>(event: N): FactOf<N>[] => facts.filter((fact): fact is FactOf<N> => fact.event === event);
      return {
        outcome,
        facts,
        told,
        read: (path) => readFileSync(join(outcome.folder, path), 'utf8'),
        has: (path) => existsSync(join(outcome.folder, path)),
        reused: () => told('stage_reused').map(({ stage = '', repeat }) => (repeat === undefined ? stage : `${stage}@${repeat}`)),
        turns: () => told('turn').length,
      };
    },
  };
}
