import { counted } from '@gated-flow/text';
import { compilePattern } from '@gated-flow/patterns';
import type { Pattern } from '@gated-flow/patterns';
import type { Assertion, AssertionCheck } from '../contract.js';
import type { RunFacts } from '../facts.js';
import { judgeQuestion } from '../judge/judge-clause.js';
import type { Check, Forbidden, Verdict } from './check.js';
import { PASSED, unevaluated, violated } from './check.js';
import type { EvaluationPorts, PluginContext } from './ports.js';

type Judged = Check['judge'];
type CheckOf<K extends AssertionCheck['kind']> = Extract<AssertionCheck, { readonly kind: K }>;

/** A named assertion (seed 5.8). Rejects for a pattern or schema that loading would have refused. */
export async function assertionCheck(clause: Assertion, ports: EvaluationPorts): Promise<Check> {
  const kind = clause.check.kind;
  const when = kind === 'llm' ? 'judge' : kind === 'custom' ? 'plugin' : 'after';
  return {
    clause,
    when,
    judge: await judgeOf(clause, ports),
    live: null,
    stepText: null,
    forbidden: forbiddenBy(clause.check),
    ofOutput: kind !== 'cost' && kind !== 'latency',
    inLogs: true,
  };
}

function forbiddenBy(check: AssertionCheck): Forbidden | null {
  if (check.kind !== 'pattern' || check.mustNotMatch === undefined || check.mustMatch !== undefined) return null;
  return { source: check.mustNotMatch, flags: '' };
}

function judgeOf(clause: Assertion, ports: EvaluationPorts): Judged | Promise<Judged> {
  const { check } = clause;
  switch (check.kind) {
    case 'pattern':
      return patternJudge(check);
    case 'schema':
      return schemaJudge(check);
    case 'cost':
      return ({ costUsd }) => atMost(costUsd, check.maxUsd, { missing: 'nobody knows what the run cost', unit: 'USD' });
    case 'latency':
      return ({ durationMs }) => atMost(durationMs, check.maxMs, { missing: 'nobody knows how long the run took', unit: 'ms' });
    case 'llm':
      return llmJudge(clause, check, ports);
    case 'custom':
      return pluginJudge(clause, check, ports);
  }
}

function atMost(value: number | null, most: number, { missing, unit }: { readonly missing: string; readonly unit: string }): Verdict {
  if (value === null) return unevaluated(missing);
  return value <= most ? PASSED : violated(`${value} ${unit}, and at most ${most} ${unit} are allowed`);
}

const NO_OUTPUT = unevaluated('there is no output');

function patternJudge({ mustNotMatch, mustMatch }: CheckOf<'pattern'>): Judged {
  const forbidden = mustNotMatch === undefined ? undefined : usable(mustNotMatch);
  const demanded = mustMatch === undefined ? undefined : usable(mustMatch);
  return ({ output }) => {
    if (output === null) return NO_OUTPUT;
    const found = forbidden?.test(output.text);
    if (found === 'timed-out') return violated('the pattern that must not match ran out of its second');
    if (found === true) return violated('the output matches the pattern that must not match');
    const held = demanded?.test(output.text);
    if (held === 'timed-out') return violated('the pattern that must match ran out of its second');
    return held === false ? violated('the output does not match the pattern that must match') : PASSED;
  };
}

function usable(source: string): Pattern {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(`The pattern ${source} was loaded and cannot be compiled: ${compiled.message}`);
  return compiled.pattern;
}

const SHOWN_FAULTS = 5;

async function schemaJudge({ schema }: CheckOf<'schema'>): Promise<Judged> {
  const { compileSchema } = await import('../json-schema.js');
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(`A schema was loaded and cannot be compiled: ${compiled.message}`);
  return ({ output }) => {
    if (output === null) return NO_OUTPUT;
    const parsed = parseJson(output.bytes === undefined ? output.text : undefined);
    if (!parsed.ok) return violated('the output is not JSON');
    const faults = compiled.validator.validate(parsed.value);
    if (faults.length === 0) return PASSED;
    const shown = faults.slice(0, SHOWN_FAULTS).map(({ pointer, message }) => `${pointer === '' ? 'the output' : pointer} ${message}`);
    const more = faults.length > SHOWN_FAULTS ? `; and ${faults.length - SHOWN_FAULTS} more` : '';
    return violated(`the output does not match the schema in ${counted(faults.length, 'place')}`, `${shown.join('; ')}${more}`);
  };
}

function parseJson(text: string | undefined): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  if (text === undefined) return { ok: false };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function llmJudge(clause: Assertion, check: CheckOf<'llm'>, { judging, withoutJudge }: EvaluationPorts): Judged {
  if (!judging) return () => unevaluated(withoutJudge ?? 'there is no judge');
  return (facts) => (facts.output === null ? NO_OUTPUT : judgeQuestion({ clause, check, facts }, judging));
}

function pluginJudge(clause: Assertion, check: CheckOf<'custom'>, { plugins }: EvaluationPorts): Judged {
  if (!plugins) return () => unevaluated('this host runs no plugins');
  const call = { plugin: check.plugin, from: clause.origin.from, assertion: check.given };
  return (facts) => plugins.validate({ ...call, context: contextOf(facts) });
}

function contextOf(facts: RunFacts): PluginContext {
  return {
    input: facts.input?.text ?? null,
    output: facts.output?.text ?? null,
    tool_calls: facts.toolCalls,
    duration_ms: facts.durationMs,
    cost_usd: facts.costUsd,
  };
}
