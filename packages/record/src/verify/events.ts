import type { FactOf, RecordEvent, SealedFile } from '../events.js';
import { ASSEMBLY_COPY, RECORD, sessionFile, staysInside } from '../layout.js';
import type { NamedFile } from '../named-files.js';
import { namedFiles } from '../named-files.js';
import type { FileFacts } from './file-table.js';
import type { Differences, Said } from './verdict.js';

/** The run's tree as the events are compared with it. */
export interface Evidence {
  /** Null when nothing of that path stands in the tree. */
  file(path: string): FileFacts | undefined;
  /** Hashes of the assembly copy's files; null when there is none to compare with. */
  readonly executables: ReadonlySet<string> | null;
  readonly differences: Differences;
}

/** Compares every hash that one event says with the bytes in the tree. `line` is the event's own. */
export function compareEvent(event: RecordEvent, line: number, evidence: Evidence): void {
  const files = namedFiles(event);
  if (files.length > 0) compareFiles(files, line, evidence);
  switch (event.event) {
    case 'run_start':
      return compareSize(event.request, line, evidence);
    case 'gate_start':
      return compareExecutable(event, line, evidence);
    case 'check':
    case 'hook':
      return compareExecutable({ file: event.file ?? event.event, sha256: event.sha256 }, line, evidence);
    case 'stage_end':
      compareSize(event.output, line, evidence);
      return compareSession(event, line, evidence);
    case 'stage_carried':
    case 'stage_reused':
      return compareSize(event.output, line, evidence);
    case 'subflow_call':
      return compareSize(event.output, line, evidence);
    default:
      return;
  }
}

function compareFiles(files: readonly NamedFile[], line: number, { differences }: Evidence): void {
  const said: Said = { rule: 'R-8', by: `line ${line} of ${RECORD}` };
  for (const { path, sha256 } of files) {
    if (staysInside(path)) differences.compare(path, sha256, said);
    else differences.add({ path: RECORD, line, rule: 'R-8', message: `names a path outside the run: ${JSON.stringify(path)}` });
  }
}

function compareSize(file: SealedFile | undefined, line: number, { file: standing, differences }: Evidence): void {
  if (file === undefined) return;
  const found = standing(file.path);
  if (found === undefined || found.sha256 !== file.sha256 || found.bytes === file.bytes) return;
  differences.add({ path: RECORD, line, rule: 'R-8', message: `says ${file.bytes} bytes of ${file.path}, which has ${found.bytes}` });
}

function compareExecutable(
  { file, sha256 }: { readonly file: string; readonly sha256?: string | undefined },
  line: number,
  { executables, differences }: Evidence,
): void {
  if (sha256 === undefined || executables === null || executables.has(sha256)) return;
  const message = `says ${sha256} of ${file}, which no file of the ${ASSEMBLY_COPY} copy has`;
  differences.add({ path: RECORD, line, rule: 'R-8', message, expected: sha256 });
}

function compareSession(event: FactOf<'stage_end'>, line: number, evidence: Evidence): void {
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
