import { join } from 'node:path';
import type { Executable } from '@gated-flow/assembly';
import { stoppedBy } from '../stage/ending.js';
import { captureViews } from './capture-views.js';
import { PASS, type Check, type Round, type Verdict } from './check.js';
import { driftOf, evidenceOf, execute, type Executed } from './execute.js';
import { gateVerdict } from './gate-verdict.js';
import { outputDrift } from './output-drift.js';

/** The seed's frame, byte for byte, before what a failing gate printed (K-9). */
const FRAME =
  'Your output did not pass review. Fix the cause, then rewrite your output. If the cause is outside what you were asked to do, say so plainly instead of retrying.\n\nThe review output follows:\n\n';

/** A program that reads the output and decides (K-7, K-8). */
export function gateCheck(gate: Executable): Check {
  return {
    name: 'gate',
    file: gate.name,
    async run(round) {
      const { scope } = round;
      const drift = await driftOf(scope, gate);
      if (drift) return { verdict: 'end', ending: drift };

      scope.recorder.append({ event: 'gate_start', ...scope.where, retry: round.attempt, file: gate.name, sha256: gate.sha256 });
      const executed = await execute(scope, {
        executable: gate,
        args: [scope.output],
        env: scope.environments.gate,
        stop: scope.stop.signal,
        capture: join(round.folder, 'checks', captureName(gate)),
      });
      record(round, gate, executed);
      return await judge(round, gate, executed);
    },
  };
}

/** `gate.txt` for a gate file; `gate/<the entry's whole name>.txt` in a folder (K-1). */
function captureName(gate: Executable): string {
  return gate.name.startsWith('gate/') ? `${gate.name}.txt` : 'gate.txt';
}

function record({ scope, attempt }: Round, gate: Executable, executed: Executed): void {
  scope.recorder.append({ event: 'check', ...scope.where, retry: attempt, check: 'gate', ...evidenceOf(gate, executed) });
}

async function judge(round: Round, gate: Executable, { end, bytes }: Executed): Promise<Verdict> {
  const { scope } = round;
  const verdict = gateVerdict(end, bytes);
  if (verdict === 'stopped') return { verdict: 'end', ending: stoppedBy(scope.stop) };
  if (typeof verdict === 'object') {
    const { broken, why } = verdict;
    return { verdict: 'end', ending: { cause: broken, exit: 2, failed: gate.name, reason: `${gate.path} ${why}` } };
  }
  const drift = round.candidate === null ? null : await outputDrift(scope, round.candidate);
  if (drift) return { verdict: 'end', ending: drift };
  if (verdict === 'pass') return PASS;

  const capture = join(round.folder, 'checks', captureName(gate));
  const { agent, terminal: reason } = await captureViews(capture, { disk: scope.ports.disk, redactor: scope.redactor });
  if (verdict === 'blocked') return { verdict: 'end', ending: { cause: 'blocked', exit: 1, failed: gate.name, reason, capture } };
  return { verdict: 'fail', text: FRAME + agent, reason, capture };
}
