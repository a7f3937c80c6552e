import type { RecordEvent, SealedFile } from '../events.js';
import { ASSEMBLY_COPY, RECORD, sessionFile, staysInside } from '../layout.js';
import { namedFiles } from '../named-files.js';
import type { TreeFile } from '../disk.js';
import type { Differences, Said } from './verdict.js';

/** The run's tree as the events are compared with it. */
export interface Evidence {
  /** Null when nothing of that path stands in the tree. */
  file(path: string): TreeFile | undefined;
  /** Hashes of the assembly copy's files; null when the tree holds no copy of its own (a child run). */
  readonly executables: ReadonlySet<string> | null;
  /** Hashes of the child runs' records. */
  readonly childRecords: ReadonlySet<string>;
  readonly differences: Differences;
}

/** Compares every hash that one event says with the bytes in the tree. `line` is the event's own. */
export function compareEvent(event: RecordEvent, line: number, evidence: Evidence): void {
  const { differences } = evidence;
  const said: Said = { rule: 'R-8', by: `line ${line} of ${RECORD}` };
  for (const { path, sha256 } of namedFiles(event)) {
    if (staysInside(path)) differences.compare(path, sha256, said);
    else differences.add({ path: RECORD, line, rule: 'R-8', message: `names a path outside the run: ${JSON.stringify(path)}` });
  }
  const compareSize = (file: SealedFile | undefined): void => {
    if (file === undefined) return;
    const found = evidence.file(file.path);
    if (found !== undefined && found.sha256 === file.sha256 && found.bytes !== file.bytes) {
      differences.add({ path: RECORD, line, rule: 'R-8', message: `says ${file.bytes} bytes of ${file.path}, which has ${found.bytes}` });
    }
  };
  const compareExecutable = (file: string, sha256: string | undefined): void => {
    if (sha256 === undefined || evidence.executables === null || evidence.executables.has(sha256)) return;
    differences.add({
      path: RECORD,
      line,
      rule: 'R-8',
      message: `says ${sha256} of ${file}, which no file of the ${ASSEMBLY_COPY} copy has`,
      expected: sha256,
    });
  };

  switch (event.event) {
    case 'run_start':
      return compareSize(event.request);
    case 'gate_start':
      return compareExecutable(event.file, event.sha256);
    case 'check':
    case 'hook':
      return compareExecutable(event.file ?? event.event, event.sha256);
    case 'stage_end':
      compareSize(event.output);
      return compareSession(event, line, evidence);
    case 'stage_carried':
    case 'stage_reused':
      return compareSize(event.output);
    case 'subflow_call':
      compareSize(event.output);
      if (evidence.childRecords.has(event.record_sha256)) return;
      return differences.add({
        path: RECORD,
        line,
        rule: 'R-8',
        message: `calls ${event.flow}, whose record stands nowhere in the run as it was when the child ended`,
        expected: event.record_sha256,
      });
    default:
      return;
  }
}

function compareSession(event: Extract<RecordEvent, { event: 'stage_end' }>, line: number, evidence: Evidence): void {
  if (event.session === undefined || event.stage === undefined) return;
  const path = sessionFile(event.stage, event.repeat);
  const found = evidence.file(path);
  if (found === undefined || found.lines === null || found.lines === event.session.lines || found.sha256 !== event.session.sha256) return;
  evidence.differences.add({
    path: RECORD,
    line,
    rule: 'R-8',
    message: `says ${event.session.lines} lines of ${path}, which has ${found.lines}`,
  });
}
