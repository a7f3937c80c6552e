import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '@gated-flow/contract';
import { readRecord } from '@gated-flow/record';
import { createRedactor } from '@gated-flow/text';
import { afterAll, describe, expect, it } from 'vitest';
import { runlog, type RunFiles } from '../../src/reports/runlog.js';
import { contract } from '../contracts/ground.js';
import { type Ask, calls, clear, go, type Line, type Ran, sh, stage, stops, type Tree, wrote } from '../run/ground.js';

afterAll(clear);

interface Entry {
  readonly stage: string;
  readonly flow: string;
  readonly repeat?: number;
  readonly input: string | null;
  readonly output: string | null;
  readonly tool_calls: readonly { readonly name: string; readonly arguments: unknown }[] | null;
  readonly duration_ms: number | null;
  readonly cost_usd: number | null;
  readonly steps: number | null;
  readonly commands: readonly string[] | null;
  readonly changed_files: readonly string[] | null;
  readonly rounds: number;
  readonly cause: string;
}

function files(folder: string): RunFiles {
  return {
    async *events() {
      const record = readRecord(join(folder, 'record.jsonl'));
      for await (const lines of record.pieces) for (const { event } of lines) if (event !== null) yield event;
    },
    read: async (path, most) => {
      const at = join(folder, path);
      return existsSync(at) && statSync(at).size <= most ? readFileSync(at) : null;
    },
    pieces: (path) => createReadStream(join(folder, path)),
    child: (below) => files(join(folder, below)),
  };
}

async function logOf(ran: Ran, secrets: readonly string[] = []): Promise<{ text: string; entries: readonly Entry[] }> {
  const lines: string[] = [];
  for await (const line of runlog(files(ran.outcome.folder), createRedactor(secrets))) lines.push(line);
  return { text: lines.join(''), entries: lines.map((line): Entry => JSON.parse(line)) };
}

/** What `agentcontract validate` makes of the log of a run under its own contract. */
async function validated(
  ran: Ran,
  clauses: string,
): Promise<{ exit: number; violated: readonly string[]; unevaluated: readonly string[] }> {
  const { text } = await logOf(ran);
  writeFileSync(join(ran.root, 'c.contract.yaml'), contract(clauses));
  let said = '';
  const exit = await runCommand(['validate', 'c.contract.yaml', '-', '--format', 'json'], {
    out: async (piece) => void (said += piece),
    err: (piece) => void (said += piece),
    async *stdin() {
      yield Buffer.from(text);
    },
    env: {},
    cwd: ran.root,
    program: 'agentcontract',
  });
  const { runs, unevaluated }: Report = JSON.parse(said);
  return {
    exit,
    violated: runs.flatMap(({ violations }) => violations.map(({ clause_name }) => clause_name)),
    unevaluated: unevaluated.map(({ clause_name }) => clause_name),
  };
}

interface Named {
  readonly clause_name: string;
}
interface Report {
  readonly runs: readonly { readonly violations: readonly Named[] }[];
  readonly unevaluated: readonly Named[];
}

const held = (clauses: string, front = '', more: Tree = {}): Tree => ({
  '01-a/STAGE.md': stage('Write.', front),
  '01-a/x.contract.yaml': contract(clauses),
  ...more,
});
const bash = (command: string): Line => calls('01-a', 'bash', { command });

interface Case {
  readonly a: string;
  readonly clauses: string;
  readonly lines: readonly Line[];
  readonly ask?: Ask;
  readonly breaks?: string;
}

