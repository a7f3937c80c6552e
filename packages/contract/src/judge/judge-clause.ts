import { createHash } from 'node:crypto';
import type { Assertion, AssertionCheck, Sentence } from '../contract.js';
import type { Verdict } from '../evaluate/check.js';
import { PASSED, unevaluated, violated } from '../evaluate/check.js';
import type { Judge, Judging } from '../evaluate/ports.js';
import type { RunFacts } from '../facts.js';
import { clauseQuestion, ownQuestion } from './prompt.js';
import type { Judged, WordedQuestion } from './prompt.js';
import type { Reply } from './reply.js';
import { readAnswer, readVerdict } from './reply.js';

/** Has a judge read a sentence against the run (C-6). Never rejects. */
export async function judgeSentence(clause: Sentence, facts: RunFacts, judging: Judging): Promise<Verdict> {
  const judged = judgedBy(clause, facts);
  if (clause.type !== 'requires' && judged.output === null) return unevaluated('there is no output');
  const reply = await ask(
    {
      facts,
      key: [clause.type, clause.text, judged],
      told: { clause: clause.text, passes: 'PASS' },
      read: readVerdict,
      question: (boundary) => clauseQuestion({ ...judged, clauseType: clause.type, clause: clause.text }, boundary),
    },
    judging,
  );
  if (reply.is !== 'answered') return reply.verdict;
  return reply.answer === 'PASS' ? PASSED : violated(`the judge ${reply.judge} says FAIL`, reply.reason || undefined);
}

export interface OwnQuestion {
  readonly clause: Assertion;
  readonly check: Extract<AssertionCheck, { readonly kind: 'llm' }>;
  readonly facts: RunFacts;
}

/** Puts an assertion's own question to its judge. Passes when the answer is `pass_when`, whatever the case (C-6). */
export async function judgeQuestion({ check, facts }: OwnQuestion, judging: Judging): Promise<Verdict> {
  const judged = { input: facts.input?.text ?? null, output: facts.output?.text ?? null };
  const reply = await ask(
    {
      facts,
      ...(check.model === undefined ? {} : { model: check.model }),
      key: ['llm', check.prompt, judged],
      told: { clause: check.prompt.trim(), passes: check.passWhen },
      read: readAnswer,
      question: (boundary) => ownQuestion(check.prompt, judged, boundary),
    },
    judging,
  );
  if (reply.is !== 'answered') return reply.verdict;
  if (plainAnswer(reply.answer) === plainAnswer(check.passWhen)) return PASSED;
  return violated(`the judge ${reply.judge} does not answer ${check.passWhen}`, `It answered: ${reply.answer}. ${reply.reason}`.trim());
}

function plainAnswer(text: string): string {
  return text.trim().toLowerCase();
}

function judgedBy({ type }: Sentence, { input, output, toolCalls }: RunFacts): Judged {
  const steps = type === 'invariant' && toolCalls !== null ? { steps: JSON.stringify(toolCalls) } : {};
  return { input: input?.text ?? null, output: type === 'requires' ? null : (output?.text ?? null), ...steps };
}

interface Asking {
  readonly facts: RunFacts;
  readonly model?: string;
  /** With the judge's name: what a cached answer is found by. */
  readonly key: unknown;
  readonly told: { readonly clause: string; readonly passes: string };
  read(text: string): Reply;
  question(boundary: string): WordedQuestion;
}

type Asked =
  | { readonly is: 'answered'; readonly answer: string; readonly reason: string; readonly judge: string }
  | { readonly is: 'unanswered'; readonly verdict: Verdict };

async function ask(asking: Asking, judging: Judging): Promise<Asked> {
  const chosen = chooseJudge(asking, judging);
  if (typeof chosen === 'string') return { is: 'unanswered', verdict: unevaluated(chosen) };
  const key = createHash('sha256')
    .update(JSON.stringify([chosen.name, asking.key]))
    .digest('hex');
  const kept = asking.read((await judging.cache?.get(key)) ?? '');
  if (kept.ok) return { is: 'answered', ...kept, judge: chosen.name };
  const asked = await askTwice(chosen, asking, judging);
  if (!asked.ok)
    return { is: 'unanswered', verdict: asked.unevaluated ? unevaluated(asked.message) : failure(chosen.name, asked.message, judging) };
  await judging.cache?.set(key, asked.text);
  return { is: 'answered', answer: asked.answer, reason: asked.reason, judge: chosen.name };
}

/** An agent is never its own judge (C-6, M-4). */
function chooseJudge({ facts, model }: Asking, judging: Judging): Judge | string {
  const candidates = judging.candidates(model);
  const chosen = candidates.find(({ name }) => !isAgent(name, facts.agentModel));
  if (chosen) return chosen;
  if (candidates.length === 0) return 'there is no judge';
  return `the only judge, ${candidates[0]?.name ?? ''}, is the model that did the work`;
}

/** A model whose provider nobody named may be any provider's. */
function isAgent(judge: string, agentModel: string | null): boolean {
  return agentModel !== null && (judge === agentModel || judge.slice(judge.indexOf('/') + 1) === agentModel);
}

type AskedTwice =
  | { readonly ok: true; readonly answer: string; readonly reason: string; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly unevaluated?: true };

/** A reply that is not as it was asked for is asked again once, with another fence. */
async function askTwice(judge: Judge, asking: Asking, judging: Judging): Promise<AskedTwice> {
  for (const attempt of [1, 2]) {
    const question = asking.question(judging.boundary());
    const again = attempt === 2 ? '\n\nYour last reply was not that JSON object. Reply with it alone.' : '';
    const answer = await judge.ask({ ...question, ...asking.told, prompt: question.prompt + again });
    if (!answer.ok) return answer;
    const reply = asking.read(answer.text);
    if (reply.ok) return { ...reply, text: answer.text };
  }
  return { ok: false, message: 'it did not reply as it was asked to, twice' };
}

/** Fail closed: what could not be judged is a violation that says so. */
function failure(judge: string, message: string, { errors = 'fail' }: Judging): Verdict {
  const details = `the judge ${judge} could not be asked: ${message}`;
  return errors === 'warn' ? { is: 'violated', details, softened: true } : violated(details);
}
