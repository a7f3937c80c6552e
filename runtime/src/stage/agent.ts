import { join } from 'node:path';
import { agentClock } from '../agent/clock.js';
import { controlTools } from '../agent/control/index.js';
import { openConversation } from '../agent/conversation.js';
import { type Desk, dispatch } from '../agent/dispatch.js';
import { type HeldAgent, holdAgent } from '../agent/held.js';
import { TOOLS } from '../agent/tools/index.js';
import { permitFor } from '../permit/permit.js';
import type { AgentIdentity } from '../ports/model.js';
import type { SessionLog } from '../record/recorder.js';
import { carryOut, overgrown } from './control.js';
import { writeOpening } from './prompt.js';
import type { Progress } from './progress.js';
import type { StageScope } from './scope.js';

export interface Seated {
  readonly agent: HeldAgent;
  readonly session: SessionLog;
  /** The first thing the agent reads. */
  readonly opening: string;
}

/** The names of all tools a stage's agent has, as the model is told them. */
export function toolNames({ stage }: StageScope): readonly string[] {
  return [...TOOLS, ...controlTools(stage.checklist.length)].map(({ spec }) => spec.name);
}

/** Writes the prompt and seats an agent before it; nothing is asked of a model yet. Rejects with a DiskError. */
export async function seatAgent(scope: StageScope, progress: Progress): Promise<Seated> {
  const { ports, stop, recorder, redactor, where, options } = scope;
  const controls = controlTools(scope.stage.checklist.length);
  const tools = [...TOOLS, ...controls].map(({ spec }) => spec);
  const inputs = await ports.disk.list(scope.input);
  const { system, firstTurn } = await writeOpening(scope, { workspace: progress.workspace, tools, inputs });

  const session = scope.openSession(join(scope.place, 'session.jsonl'));
  const own = agentClock(ports.clock, options.timeout.value * 1_000);
  const desk: Desk = {
    tools: TOOLS,
    controls,
    permit: permitFor(scope),
    context: {
      slots: scope.allSlots,
      env: scope.environments.agent,
      disk: ports.disk,
      programs: ports.programs,
      clock: ports.clock,
      ids: ports.ids,
      owner: scope.owner,
      redactor,
      scratch: join(scope.nest, 'captures'),
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
    conversation: openConversation({ system, tools, log: session, redactor }),
    session: scope.modelFor(scope.row).open(identity(scope, inputs)),
    agentClock: own,
    clock: ports.clock,
    ids: ports.ids,
    stop,
    budget: scope.budget,
    recorder,
    where,
    timeoutSeconds: options.timeout.value,
    dispatch: (calls, attempt) => dispatch(desk, calls, attempt),
    thinking: (attempt) => scope.watch({ activity: 'model', stage: where.stage, attempt }),
  });
  return { agent, session, opening: firstTurn };
}

function identity(scope: StageScope, inputs: readonly string[]): AgentIdentity {
  const { stage, flow, where } = scope;
  const fixture = scope.fixtureOf(stage);
  return {
    stage: stage.path,
    flow: flow.name,
    ...(where.repeat === undefined ? {} : { repeat: where.repeat }),
    place: {
      checklist: stage.checklist.length,
      inputs,
      ...(stage.schema ? { schema: stage.schema } : {}),
      ...(fixture === null ? {} : { fixture }),
    },
  };
}