describe('[C-13] the run log of a run', () => {
  it('[C-13] has a line for each agent that worked, with what it was given, did, took and left', async () => {
    const ran = await go(
      { '01-a.md': stage(), '02-b.md': stage() },
      [
        calls('01-a', 'write', { path: 'notes/x.md', content: 'n' }),
        wrote('01-a', 'first'),
        stops('01-a'),
        calls('02-b', 'bash', { command: 'cat "$INPUT"/* > "$OUTPUT"' }),
        stops('02-b'),
      ],
      { costUsd: 0.25 },
    );
    const { entries } = await logOf(ran);
    expect(entries).toMatchObject([
      {
        ...{ stage: '01-a', flow: 'main', input: 'the request', output: 'first', cost_usd: 0.75, steps: 3, rounds: 1, cause: 'success' },
        tool_calls: [
          { name: 'write', arguments: { path: 'notes/x.md', content: 'n' } },
          { name: 'write', arguments: { path: '$OUTPUT' } },
        ],
        ...{ commands: [], changed_files: ['notes/x.md'] },
      },
      { ...{ stage: '02-b', input: 'first', output: 'first' }, commands: ['cat "$INPUT"/* > "$OUTPUT"'], changed_files: null },
    ]);
    for (const { duration_ms } of entries) expect(duration_ms).toBeGreaterThanOrEqual(0);
  });

  it.each<Case>([
    {
      a: 'keeps everything',
      clauses: 'must_not: [contain "foo"]\nlimits: {max_tool_calls: 2}\n',
      lines: [wrote('01-a', 'bar'), stops('01-a')],
    },
    {
      a: 'is rejected for its output',
      clauses: 'must_not: [contain "foo"]\n',
      lines: [wrote('01-a', 'foo'), stops('01-a')],
      breaks: 'must_not[0]',
    },
    {
      ...{ a: 'was repaired', clauses: 'must_not: [contain "foo"]\n', ask: { flowFront: 'retries: 1\n' } },
      lines: [wrote('01-a', 'foo'), stops('01-a'), wrote('01-a', 'x'), stops('01-a')],
    },
    {
      a: 'wanted one call too many',
      clauses: 'limits: {max_tool_calls: 1}\n',
      lines: [bash('true'), wrote('01-a', 'x')],
      breaks: 'max_tool_calls',
    },
    { a: 'wanted one step too many', clauses: 'limits: {max_steps: 1}\n', lines: [wrote('01-a', 'x'), stops('01-a')], breaks: 'max_steps' },
    {
      ...{ a: 'cost too much', clauses: 'assert:\n  - {name: cheap, description: x, type: cost, max_usd: 0.3}\n', ask: { costUsd: 0.2 } },
      ...{ lines: [wrote('01-a', 'x'), stops('01-a')], breaks: 'cheap' },
    },
    { a: 'called what it may not', clauses: 'invariant: [does not call tool bash]\n', lines: [bash('true')], breaks: 'invariant[0]' },
    { a: 'was not let in', clauses: 'requires: [input contains "please"]\n', lines: [], breaks: 'requires[0]' },
    {
      ...{ a: 'only warns', clauses: 'ensures: [output is valid JSON]\non_violation: {default: warn}\n' },
      ...{ lines: [wrote('01-a', 'x'), stops('01-a')], breaks: 'ensures[0]' },
    },
    {
      ...{ a: 'is no UTF-8', clauses: 'ensures: [output is valid UTF-8]\n' },
      ...{ lines: [bash('printf "\\377" > "$OUTPUT"'), stops('01-a')], breaks: 'ensures[0]' },
    },
  ])('[C-13 C-11] piped into agentcontract validate gives the same verdicts: a run that $a', async ({ clauses, lines, ask, breaks }) => {
    const ran = await go(held(clauses), lines, { flowFront: 'retries: 0\n', ...ask });
    const { exit, violated } = await validated(ran, clauses);
    expect(violated).toEqual(breaks === undefined ? [] : [breaks]);
    expect(exit).toBe(ran.outcome.ending.exit);
  });

  it('[C-13 C-7] counts no denied call, none with wrong arguments, no control tool, and nothing that was not begun', async () => {
    const ran = await go(
      { '01-a/STAGE.md': stage('Write.\n\n# Checklist\n\n- Wrote it\n', 'access: {bash: ["true"], write: [OUTPUT]}\n') },
      [
        {
          stage: '01-a',
          calls: [
            { tool: 'bash', input: { command: 'rm -rf x' } },
            { tool: 'nothing', input: {} },
            { tool: 'write', input: { path: 1 } },
          ],
        },
        calls('01-a', 'mark', { item: 1, state: 'done', evidence: 'e' }),
        calls('01-a', 'bash', { command: 'true' }),
        {
          stage: '01-a',
          calls: [
            { tool: 'refuse', input: { reason: 'no' } },
            { tool: 'write', input: { path: '$OUTPUT', content: 'x' } },
          ],
        },
      ],
    );
    expect(ran.cause()).toBe('refused');
    const { entries } = await logOf(ran);
    expect(entries).toMatchObject([{ tool_calls: [{ name: 'bash', arguments: { command: 'true' } }], output: null, cause: 'refused' }]);
  });

  it('[C-13 G-7] has the lines of child runs before their caller’s', async () => {
    const ran = await go(
      { '01-a.md': stage() },
      [
        calls('01-a', 'subflow', { calls: [{ flow: 'oracle', input: 'what?' }] }),
        { ...wrote('01-say', 'that'), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        wrote('01-a', 'done'),
        stops('01-a'),
      ],
      { root: { 'subflows/oracle/FLOW.md': '---\ndescription: Answers\n---\n', 'subflows/oracle/01-say.md': stage('Say.') } },
    );
    const { entries } = await logOf(ran);
    expect(entries.map(({ flow, stage: of, input, output }) => [flow, of, input, output])).toEqual([
      ['oracle', '01-say', 'what?', 'that'],
      ['main', '01-a', 'the request', 'done'],
    ]);
    expect(entries[1]?.tool_calls?.map(({ name }) => name)).toEqual(['subflow', 'write']);
    expect(entries[1]?.changed_files).toBeNull();
  });

  it('[C-13 G-3] has a line for each repeat of a loop, and none for what has not ended', async () => {
    const ran = await go({ '01-l/LOOP.md': '---\nrepeat: 2\n---\nMore?\n', '01-l/01-a.md': stage(), '02-b.md': stage() }, [
      wrote('01-l/01-a', 'one'),
      stops('01-l/01-a'),
      calls('01-l/01-a', 'continue', { answer: 'continue', reason: 'r' }),
      wrote('01-l/01-a', 'two'),
      stops('01-l/01-a'),
      calls('01-l/01-a', 'continue', { answer: 'stop', reason: 'r' }),
      wrote('02-b', 'x'),
      stops('02-b'),
    ]);
    const { entries } = await logOf(ran);
    expect(entries.map(({ stage: of, repeat, output }) => [of, repeat, output])).toEqual([
      ['01-l/01-a', 1, 'one'],
      ['01-l/01-a', 2, 'two'],
      ['02-b', undefined, 'x'],
    ]);
  });

  it('[C-13] what `before` may have changed is unknown, as is an output that nobody looked at', async () => {
    const ran = await go(held('must: [output is non-empty]\n', '', { '01-a/before.sh': sh('echo changed > "$INPUT/request.txt"') }), [
      wrote('01-a', 'half'),
      calls('01-a', 'fault', { reason: 'broken' }),
    ]);
    const { entries } = await logOf(ran);
    expect(entries).toMatchObject([{ input: null, output: null, cause: 'fault', steps: 2 }]);
  });

  it('[C-13 S-2] has no secret in it, and several inputs as an object of name to text', async () => {
    const ran = await go(
      { '01-p/PARALLEL.md': '---\n---\n', '01-p/a.md': stage(), '01-p/b.md': stage(), '02-c.md': stage() },
      ['a', 'b']
        .flatMap((name) => [wrote(`01-p/${name}`, `it is hunter2-hunter2`), stops(`01-p/${name}`)])
        .concat([wrote('02-c', 'x'), stops('02-c')]),
    );
    const { text, entries } = await logOf(ran, ['hunter2-hunter2']);
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(entries.at(-1)?.input ?? '')).toEqual({ 'a.txt': 'it is ***', 'b.txt': 'it is ***' });
  });
});
