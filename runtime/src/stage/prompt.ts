import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ToolSpec } from '../ports/model.js';
import { firstTurn, systemPrompt } from '../prompt/sections.js';
import { slotLines } from '../prompt/slots.js';
import type { Workspace } from '../prompt/workspace.js';
import type { StageScope } from './scope.js';

export interface Opening {
  readonly system: string;
  readonly firstTurn: string;
}

/** Words the prompt of a stage, without secrets, and keeps both parts as they will be sent (P-1, P-3). Rejects with a DiskError. */
export async function writeOpening(
  scope: StageScope,
  { workspace, tools, inputs }: { workspace: Workspace; tools: readonly ToolSpec[]; inputs: readonly string[] },
): Promise<Opening> {
  const { ports, place, recorder, redactor, where } = scope;
  const opening = { system: redactor.text(systemOf(scope, workspace, tools)), firstTurn: redactor.text(firstTurn(inputs)) };
  await ports.disk.write(join(place, 'system.txt'), opening.system);
  await ports.disk.write(join(place, 'first-turn.txt'), opening.firstTurn);
  recorder.append({ event: 'prompt', ...where, system_sha256: sha256(opening.system), first_turn_sha256: sha256(opening.firstTurn) });
  return opening;
}

function systemOf({ assembly, flow, stage, row }: StageScope, workspace: Workspace, tools: readonly ToolSpec[]): string {
  const number = flow.steps.findIndex(({ path }) => path === stage.path) + 1;
  const own = new Set(row.skills.map(({ name }) => name));
  const skills = [...workspace.skills.filter(({ name }) => !own.has(name)), ...row.skills];
  return systemPrompt({
    purpose: assembly.purpose,
    workspace: workspace.text,
    procedure: flow.procedure,
    step: number > 0 ? { number, of: flow.steps.length } : null,
    instructions: stage.body,
    schema: stage.schema ?? null,
    slots: slotLines(assembly.slots, skills.length > 0),
    skills,
    tools,
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
