/** A user's home that is no temporary folder, with secrets, a working tree and an assembly, and contained runs in it. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseSessionLine } from '@gated-flow/record';
import { onTestFinished } from 'vitest';
import { launcherFinder } from '../../src/io/sandbox/launcher.js';
import { run, type RunRequest } from '../../src/library/run.js';
import type { RunOutcome } from '../../src/run/finish.js';
import { plant, type Tree } from '../run/ground.js';

const found = await launcherFinder(process.env)(false);
/** Null when programs cannot be contained here. */
export const launcher = found.found === 'works' ? found.launcher : null;
/** Stands in the names of the tests that are left out without it. */
export const NEEDS = 'needs bubblewrap: apt-get install bubblewrap';

const SECRETS: Tree = {
  '.ssh/id_rsa': 'SECRET-ssh',
  '.aws/credentials': 'SECRET-aws',
  '.config/gh/hosts.yml': 'SECRET-gh',
  '.netrc': 'SECRET-netrc',
  '.npmrc': 'SECRET-npm',
  '.cache/other/scratch': 'SECRET-cache',
  'notes.txt': 'plain notes',
};

export interface Ground {
  /** The user's home. */
  readonly user: string;
  readonly tree: string;
  readonly flowHome: string;
  /** What the contained agent reads back of each call, in order; and how the run ended. */
  ask(calls: readonly Call[], more?: Partial<RunRequest>): Promise<Asked>;
}

export type Call = string | { readonly tool: string; readonly input: object };

export interface Asked {
  readonly answers: readonly string[];
  readonly outcome: RunOutcome;
}

export interface Planting {
  /** Below the user's home. */
  readonly tree?: string;
  readonly work?: Tree;
  /** Below the user's home. */
  readonly assembly?: string;
  readonly stage?: Tree;
  readonly env?: Readonly<Record<string, string>>;
  /** Not in the repository but in the system's temporary folder. */
  readonly base?: string;
}

/** A place that is not emptied for contained programs anyway: below the packages of this repository, or the user's home where that stands in /tmp. */
const PACKAGES = join(import.meta.dirname, '../../../node_modules');
const BASE = /^\/(tmp|var\/tmp|run)\//.test(realpathSync(PACKAGES)) ? homedir() : PACKAGES;

export function ground(planting: Planting = {}): Ground {
  const base = realpathSync(mkdtempSync(join(planting.base ?? BASE, '.w-tést ')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const user = join(base, 'user');
  const tree = join(user, planting.tree ?? 'tree');
  const assembly = join(user, planting.assembly ?? 'assembly/act');
  mkdirSync(tree, { recursive: true });
  plant(user, SECRETS);
  plant(tree, planting.work ?? {});
  plant(assembly, { 'STAGE.md': '---\n---\nACT-INSTRUCTIONS\n', ...planting.stage });
  const env = { ...process.env, HOME: user, XDG_CACHE_HOME: undefined, XDG_DATA_HOME: undefined, FLOW_HOME: undefined, ...planting.env };
  return {
    ...{ user, tree, flowHome: join(user, '.local/share/flow') },
    async ask(calls, more = {}) {
      const script = join(base, 'script.jsonl');
      const turns = calls.map((call) => ({
        stage: 'act',
        calls: [typeof call === 'string' ? { tool: 'bash', input: { command: call } } : call],
      }));
      const last = { stage: 'act', calls: [{ tool: 'write', input: { path: '$OUTPUT', content: 'done' } }] };
      writeFileSync(
        script,
        [...turns, last, ...Array.from({ length: 3 }, () => ({ stage: 'act', text: 'done' }))]
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
      const ended = await run(
        {
          target: assembly,
          in: tree,
          models: { kind: 'scripted', file: script },
          options: { retries: '0' },
          wishes: { sandbox: 'agent' },
          ...more,
        },
        { cwd: base, env, signal: new AbortController().signal },
      );
      if (!ended.ok) throw new Error(`refused: ${JSON.stringify(ended.refusals)}`);
      return { answers: answersOf(ended.outcome), outcome: ended.outcome };
    },
  };
}

function answersOf({ folder }: RunOutcome): string[] {
  const lines = readFileSync(join(folder, 'stages/act/1/session.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => {
    const entry = parseSessionLine(Buffer.from(line));
    return entry?.kind === 'tool' ? entry.results.map(({ output }) => output) : [];
  });
}
