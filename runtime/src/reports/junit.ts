/** JUnit XML: a suite for each stage, a case for each check in each round. Written stage by stage, so that it may be of any size. */
import type { HookView, StageView } from '@gated-flow/record';
import { xmlAttribute, xmlText } from '@gated-flow/text';
import { roundTitle } from '../views/figures.js';
import { checkTitle } from '../views/said.js';
import { placeOf, type RunPart } from './source.js';
import { failedUnjudged, isAboutWork, type Judged, judgedIn } from './verdicts.js';
import { firstLine, type Words } from './words.js';

/**
 * Only what failed the run is a failure: a round that was sent back and what a caller could do without are skipped, with what was said.
 * An error is a failure of something other than the work: time, a signal, a fault.
 */
export async function* junitReport(parts: AsyncIterable<RunPart>, words: Words): AsyncGenerator<string> {
  let head: RunPart | null = null;
  let failures = 0;
  for await (const part of parts) {
    if (head === null) yield opening((head = part), words);
    for (const stage of part.view.stages) {
      const cases = await casesOf(part, stage, words);
      failures += cases.filter(({ is }) => is === 'failure' || is === 'error').length;
      yield suiteText({ name: placeOf(part, stage), started: stage.started, ms: stage.ms, cases }, words);
    }
  }
  if (head !== null && failures === 0 && head.view.ending?.cause !== 'success') yield suiteText(runSuite(head), words);
  yield '</testsuites>\n';
}

interface Case {
  readonly name: string;
  readonly ms: number;
  readonly is: 'passed' | 'skipped' | 'failure' | 'error';
  /** The cause, for a failure or an error. */
  readonly type?: string;
  /** In a line. */
  readonly message?: string;
  readonly text?: string;
}

interface Suite {
  readonly name: string;
  readonly started: string;
  readonly ms: number;
  readonly cases: readonly Case[];
}

function opening({ view }: RunPart, { clean }: Words): string {
  const name = clean(`flow ${view.flow} ${view.run}`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xmlAttribute(name)}" time="${seconds(view.ms)}">\n`;
}

async function casesOf(part: RunPart, stage: StageView, words: Words): Promise<readonly Case[]> {
  if (stage.state === 'carried') return [{ name: 'carried', ms: 0, is: 'skipped', text: `carried over from the run ${stage.from ?? '?'}` }];
  const cases: Case[] = [];
  for (const judged of judgedIn(stage)) cases.push(await caseOf(judged, part, stage, words));
  const ended = endCase(part, stage, cases.length === 0);
  return ended === null ? cases : [...cases, ended];
}

async function caseOf({ program, round, standing }: Judged, part: RunPart, stage: StageView, words: Words): Promise<Case> {
  const name = `${caseTitle(program)}${round === null ? '' : ` (${roundTitle(round)})`}`;
  const { ms } = program;
  if (standing === 'passed') return { name, ms, is: 'passed' };
  const { cause = 'failed', reason = '' } = stage.ending ?? {};
  const said = await words.said(part, program);
  const text = said === '' && !isAboutWork(cause) ? reason : said;
  if (standing === 'final' && part.counts)
    return { name, ms, is: isAboutWork(cause) ? 'failure' : 'error', type: cause, message: firstLine(text), text };
  const why = standing === 'final' ? 'failed; the run went on without it' : 'sent back';
  return { name, ms, is: 'skipped', text: `${why}:\n${text}` };
}

function caseTitle(program: Judged['program']): string {
  return isHook(program) ? `${program.hook} hook ${program.file}` : checkTitle(program);
}

function isHook(program: Judged['program']): program is HookView {
  return 'hook' in program;
}

/** How the stage itself ended, where its checks do not say that. */
function endCase(part: RunPart, stage: StageView, alone: boolean): Case | null {
  const { ending } = stage;
  if (ending === null) return { name: 'the stage ends', ms: 0, ...unended(part), text: `${stage.stage} has no end in the record.` };
  if (!failedUnjudged(stage)) return alone ? { name: 'the stage ends', ms: 0, is: 'passed' } : null;
  const text = ending.reason ?? `It ended as ${ending.cause}.`;
  if (!part.counts) return { name: 'the stage ends', ms: 0, is: 'skipped', text: `${ending.cause}; the run went on without it:\n${text}` };
  return {
    name: 'the stage ends',
    ms: 0,
    is: isAboutWork(ending.cause) ? 'failure' : 'error',
    type: ending.cause,
    message: firstLine(text),
    text,
  };
}

function unended({ state, counts }: RunPart): Pick<Case, 'is' | 'type' | 'message'> {
  if (state === 'running' || !counts) return { is: 'skipped' };
  return { is: 'error', type: 'incomplete', message: 'no end in the record' };
}

/** For a run that failed without a stage that failed. */
function runSuite({ view, state }: RunPart): Suite {
  const { ending } = view;
  const name = 'the run ends';
  const open: Case =
    state === 'running'
      ? { name, ms: 0, is: 'skipped', text: 'The run still goes on.' }
      : {
          name,
          ms: 0,
          is: 'error',
          type: 'incomplete',
          message: 'no end in the record',
          text: 'The run was killed: its record has no end.',
        };
  const text = ending?.reason ?? `It ended as ${ending?.cause ?? 'nothing'}.`;
  const failed: Case = {
    ...{ name, ms: 0, type: ending?.cause ?? '', message: firstLine(text), text },
    is: isAboutWork(ending?.cause) ? 'failure' : 'error',
  };
  return { name: view.flow, started: view.started, ms: view.ms, cases: [ending === null ? open : failed] };
}

function suiteText({ name, started, ms, cases }: Suite, words: Words): string {
  const count = (is: Case['is']): number => cases.filter((each) => each.is === is).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  const suite = xmlAttribute(words.clean(name));
  return [
    `  <testsuite name="${suite}" ${counts} time="${seconds(ms)}" timestamp="${started.slice(0, 19)}">\n`,
    ...cases.map((each) => caseText(each, suite, words)),
    '  </testsuite>\n',
  ].join('');
}

function caseText({ name, ms, is, type = '', message = '', text = '' }: Case, suite: string, { clean }: Words): string {
  const head = `    <testcase classname="${suite}" name="${xmlAttribute(clean(name))}" time="${seconds(ms)}"`;
  const body = xmlText(clean(text));
  if (is === 'passed') return `${head}/>\n`;
  if (is === 'skipped') return `${head}><skipped>${body}</skipped></testcase>\n`;
  return `${head}><${is} type="${xmlAttribute(type)}" message="${xmlAttribute(clean(message))}">${body}</${is}></testcase>\n`;
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1_000).toFixed(3);
}
