/** Where things stand in a run's folder. All paths are relative to it and `/`-separated. */
export const RECORD = 'record.jsonl';
export const MANIFEST = 'manifest.sha256';
export const RECORD_SUM = 'record.sha256';
export const ENVELOPE = 'record.dsse.json';
export const ASSEMBLY_COPY = 'assembly';

/** What the manifest cannot list: the record, which holds the manifest's hash, and what is written after it. */
export const UNLISTED: ReadonlySet<string> = new Set([RECORD, MANIFEST, RECORD_SUM, ENVELOPE]);

/** The folder of one repeat of a stage; `repeat` is 1 outside loops. */
export function repeatFolder(stage: string, repeat = 1): string {
  return `stages/${stage}/${repeat}`;
}

/** The folder of one attempt. */
export function attemptFolder(stage: string, repeat: number | undefined, attempt: number): string {
  return `${repeatFolder(stage, repeat)}/${attempt}`;
}

/** Who called a child run, as events and `run_start` say it. A fan-out calls in its first attempt. */
export interface Caller {
  readonly stage?: string;
  readonly repeat?: number;
  readonly retry?: number;
  readonly n: number;
}

/** The folder of a child run, below the caller's attempt. */
export function childFolder({ stage = '', repeat, retry = 1, n }: Caller): string {
  return `${attemptFolder(stage, repeat, retry)}/subflows/${n}`;
}

export function sessionFile(stage: string, repeat?: number): string {
  return `${repeatFolder(stage, repeat)}/session.jsonl`;
}

/**
 * Whether a path that a record names stays inside the run's folder: relative, no empty, `.` or `..` part, no zero byte.
 * A record is not trusted; whoever opens the path must not follow links either.
 */
export function staysInside(path: string): boolean {
  return !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
