import { join } from 'node:path';
import { agentClock } from '../agent/clock.js';
import type { ControlTool } from '../agent/control/control.js';
import { controlTools } from '../agent/control/index.js';
import { openConversation } from '../agent/conversation.js';
import { type Desk, dispatch } from '../agent/dispatch.js';
import { type HeldAgent, holdAgent } from '../agent/held.js';
import { containedTools, TOOLS } from '../agent/tools/index.js';
import { subflow } from '../agent/tools/subflow.js';
import type { Tool } from '../agent/tools/tool.js';
import { permitFor } from '../permit/permit.js';
import type { AgentIdentity, ToolSpec } from '../ports/model.js';
import type { SessionLog } from '../record/recorder.js';
import { carryOut, overgrown } from './control.js';
import { callHelpers } from './subflow-calls.js';
import { keepOpening, type Opening, openingOf } from './prompt.js';
import type { Progress } from './progress.js';
import type { StageScope } from './scope.js';

export interface Seated {
  readonly agent: HeldAgent;
  readonly session: SessionLog;
  /** The first thing the agent reads. */
  readonly opening: string;
}

/** The names of all tools a stage's agent has, as the model is told them. */
export function toolNames(scope: StageScope, progress: Progress): readonly string[] {
  return [...toolsOf(scope, progress), ...controlsOf(scope, progress)].map(({ spec }) => spec.name);
}

function toolsOf({ helpers, containing }: StageScope, { entry }: Progress): readonly Tool[] {
  const own = containing === null ? TOOLS : containedTools(containing.wish);
  const tools = entry === null ? own : [...entry.watched(own), ...entry.tools];
  return helpers.length === 0 ? tools : [...tools, subflow(helpers.map(({ name }) => name))];
}

function controlsOf({ stage, question, select }: StageScope, progress: Progress): readonly ControlTool[] {
  return controlTools({ items: stage.checklist.length, ...(question === undefined ? {} : { isAsked: () => progress.asked }), select });
}

/** What a session begins with. */
export interface WordedOpening extends Opening {
  readonly tools: readonly ToolSpec[];
  /** The names in `$INPUT`. */
  readonly inputs: readonly string[];
}

/** Words what the agent will read first, as it will be sent. Rejects with a DiskError. */
export async function wordOpening(scope: StageScope, progress: Progress): Promise<WordedOpening> {
  const tools = [...toolsOf(scope, progress), ...controlsOf(scope, progress)].map(({ spec }) => spec);
  const inputs = await scope.ports.disk.list(scope.input);
  return { ...openingOf(scope, { workspace: progress.workspace, tools, inputs }), tools, inputs };
}

/** Keeps the prompt and seats an agent before it; nothing is asked of a model yet. Rejects with a DiskError. */
export async function seatAgent(scope: StageScope, progress: Progress): Promise<Seated> {
  const { ports, stop, recorder, redactor, where, options, sandbox } = scope;
  const captures = join(scope.nest, 'captures');
  const controls = controlsOf(scope, progress);
  const workTools = toolsOf(scope, progress);
  const { system, firstTurn, tools, inputs } = await wordOpening(scope, progress);
  await keepOpening(scope, { system, firstTurn });

  const session = scope.openSession(join(scope.place, 'session.jsonl'));
  const model = scope.modelFor(scope.row).open(identity(scope, inputs));
  const timeoutMs = options.timeout.value * 1_000;
  const spent = { ms: (): number => 0 };
  const contracts = progress.contracts?.seat(() => spent.ms()) ?? null;
  // A limit of time is crossed by what takes longer than it.
  const own = agentClock(ports.clock, Math.min(timeoutMs, (contracts?.timeMs() ?? timeoutMs) + 1));
  spent.ms = own.spentMs;
  const governance = await scope.governance?.hold(scope, { clock: own, attempt: () => progress.attempt });
  const desk: Desk = {
    tools: workTools,
    controls,
    permit: permitFor(scope, { contracts: contracts ?? undefined, governance }),
    context: {
      slots: scope.allSlots,
      env: scope.environments.agent,
      disk: sandbox?.disk(captures) ?? ports.disk,
      programs: sandbox?.agent(ports.programs) ?? ports.programs,
      clock: ports.clock,
      ids: ports.ids,
      owner: scope.owner,
      redactor,
      scratch: captures,
      callHelpers: (calls, context) => callHelpers({ scope, progress, clock: own }, calls, context),
      remainingMs: () => own.remainingMs(),
      stop: AbortSignal.any([stop.signal, own.spent]),
    },
    effect: (call) => carryOut(scope, progress.marks, call),
    denied: (tool, reason, attempt) =>
      recorder.append({ event: 'tool_call', ...where, retry: attempt, tool, decision: 'denied', reason: redactor.text(reason) }),
    working: (tool, attempt) => {
      progress.commands ||= tool === 'bash';
      scope.watch({ activity: 'tool', stage: where.stage, attempt, tool });
    },
    overgrown: () => overgrown(scope),
  };
  const agent = holdAgent({
    conversation: openConversation({ system, tools, settings: model.settings, log: session, redactor }),
    session: model,
    agentClock: own,
    clock: ports.clock,
    ids: ports.ids,
    stop,
    budget: scope.budget,
    recorder,
    where,
    contracts,
    timeoutSeconds: options.timeout.value,
    dispatch: (calls, attempt) => dispatch(desk, calls, attempt),
    thinking: (attempt) => scope.watch({ activity: 'model', stage: where.stage, attempt }),
  });
  return { agent, session, opening: firstTurn };
}

function identity(scope: StageScope, inputs: readonly string[]): AgentIdentity {
  const { stage, flow, item, where, select } = scope;
  const fixture = select ? null : scope.fixtureOf(stage);
  return {
    stage: stage.path,
    flow: flow.name,
    ...(item === undefined ? {} : { item }),
    ...(where.repeat === undefined ? {} : { repeat: where.repeat }),
    place: {
      checklist: stage.checklist.length,
      inputs,
      ...(stage.schema ? { schema: stage.schema } : {}),
      ...(fixture === null ? {} : { fixture }),
      ...(select ? { alternatives: select } : {}),
    },
  };
}
