import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CheckName, UnevaluatedClause } from '@gated-flow/record';
import { inRun } from '../stage/scope.js';
import { PASS, type Round, type Verdict } from './check.js';
import { viewsOf } from './view.js';

/** Records a check that is decided here and not by a program: its text is its capture, empty for a pass (K-15). */
export async function written(
  round: Round,
  check: CheckName,
  result: { capture: string; text: string | null; began: number; unevaluated?: readonly UnevaluatedClause[] },
): Promise<Verdict> {
  const { ports, recorder, redactor, where, folder } = round.scope;
  const bytes = Buffer.from(result.text ?? '');
  const capture = join(round.folder, 'checks', result.capture);
  await ports.disk.write(capture, bytes);
  recorder.append({
    event: 'check',
    ...where,
    retry: round.attempt,
    check,
    exit: result.text === null ? 0 : 1,
    capture: inRun(folder, capture),
    capture_sha256: createHash('sha256').update(bytes).digest('hex'),
    ms: Math.round(ports.clock.elapsed() - result.began),
    ...(result.unevaluated === undefined || result.unevaluated.length === 0 ? {} : { unevaluated: redactor.json(result.unevaluated) }),
  });
  if (result.text === null) return PASS;
  const { agent, terminal } = viewsOf(bytes, redactor);
  return { verdict: 'fail', text: agent, reason: terminal, capture };
}
