import { elapsedBetween } from './elapsed.js';
import type { FactOf, RecordEvent, StageEnding } from './events.js';
import type { Sharing } from './sharing.js';
import type { BrokenClauseView, CheckView, DecisionView, Flag, HookView, RoundView, StageView } from './run-view.js';
import { addTurn, noUsage } from './usage.js';

/** Of a stage's control decisions, as many are kept one by one. */
export const DECISIONS_KEPT = 1000;

interface Round {
  readonly round: number;
  turns: number;
  readonly checks: CheckView[];
}

/** Gathers the events of one stage, or of one repeat of it. */
export interface StageFold {
  add(event: RecordEvent): void;
  view(): StageView;
}

/** What a stage began with. */
type Start = Pick<FactOf<'stage_start'>, 'received' | 'options' | 'slots' | 'workdir' | 'tools' | 'skills' | 'worker'>;

const NOTHING: Start = { received: [], options: {}, slots: [], workdir: '', tools: [], skills: [] };

export function createStageFold(first: RecordEvent & { readonly stage: string }, sharing: Sharing): StageFold {
  const { stage, repeat, ts: started } = first;
  const usage = noUsage();
  const rounds: Round[] = [];
  const hooks: HookView[] = [];
  const drift: StageView['drift'][number][] = [];
  const decisions: DecisionView[] = [];
  const broken: BrokenClauseView[] = [];
  const models: string[] = [];
  let omitted = 0;
  let retries = 0;
  let last = started;
  let start: Start = NOTHING;
  let prompt: StageView['prompt'];
  let teardown: string | undefined;
  let from: string | undefined;
  let carriedFor: StageView['carried_for'];
  let state: StageView['state'] = 'running';
  let ending: StageEnding | null = null;
  let over = false;

  const roundOf = (retry = 1): Round => {
    const newest = rounds.at(-1);
    if (newest?.round === retry) return newest;
    const known = rounds.find(({ round }) => round === retry);
    if (known !== undefined) return known;
    const made = { round: retry, turns: 0, checks: [] };
    rounds.push(made);
    return made;
  };

  const addTurnOf = (turn: FactOf<'turn'>): void => {
    addTurn(usage, turn);
    roundOf(turn.retry).turns += 1;
    const model = `${turn.provider}/${turn.model}`;
    if (models.at(-1) !== model && !models.includes(model)) models.push(model);
  };

  const addDecision = ({ retry, tool, decision, item, evidence, answer, reason }: FactOf<'tool_call'>): void => {
    if (decisions.length === DECISIONS_KEPT) omitted += 1;
    else decisions.push({ retry, tool, decision, item, evidence, answer, reason });
  };

  const addBroken = ({ contract, clause_type, clause_name, action_taken, judge, details, round }: FactOf<'contract'>): void => {
    if (broken.length < DECISIONS_KEPT) broken.push({ contract, clause_type, clause_name, action_taken, judge, details, round });
  };

  const takeOver = ({ entry, name, of, options }: FactOf<'stage_carried'>): void => {
    if (options !== undefined) start = { ...NOTHING, options: sharing.options(options) };
    if (entry !== undefined && name !== undefined && of !== undefined) carriedFor = { entry, name, of };
  };

  const gather = (event: RecordEvent): void => {
    switch (event.event) {
      case 'stage_start':
        start = startOf(event, sharing);
        return;
      case 'prompt':
        prompt = { system_sha256: event.system_sha256, first_turn_sha256: event.first_turn_sha256 };
        return;
      case 'turn':
        return addTurnOf(event);
      case 'tool_call':
        return addDecision(event);
      case 'check':
        return void roundOf(event.retry).checks.push(checkView(event));
      case 'contract':
        return addBroken(event);
      case 'hook':
        return void hooks.push(hookView(event));
      case 'hash_drift':
        return void drift.push({ file: event.file, expected: event.expected, found: event.found });
      case 'provider_retry':
        retries += 1;
        return;
      case 'tmp_teardown':
        teardown = event.reason;
        return;
      case 'stage_carried':
      case 'stage_reused':
        state = event.event === 'stage_carried' ? 'carried' : 'reused';
        from = event.from;
        if (event.event === 'stage_carried') takeOver(event);
        ending = { exit: 0, cause: 'success', output: event.output, sealed: true, judged: false, attempts: 0 };
        return;
      case 'stage_end':
        over = true;
        if (state !== 'reused' || event.cause !== 'success') state = 'ended';
        ending = endingView(event);
        return;
      default:
        return;
    }
  };

  return {
    add(event) {
      if (!over) last = event.ts;
      gather(event);
    },
    view() {
      const seen = rounds.map((round) => roundView(round, ending));
      return {
        stage,
        repeat,
        state,
        started,
        ms: elapsedBetween(started, last),
        received: start.received,
        options: start.options,
        slots: start.slots,
        workdir: start.workdir,
        tools: start.tools,
        skills: start.skills,
        worker: start.worker,
        prompt,
        models: sharing.texts(models),
        usage,
        provider_retries: retries,
        rounds: seen,
        hooks,
        drift,
        decisions,
        decisions_omitted: omitted,
        contracts: broken.length === 0 ? undefined : broken,
        teardown,
        from,
        carried_for: carriedFor,
        ending,
        flags: flagsOf(seen, ending, start),
      };
    },
  };
}

function startOf({ received, options, slots, workdir, tools, skills, worker }: FactOf<'stage_start'>, sharing: Sharing): Start {
  const { texts } = sharing;
  return { received, options: sharing.options(options), slots: texts(slots), workdir, tools: texts(tools), skills: texts(skills), worker };
}

function checkView({ check, file, exit, capture, capture_sha256, sha256, ms, overflow, unevaluated }: FactOf<'check'>): CheckView {
  return { check, file, exit, passed: exit === 0 && overflow !== true, capture, capture_sha256, sha256, ms, overflow, unevaluated };
}

function hookView({ hook, file, exit, capture, capture_sha256, sha256, ms, overflow }: FactOf<'hook'>): HookView {
  return { hook, file, exit, passed: exit === 0 && overflow !== true, capture, capture_sha256, sha256, ms, overflow };
}

function endingView({ exit, cause, reason, failed, output, sealed, judged, attempts, session }: FactOf<'stage_end'>): StageEnding {
  return { exit, cause, reason, failed, output, sealed, judged, attempts, session };
}

function roundView(round: Round, ending: StageEnding | null): RoundView {
  const failed = round.checks.some((check) => !check.passed);
  const passed = ending?.cause === 'success' && round.round === ending.attempts;
  return { ...round, verdict: failed ? 'failed' : passed ? 'passed' : 'open' };
}

function flagsOf(rounds: readonly RoundView[], ending: StageEnding | null, start: Start): Flag[] {
  const flags: Flag[] = [];
  if (ending?.cause === 'success' && ending.attempts > 1 && start.options['retries']?.value === ending.attempts - 1)
    flags.push('passed-on-last-round');
  if (rounds.some((round, index) => index > 0 && rounds[index - 1]?.round !== 0 && sameFeedback(rounds[index - 1], round)))
    flags.push('feedback-repeated');
  return flags;
}

/** Whether two rounds in a row failed in the same check with the same words. */
function sameFeedback(before: RoundView | undefined, after: RoundView): boolean {
  const one = before?.checks.find((check) => !check.passed);
  const other = after.checks.find((check) => !check.passed);
  return (
    one !== undefined &&
    other !== undefined &&
    one.check === other.check &&
    one.file === other.file &&
    one.capture_sha256 === other.capture_sha256
  );
}
