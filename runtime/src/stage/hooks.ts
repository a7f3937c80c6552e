import { join } from 'node:path';
import type { HookName } from '@gated-flow/assembly';
import { captureViews } from '../checks/capture-views.js';
import { brokenProgram } from '../checks/gate-verdict.js';
import { driftOf, evidenceOf, execute, type Executed } from '../checks/execute.js';
import { outputDrift } from '../checks/output-drift.js';
import type { Ending, StageFact } from './decide.js';
import { stoppedBy } from './ending.js';
import type { StageScope } from './scope.js';

/** Runs `before` or `success`; its exit counts (K-12), unless it changed the output (K-11). `judged` is the hash that the output had when its round began. */
export async function runHook(scope: StageScope, hook: 'before' | 'success', judged: string | null): Promise<StageFact> {
  const executed = await start(scope, hook, { env: scope.environments.hook, stop: scope.stop.signal });
  if ('cause' in executed) return { fact: 'ended', ending: executed };
  const { end } = executed;
  const broken = brokenProgram(end);
  if (broken)
    return { fact: 'ended', ending: { cause: broken.broken, exit: 2, failed: hook, reason: `${pathOf(scope, hook)} ${broken.why}` } };
  if (end.ended !== 'exited') return { fact: 'ended', ending: stoppedBy(scope.stop) };
  const drift = judged === null ? null : await outputDrift(scope, judged);
  if (drift) return { fact: 'ended', ending: drift };
  return end.code === 0 ? { fact: 'hook-passed' } : { fact: 'hook-refused', hook, reason: await refusal(scope, hook, executed) };
}

/** Runs `failure`: evidence only, nothing it does changes the ending. A signal still ends it. */
export async function runFailureHook(scope: StageScope, ending: Ending): Promise<void> {
  const env: Record<string, string> = { ...scope.environments.hook, CAUSE: ending.cause };
  if (ending.capture === undefined) delete env['REASON'];
  else env['REASON'] = ending.capture;
  await start(scope, 'failure', { env, stop: scope.stop.interrupted });
}

async function start(
  scope: StageScope,
  hook: HookName,
  { env, stop }: { env: Readonly<Record<string, string>>; stop: AbortSignal },
): Promise<Executed | Ending> {
  const executable = scope.stage.hooks[hook];
  if (!executable) throw new Error(`the stage has no ${hook} hook`);
  const drift = await driftOf(scope, executable);
  if (drift) return drift;
  scope.watch({ activity: 'hook', stage: scope.where.stage, hook });
  const executed = await execute(scope, { executable, args: [], env, stop, capture: join(scope.place, 'hooks', `${hook}.txt`) });
  scope.recorder.append({ event: 'hook', ...scope.where, hook, ...evidenceOf(executable, executed) });
  return executed;
}

async function refusal(scope: StageScope, hook: 'before' | 'success', { end, bytes }: Executed): Promise<string> {
  const code = end.ended === 'exited' ? end.code : null;
  const says = `${pathOf(scope, hook)} said no (exit ${code})`;
  if (bytes === 0) return `${says}.`;
  const capture = join(scope.place, 'hooks', `${hook}.txt`);
  const { terminal } = await captureViews(capture, { disk: scope.ports.disk, redactor: scope.redactor });
  return `${says}: ${terminal}`;
}

function pathOf(scope: StageScope, hook: HookName): string {
  return scope.stage.hooks[hook]?.path ?? hook;
}
