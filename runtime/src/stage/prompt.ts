import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Flow, placesOf, sequencesIn } from '@gated-flow/assembly';
import { conductOf } from '../contract/conduct.js';
import type { ToolSpec } from '../ports/model.js';
import { firstTurn, systemPrompt } from '../prompt/sections.js';
import { slotLines } from '../prompt/slots.js';
import type { Workspace } from '../prompt/workspace.js';
import type { StageScope } from './scope.js';

export interface Opening {
  readonly system: string;
  readonly firstTurn: string;
}

/** Words the prompt of a stage, without secrets (P-1). */
export function openingOf(
  scope: StageScope,
  { workspace, tools, inputs }: { workspace: Workspace; tools: readonly ToolSpec[]; inputs: readonly string[] },
): Opening {
  const { redactor } = scope;
  return {
    system: redactor.text(systemOf(scope, workspace, tools)),
    firstTurn: redactor.text(firstTurn(inputs, scope.select !== undefined)),
  };
}

/** Keeps both parts as they will be sent (P-3). Rejects with a DiskError. */
export async function keepOpening({ ports, place, recorder, where }: StageScope, opening: Opening): Promise<void> {
  await ports.disk.write(join(place, 'system.txt'), opening.system);
  await ports.disk.write(join(place, 'first-turn.txt'), opening.firstTurn);
  recorder.append({ event: 'prompt', ...where, system_sha256: sha256(opening.system), first_turn_sha256: sha256(opening.firstTurn) });
}

function systemOf(scope: StageScope, workspace: Workspace, tools: readonly ToolSpec[]): string {
  const { assembly, flow, stage, row, helpers, allSlots } = scope;
  const isRouter = row.type === 'ASSEMBLY';
  const own = new Set(row.skills.map(({ name }) => name));
  const skills = [...workspace.skills.filter(({ name }) => !own.has(name)), ...row.skills];
  return systemPrompt({
    purpose: isRouter ? '' : assembly.purpose,
    workspace: workspace.text,
    procedure: flow.procedure,
    step: isRouter ? null : stepOf(flow, stage.path),
    instructions: stage.body,
    conduct: conductOf(scope.contracts?.at(scope.heldTo) ?? []),
    permissions: scope.governance?.permissions ?? null,
    schema: stage.schema ?? null,
    alternatives: scope.select,
    slots: slotLines(assembly.slots, (name) => name in allSlots && (name !== 'SKILLS' || skills.length > 0)),
    skills,
    helpers,
    tools,
  });
}

/** The place in its own sequence, which may be that of a container (P-1). */
function stepOf(flow: Flow, path: string): { number: number; of: number } | null {
  const sequences = [flow.steps, ...placesOf(flow).flatMap(({ step }) => sequencesIn(step))];
  const own = sequences.find((steps) => steps.some((step) => step.path === path));
  return own === undefined ? null : { number: own.findIndex((step) => step.path === path) + 1, of: own.length };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
