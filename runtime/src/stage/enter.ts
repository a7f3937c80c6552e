import { dirname, extname, join } from 'node:path';
import type { Stage } from '@gated-flow/assembly';
import { repeatFolder } from '@gated-flow/record';
import { contractsOver } from '../contract/places.js';
import { recordedOptions } from '../plan/recorded-options.js';
import type { Disk } from '../ports/disk.js';
import { readWorkspace, type Workspace } from '../prompt/workspace.js';
import { stageSandbox } from '../sandbox/stage-sandbox.js';
import { type Given, inRun, type RunScope, type StageScope } from './scope.js';

/** Where a stage stands in its run. `tmp` is the flow's own when the flow shares one (S-5). */
export interface Standpoint {
  readonly repeat?: number | undefined;
  readonly tmp?: string | undefined;
  /** A loop's question, put to the agent once its checks have passed (G-3). */
  readonly question?: string;
  /** The names that the agent selects among, instead of writing an output (G-4). */
  readonly select?: readonly string[];
}

/** The paths and environments of one pass of a stage; touches nothing. */
export function stageScope(run: RunScope, stage: Stage, { repeat, tmp: shared, question, select }: Standpoint): StageScope {
  const row = run.rowOf(stage);
  const nest = join(run.scratch, run.ports.ids.hex(12));
  const pwd = stage.workdir === undefined ? run.workdir : join(run.workdir, stage.workdir);
  const input = join(nest, 'in');
  const output = join(nest, 'out', `output${extname(row.output ?? '.txt')}`);
  const tmp = shared ?? join(nest, 'tmp');
  const skills = join(nest, 'skills');
  const helpers = run.helpersOf(stage);
  const subflows = join(nest, 'subflows');
  const allSlots = {
    ...run.slots,
    PWD: pwd,
    INPUT: input,
    ...(select ? {} : { OUTPUT: output }),
    TMP: tmp,
    SKILLS: skills,
    ...(helpers.length > 0 ? { SUBFLOWS: subflows } : {}),
  };
  return {
    ...run,
    stage,
    row,
    options: row.options,
    where: { stage: stage.path, ...(repeat === undefined ? {} : { repeat }) },
    place: join(run.folder, repeatFolder(stage.path, repeat)),
    pwd,
    input,
    output,
    tmp,
    skills,
    heldTo: run.contracts === null ? [] : contractsOver(run.assembly, run.flow, stage),
    helpers,
    subflows,
    nest,
    question,
    select,
    allSlots,
    environments: run.environmentsOf(allSlots),
    sandbox: run.containing && stageSandbox(run.containing, { pwd, input, output, tmp, allSlots, copy: run.copy }),
    owner: nest,
  };
}

/** Says in the record that the stage begins, and with what. Throws a DiskError. */
export function announce(scope: StageScope, given: readonly Given[], tools: readonly string[]): void {
  scope.recorder.append({
    event: 'stage_start',
    ...scope.where,
    received: given.map(({ name, file, sha256 }) => ({ name, path: inRun(scope.folder, file), sha256 })),
    options: recordedOptions(scope.row),
    slots: Object.keys(scope.allSlots),
    workdir: scope.pwd,
    tools,
    skills: scope.row.skills.map(({ name }) => name),
  });
}

/** Lays out `$INPUT`, `$OUTPUT`'s folder, `$TMP` and, where there are skills, `$SKILLS`. Rejects with a DiskError. */
export async function layOut(scope: StageScope, given: readonly Given[]): Promise<Workspace> {
  const { disk } = scope.ports;
  for (const folder of [scope.input, dirname(scope.output), scope.tmp, ...(scope.helpers.length > 0 ? [scope.subflows] : [])])
    await disk.makeFolder(folder);
  for (const { name, file } of given) await disk.copy(file, join(scope.input, name));
  const workspace = await readWorkspace(disk, scope.pwd, scope.options['local-context'].value);
  await layOutSkills(scope, workspace);
  return workspace;
}

/** Skills come flattened; an own one of the same name stands over the working folder's (G-9). */
async function layOutSkills({ row, copy, skills, ports: { disk } }: StageScope, workspace: Workspace): Promise<void> {
  const sources = new Map([
    ...workspace.skills.map(({ name, folder }) => [name, folder] as const),
    ...row.skills.map(({ name, path }) => [name, join(copy, path)] as const),
  ]);
  for (const [name, folder] of sources) await copyFolder(disk, folder, join(skills, name));
}

async function copyFolder(disk: Disk, from: string, to: string): Promise<void> {
  for (const name of await disk.list(from)) {
    const standing = await disk.look(join(from, name));
    if (standing?.kind === 'folder') await copyFolder(disk, join(from, name), join(to, name));
    if (standing?.kind === 'file') await disk.copy(join(from, name), join(to, name), { mode: standing.executable ? 0o700 : 0o600 });
  }
}
