import type { RecordEvent } from './events.js';

/** Judges the order of a record's events as they come. */
export interface Order {
  /** What is wrong with this event in this place; null when nothing is. */
  see(event: RecordEvent): string | null;
  readonly ended: boolean;
}

export function createOrder(): Order {
  const open = new Set<string>();
  const closed = new Set<string>();
  let ended = false;

  const start = (key: string, stage: string): string | null => {
    if (open.has(key)) return `starts ${stage} a second time`;
    open.add(key);
    return null;
  };
  const end = (key: string, stage: string): string | null => {
    closed.add(key);
    return open.delete(key) ? null : `ends ${stage}, which had not started`;
  };
  /** What is carried has its end in another run: nothing of it happens in this one. */
  const carry = (key: string, stage: string): string | null => {
    closed.add(key);
    return open.has(key) ? `carries ${stage}, which had started` : null;
  };
  const endRun = (): string | null => {
    ended = true;
    const [left] = open;
    return left === undefined ? null : `ends the run while ${nameOf(left)} is open`;
  };

  return {
    see(event) {
      if (ended) return 'follows run_end';
      if (event.event === 'run_end') return endRun();
      if (event.event === 'run_start') return 'starts the run a second time';
      if (event.stage === undefined) return null;
      const key = event.repeat === undefined ? event.stage : `${event.stage}\0${event.repeat}`;
      if (closed.has(key)) return event.event === 'tmp_teardown' ? null : `says ${event.event} of ${nameOf(key)} after its end`;
      if (event.event === 'stage_start') return start(key, nameOf(key));
      if (event.event === 'stage_end') return end(key, nameOf(key));
      if (event.event === 'stage_carried') return carry(key, nameOf(key));
      return null;
    },
    get ended() {
      return ended;
    },
  };
}

function nameOf(key: string): string {
  return key.replace('\0', ', repeat ');
}
