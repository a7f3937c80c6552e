import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Fact, openRecord, readAssembly, run, type RunRequest, type RunResult } from '../../src/index.js';
import { calls, plant, sh, stage, stops, wrote } from '../run/ground.js';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

function place(): string {
  const root = mkdtempSync(join(tmpdir(), 'flow-library-'));
  roots.push(root);
  mkdirSync(join(root, 'work'));
  plant(join(root, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp.\n',
    'flows/main/FLOW.md': '---\ndescription: A flow\n---\n',
    'flows/main/01-word/STAGE.md': stage(),
    'flows/main/01-word/gate': sh('grep -q hello "$1"'),
  });
  return root;
}

function script(root: string, lines: readonly object[]): RunRequest['models'] {
  writeFileSync(join(root, 's.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  return { kind: 'scripted', file: '../s.jsonl' };
}

interface Asked {
  readonly signal?: AbortSignal;
  readonly onFact?: (fact: Fact) => void;
}

function go(root: string, request: Partial<RunRequest>, { signal = new AbortController().signal, onFact }: Asked = {}): Promise<RunResult> {
  const surroundings = { cwd: join(root, 'work'), env: { ...process.env, XDG_CACHE_HOME: join(root, 'cache') }, signal };
  const asked = { target: '../a', home: join(root, 'home'), request: 'say it', ...request };
  return run(asked, onFact === undefined ? surroundings : { ...surroundings, onFact });
}

function outcomeOf(result: RunResult): Extract<RunResult, { ok: true }>['outcome'] {
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result.outcome;
}

describe('[I-9] the library', () => {
  it('[I-9] runs an assembly, tells its facts, and opens what it left', async () => {
    const root = place();
    const facts: Fact[] = [];
    const models = script(root, [wrote('01-word', 'hello\n'), stops('01-word')]);
    const outcome = outcomeOf(await go(root, models ? { models } : {}, { onFact: (fact) => facts.push(fact) }));
    expect(outcome.ending).toMatchObject({ cause: 'success', exit: 0 });
    expect(readFileSync(outcome.output?.file ?? '', 'utf8')).toBe('hello\n');

    const record = openRecord(outcome.folder);
    const events: string[] = [];
    for await (const { event } of record.events()) events.push(event);
    expect(events).toEqual(facts.map(({ event }) => event));
    expect((await record.read()).view?.ending).toMatchObject({ cause: 'success' });
    expect(await record.verify()).toMatchObject({ verified: true, differences: [] });
  });

  it('[I-9 A-18] what is refused is a value', async () => {
    const root = place();
    writeFileSync(join(root, 'a/flows/main/01-word/STAGE.md'), '---\n---\n');
    expect(await go(root, { models: { kind: 'rehearsal', choose: [] } })).toMatchObject({
      ok: false,
      refusals: [{ code: 'body-missing', path: 'flows/main/01-word/STAGE.md' }],
    });
    expect(await readAssembly(join(root, 'a'))).toMatchObject({ ok: false });
  });

  it('[I-9 E-2] a caller that aborts stops the run as SIGTERM would, and the process stays its own', async () => {
    const root = place();
    const before = process.listenerCount('SIGTERM');
    const controller = new AbortController();
    const models = script(root, [calls('01-word', 'bash', { command: 'sleep 61' })]);
    const running = go(root, models ? { models } : {}, {
      signal: controller.signal,
      onFact: ({ event }) => {
        if (event === 'prompt') controller.abort();
      },
    });
    expect(outcomeOf(await running).ending).toMatchObject({ cause: 'signal', exit: 143 });
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
