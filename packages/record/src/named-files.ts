import type { Fact } from './events.js';
import { repeatFolder, sessionFile } from './layout.js';

/** A file of a run's folder, relative to it, with the hash that an event says of it. */
export interface NamedFile {
  readonly path: string;
  readonly sha256: string;
}

/** The files that an event vouches for. A session is vouched for once its stage has ended. */
export function namedFiles(event: Fact): readonly NamedFile[] {
  switch (event.event) {
    case 'run_start':
      return [event.request];
    case 'stage_start':
      return event.received;
    case 'prompt': {
      const folder = repeatFolder(event.stage ?? '', event.repeat);
      return [
        { path: `${folder}/system.txt`, sha256: event.system_sha256 },
        { path: `${folder}/first-turn.txt`, sha256: event.first_turn_sha256 },
      ];
    }
    case 'check':
    case 'hook':
      return [{ path: event.capture, sha256: event.capture_sha256 }];
    case 'stage_end':
      return [...(event.output ? [event.output] : []), ...sessionOf(event)];
    case 'stage_carried':
    case 'stage_reused':
    case 'subflow_call':
      return event.output ? [event.output] : [];
    case 'governance':
      return event.sources ? [event.sources] : [];
    default:
      return [];
  }
}

function sessionOf({ session, stage, repeat }: Extract<Fact, { event: 'stage_end' }>): readonly NamedFile[] {
  if (session === undefined || stage === undefined) return [];
  return [{ path: sessionFile(stage, repeat), sha256: session.sha256 }];
}
