import type { CheckView, HookView, RoundView, StageView } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { duration, roundTitle } from './figures.js';
import { checkTitle } from './said.js';
import { FLAGS, exitOf, stageLine, titleOf } from './stage-line.js';
import { indent } from './indent.js';

/** Reads a capture for a terminal, by its path in the run (K-8); null when it is missing. */
export type SaidText = (capture: string) => Promise<string | null>;

/** The child runs that one attempt called. */
export type CalledText = (round: number) => AsyncIterable<string>;

/** Everything that the record says of one stage, for people, piece by piece. Neither redacted nor escaped yet. */
export async function* stageText(stage: StageView, said: SaidText, called: CalledText): AsyncGenerator<string> {
  const title = titleOf(stage);
  yield stageLine(stage, { title, widest: title.length });
  yield factsText(stage);
  for (const hook of stage.hooks.filter(({ hook }) => hook === 'before')) yield* programText(hook, hook.hook, said);
  for (const round of stage.rounds) {
    yield* roundText(round, stage, said);
    yield* called(round.round);
  }
  for (const hook of stage.hooks.filter(({ hook }) => hook !== 'before')) yield* programText(hook, hook.hook, said);
  yield endingText(stage);
}

function factsText({ received, options, tools, skills, models, worker, workdir, provider_retries }: StageView): string {
  const said = Object.entries(options).map(([key, { value, from }]) => `${key} ${JSON.stringify(value)} (${from})`);
  return facts([
    ['received', received.map(({ name, path, sha256 }) => `${name}   ${path}   ${sha256.slice(0, 12)}`)],
    ['options', said],
    ['models', models],
    ['tools', tools.length === 0 ? [] : [tools.join(' ')]],
    ['skills', skills.length === 0 ? [] : [skills.join(' ')]],
    ['in', workdir === '' ? [] : [workdir]],
    ['worker', worker === undefined ? [] : [worker]],
    ['provider', provider_retries === 0 ? [] : [counted(provider_retries, 'retry', 'retries')]],
  ]);
}

function facts(rows: readonly (readonly [string, readonly string[]])[]): string {
  return rows.flatMap(([name, values]) => values.map((value, index) => `   ${(index === 0 ? name : '').padEnd(9)} ${value}\n`)).join('');
}

async function* roundText({ round, verdict, turns, checks }: RoundView, stage: StageView, said: SaidText): AsyncGenerator<string> {
  yield `\n   ${roundTitle(round)}   ${verdict}${round === 0 ? '' : `   ${counted(turns, 'turn')}`}\n`;
  for (const { tool, decision, item, evidence, answer, reason } of stage.decisions.filter(({ retry }) => (retry ?? 1) === round)) {
    const cells = [tool, decision === tool ? '' : decision, item === undefined ? '' : `item ${item}`, answer, evidence, reason];
    yield `     ${cells.filter(Boolean).join('   ')}\n`;
  }
  for (const check of checks) {
    yield* programText(check, checkTitle(check), said);
    for (const { contract, clause_name, reason } of check.unevaluated ?? [])
      yield `     unevaluated   ${contract}   ${clause_name}: ${reason}\n`;
  }
  for (const clause of stage.contracts ?? []) {
    const { contract, clause_name, action_taken, details } = clause;
    if ((clause.round ?? 0) === round) yield `     ${action_taken}   ${contract}   ${clause_name}: ${details}\n`;
  }
}

async function* programText(program: CheckView | HookView, title: string, said: SaidText): AsyncGenerator<string> {
  const name = 'hook' in program ? `${title} hook   ${program.file}` : title;
  yield `     ${name}   ${exitOf(program)}   ${duration(program.ms)}\n`;
  const text = await said(program.capture);
  if (text === null) yield '       (its capture is missing)\n';
  else if (text.trim() !== '') yield `${indent(text.replace(/\n+$/, ''), 7)}\n`;
}

function endingText({ ending, flags, drift, teardown, decisions_omitted }: StageView): string {
  const lines = [
    ...drift.map(({ file, expected, found }) => `   changed   ${file}   was ${expected.slice(0, 12)}, is ${found.slice(0, 12)}`),
    ...flags.map((flag) => `   ${FLAGS[flag]}`),
    ...(decisions_omitted === 0 ? [] : [`   ${counted(decisions_omitted, 'more decision')} in the record`]),
    ...(teardown === undefined ? [] : [`   scratch not removed: ${teardown}`]),
    ending === null ? '   not ended' : `   ${ending.cause}${ending.failed === undefined ? '' : `: ${ending.failed}`}   exit ${ending.exit}`,
    ...(ending?.reason === undefined ? [] : [indent(ending.reason.trimEnd(), 7)]),
    ...(ending?.output === undefined
      ? []
      : [
          `   ${ending.sealed ? 'sealed' : 'withheld'}   ${ending.output.path}   ${counted(ending.output.bytes, 'byte')}   ${ending.output.sha256}`,
        ]),
  ];
  return `\n${lines.join('\n')}\n`;
}
