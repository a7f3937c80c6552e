import type { Fact } from '@gated-flow/record';
import type { RunRecorder } from './open-record.js';

/** Tells every fact to whoever watches, after it was written. */
export function told(recorder: RunRecorder, onFact: (fact: Fact) => void): RunRecorder {
  return {
    ...recorder,
    append(fact) {
      recorder.append(fact);
      onFact(fact);
    },
  };
}
