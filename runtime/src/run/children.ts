/** Child runs: complete runs with a record of their own, below the attempt that called them (G-6, G-7). */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { attemptFolder, type Fact, namedFiles, RECORD } from '@gated-flow/record';
import { childWord } from '../record/child-run.js';
import { openRecord, type RunRecorder } from '../record/open-record.js';
import { told } from '../record/told.js';
import type { ChildCall, ChildEnded, Children } from '../stage/children.js';
import type { Ending } from '../stage/decide.js';
import { recordChanged } from '../stage/ending.js';
import { type Given, inRun } from '../stage/scope.js';
import type { Walked } from '../walk/walk.js';
import { broken } from './broken.js';
import { pendingIn } from './pending.js';
import { placeIn } from './place.js';
import { type RunPart, runScope, type RunWorld } from './scope.js';
import { asWalked, endFields, startFields } from './start-and-end.js';
import { walkFlow } from './walk-flow.js';

/** What the runs below `caller` are started with. */
export function openChildren(world: RunWorld, caller: RunPart): Children {
  return { depth: caller.callers.length, run: (call) => runChild(world, caller, call) };
}

async function runChild(world: RunWorld, caller: RunPart, call: ChildCall): Promise<ChildEnded> {
  const { flow, n, request } = call;
  const { stage, repeat, retry } = call.caller;
  const folder = join(caller.folder, attemptFolder(stage, repeat, retry), 'subflows', String(n));
  const file = join(folder, request.name);
  await world.machine.disk.write(file, request.bytes);
  const given: Given = { name: request.name, file, sha256: sha256(request.bytes) };
  const about = {
    ...call.caller,
    n,
    flow: flow.name,
    ...(call.item === undefined ? {} : { item: call.item }),
    depth: caller.callers.length + 1,
    input: { sha256: given.sha256, bytes: request.bytes.length },
  };
  caller.recorder.append({ event: 'subflow_start', ...about });

  const item = call.item ?? caller.item;
  const part: RunPart = {
    recorder: openChildRecord(world, folder),
    folder,
    flow,
    rows: world.prepared.plan.callable.get(flow.path) ?? [],
    callers: [...caller.callers, caller.flow],
    within: `${caller.within}${childWord({ ...call.caller, n, ...(call.item === undefined ? {} : { item: call.item }) })}/`,
    ...(item === undefined ? {} : { item }),
  };
  try {
    part.recorder.append(startOf(world, part, { given, call }));
    const walked = await walkFlow(runScope(world, part, openChildren(world, part)), flow.steps, [given]).catch((error: unknown) =>
      broken(error, world.options),
    );
    const { ending, output } = await endRecord(world, part, walked);
    const record_sha256 = part.recorder.digest().sha256;
    const { cause, exit, reason } = ending;
    caller.recorder.append({
      event: 'subflow_call',
      ...about,
      ...{ cause, exit },
      ...(reason === undefined ? {} : { reason: world.born.redactor.text(reason) }),
      ...(output === null ? {} : { output: { ...output, path: inRun(caller.folder, output.path) } }),
      record_sha256,
    });
    return endedOf(ending, output);
  } finally {
    part.recorder.close();
  }
}

/** What its events vouch for is vouched for by the outermost run as well, whose manifest lists it. */
function openChildRecord({ machine, options, born }: RunWorld, folder: string): RunRecorder {
  const place = placeIn(born.claimed.folder, folder);
  return told(openRecord(machine.openAppend(join(folder, RECORD)), machine.clock), (fact) => {
    for (const { path, sha256 } of namedFiles(fact)) born.vouch(`${place}/${path}`, sha256);
    options.onFact?.(fact, place);
  });
}

function startOf({ prepared, born, options, machine }: RunWorld, part: RunPart, { given, call }: { given: Given; call: ChildCall }): Fact {
  return {
    ...startFields(prepared, {
      ...{ options, machine, run: born.claimed.name, workdir: born.workdir },
      flow: part.flow.name,
      request: { path: given.name, sha256: given.sha256, bytes: call.request.bytes.length, from: 'call' },
    }),
    child: { ...call.caller, n: call.n, ...(call.item === undefined ? {} : { item: call.item }), depth: part.callers.length },
  };
}

interface Output {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Ends the child's record durably, before the caller's speaks of it. */
async function endRecord(
  { born, machine }: RunWorld,
  { recorder, within }: RunPart,
  walked: Walked | Ending,
): Promise<{ readonly ending: Ending; readonly output: Output | null }> {
  const ended = asWalked(walked);
  const ending = (await recorder.intact()) ? ended.ending : recordChanged();
  recorder.append({ event: 'run_end', ...endFields(ending, ended.stage, born.redactor), ...pendingIn(born, within) });
  await recorder.sync();
  const [output] = ending.cause === 'success' ? (ended.outputs ?? []) : [];
  if (output === undefined) return { ending, output: null };
  const bytes = (await machine.disk.look(output.file))?.size ?? 0;
  return { ending, output: { path: output.file, sha256: output.sha256, bytes } };
}

/** Words that come with a capture are the author's or the agent's own; every other reason is ours and tells of the machinery (P-2). */
function endedOf({ cause, exit, reason, capture }: Ending, output: Output | null): ChildEnded {
  return {
    ...{ cause, exit },
    ...(reason === undefined ? {} : { reason }),
    ...(reason === undefined || capture === undefined ? {} : { words: reason }),
    output: output && { file: output.path, sha256: output.sha256, bytes: output.bytes },
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
