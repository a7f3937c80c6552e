import { describe, expect, it } from 'vitest';
import { exitOf } from '../src/report/summary.js';
import type { Line } from '../src/runlog/lines.js';
import { linesOf } from '../src/runlog/lines.js';
import { judged, LOG, run } from './judged-log.js';

describe('[C-11] judging a log', () => {
  it('counts, and ends with the worst', async () => {
    const { summary } = await judged(LOG);
    expect(summary).toMatchObject({ runs: 4, passed: 1, warned: 1, blocked: 2, malformed: 1 });
    expect(exitOf(summary)).toBe(2);
    expect(exitOf((await judged([run('foo')])).summary)).toBe(1);
    expect(exitOf((await judged([run('x', { duration_ms: 11 })])).summary)).toBe(0);
  });

  it('[C-4] a log has no steps but its tool calls', async () => {
    const { summary } = await judged([run('x')]);
    expect([...summary.unevaluated.keys()]).toEqual(['invariant[0]', 'must[0]']);
    expect(exitOf((await judged([run('x')], { strict: true })).summary)).toBe(1);
  });

  it.each([
    ['[]', 'It is not a JSON object.'],
    ['{}', 'It has none of'],
    ['{"output": "x", "cost_usd": "1"}', '"cost_usd" is not a number'],
    ['{"output": "x", "duration_ms": -1}', '"duration_ms" is not a number'],
    ['{"output": "x", "tool_calls": 3}', '"tool_calls" is not a list'],
    ['{"output": "x", "tool_calls": [{"nam": "a"}]}', '"tool_calls" is not a list'],
    ['{"output": "x"', 'It is not JSON'],
    ['\ufeff{"output": "x"}', 'It begins with a byte-order mark.'],
    [`{"output": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'It is nested deeper than 1000 levels.'],
    [`{"tool_calls": [{"name": "a", "arguments": ${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}]}`, 'It is nested deeper'],
  ])('%.60s is malformed', async (line, message) => {
    const { all } = await judged([line]);
    expect(all[0]).toMatchObject({ is: 'malformed', line: 1, message: expect.stringContaining(message) });
  });

  it('a key the specification does not have may mean anything to whoever wrote it', async () => {
    const line = run('x', { run_id: 'run-17', timestamp: 1_718_000_000, steps: [{ name: 'plan' }], model: { name: 'm' }, commands: 'ls' });
    const { all } = await judged([line], { clauses: 'limits: {max_steps: 1}\nmust: [runs no commands]\n' });
    expect(all[0]).toMatchObject({ is: 'judged', report: { violations: [] } });
    expect(all[0]?.is === 'judged' && all[0].report).not.toMatchObject({ runId: 'run-17' });
    expect(all[0]?.is === 'judged' && all[0].report.unevaluated.map(({ clause_name }) => clause_name)).toEqual(['max_steps', 'must[0]']);
  });

  it('takes the names others write, and JSON values as their JSON', async () => {
    const { summary } = await judged([run({ a: 1 }, { tool_calls: [{ toolName: 'a', args: {} }, { tool: 'b' }] }), run(null)], {
      clauses: 'must: [call tools a and b]\nensures: [output is valid JSON]\n',
    });
    expect(summary).toMatchObject({ passed: 1, blocked: 1 });
    expect(summary.unevaluated.get('ensures[0]')?.runs).toBe(1);
  });

  it('[C-9] nothing of the past can be rolled back', async () => {
    const { all } = await judged([run('foo')], { clauses: 'must_not: [contain "foo"]\non_violation: {default: rollback}\n' });
    expect(all[0]).toMatchObject({
      report: {
        action: 'block',
        violations: [{ severity: 'rollback', action_taken: 'block', details: expect.stringContaining('the run is over') }],
      },
    });
  });

  it('lines: any cut gives the same, and what is no text is said', async () => {
    const bytes = Buffer.from('a\n\nb😀\r\n\xff\nlast', 'latin1');
    const whole = Buffer.concat([Buffer.from('a\n\nb😀\r\n'), Buffer.from([0xff, 0x0a]), Buffer.from('last')]);
    expect(bytes.length).toBeGreaterThan(0);
    for (let size = 1; size < 9; size++) {
      const lines: Line[] = [];
      for await (const some of linesOf(chunked(whole, size))) lines.push(...some);
      expect(lines.map((line) => `${line.number} ${line.is === 'text' ? `${line.text.trim()} ${line.whole}` : line.message}`)).toEqual([
        '1 a true',
        '3 b😀 true',
        '4 It is not valid UTF-8.',
        '5 last false',
      ]);
    }
  });

  it('a line that is too long is skipped, numbered, and costs no memory', async () => {
    const lines: Line[] = [];
    for await (const some of linesOf(chunked(Buffer.from(`${'x'.repeat(50)}\nok\n${'y'.repeat(50)}`), 7), 20)) lines.push(...some);
    expect(lines.map(({ number, is }) => `${number} ${is}`)).toEqual(['1 unreadable', '2 text', '3 unreadable']);
  });
});

async function* chunked(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('[C-11] formats', () => {
  it('text: each violation, then the counts; nothing an agent wrote reaches the terminal', async () => {
    const text = (await judged(LOG)).print('text');
    expect(text).toContain('halt_and_alert: no_foo');
    expect(text).toContain('malformed: It is not JSON');
    expect(text).toMatch(/unevaluated in 4 runs: must\[0\]: be helpful/);
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'unusable: 4 runs, 1 passed, 1 with warnings, 2 violated, 1 malformed line, 2 unevaluated clauses',
    );
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  it('json: one document, with the names of the specification', async () => {
    const document: unknown = JSON.parse((await judged(LOG)).print('json'));
    expect(document).toMatchObject({
      kind: 'agentcontract.report',
      version: 1,
      runs: [
        {
          line: 2,
          violations: [
            {
              clause_type: 'assert',
              clause_name: 'no_foo',
              severity: 'halt_and_alert',
              action_taken: 'halt_and_alert',
              judge: 'deterministic',
            },
          ],
        },
        { line: 3, action: 'warn' },
        { line: 4, malformed: expect.any(String) },
        { line: 5 },
      ],
      counts: { runs: 4 },
      exit: 2,
    });
    expect(JSON.parse((await judged([])).print('json'))).toMatchObject({ runs: [], exit: 0 });
  });

  it('sarif: a result for each violation, at its line', async () => {
    const document: unknown = JSON.parse((await judged(LOG)).print('sarif'));
    expect(document).toMatchObject({
      runs: [
        {
          results: [{ ruleId: 'no_foo', level: 'error' }, { ruleId: 'max_latency_ms', level: 'warning' }, { ruleId: 'malformed-line' }, {}],
        },
      ],
    });
  });

  it('junit: a case for each clause, without characters that XML forbids', async () => {
    const clauses = `assert:\n  - {name: no_foo, type: pattern, must_not_match: "\\x01|\\uffff|<&>\\"'|foo"}\n`;
    for (const xml of [(await judged(LOG)).print('junit'), (await judged([run('foo')], { clauses })).print('junit')]) {
      expect(xml).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
    }
    const xml = (await judged(LOG)).print('junit');
    expect(xml).toContain('<testsuite name="bot 1.0.0" tests="6" failures="2" errors="1" skipped="2"');
    expect(xml).toContain('<skipped>unevaluated in 4 of 4 runs');
  });

  it('github: escaped, the strongest first, at most ten of a kind, one of each clause before a second', async () => {
    const many = [...Array.from({ length: 30 }, () => run('x', { tool_calls: ['t'] })), run('foo')];
    const lines = (await judged(many)).print('github').trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
    expect(lines[0]).toBe(
      '::error file=runs%3A1%2C%0A.jsonl,line=31,title=no_foo (halt_and_alert)::the output must not match foo: the output matches the pattern that must not match',
    );
    expect(lines[1]).toContain('Violated 29 more times.');
    expect(lines.filter((line) => !line.startsWith('::'))).toHaveLength(1);
    const mixed = (await judged([...Array<string>(12).fill('no run'), run('foo')])).print('github').split('\n');
    expect(mixed[0]).toContain('Of such lines there are 12.');
    expect(mixed[1]).toContain('title=no_foo (halt_and_alert)');
    const evil = await judged([run('foo')], {
      clauses: 'must_not:\n  - "contain \\"foo\\" 100%\\r\\n::error::x"\nmust: ["be\\u001b[31m\\n::stop-commands::x"]\n',
    });
    expect(
      evil
        .print('github')
        .split('\n')
        .filter((line) => line.startsWith('::stop') || line === '::error::x'),
    ).toEqual([]);
  });
});
