import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process as Linux tells of it in /proc. */
export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly parent: number;
  /** `Z` and `X` are dead and only wait to be collected. */
  readonly state: string;
  /** Clock ticks after boot: with the pid and the boot it names one process for ever. */
  readonly startTime: string;
}

/** One process, or null when there is none, or no /proc to look in. */
export function readProcess(pid: number): ProcessEntry | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  return stat === null ? null : parseStat(pid, stat.toString('latin1'));
}

/** All processes; empty where there is no /proc. */
export function listProcesses(): ProcessEntry[] {
  return pids().flatMap((pid) => readProcess(pid) ?? []);
}

/** The living processes that carry `marker`. This process is never among them. */
export function processesMarked(marker: string): ProcessEntry[] {
  return pids().flatMap((pid) => {
    if (pid === process.pid || !carriesMarker(pid, marker)) return [];
    const entry = readProcess(pid);
    return entry && isLiving(entry) ? [entry] : [];
  });
}

/** Whether the environment of a process at its start had `TMPDIR` or `INPUT` at `marker` or below it: stages may share the one, never the other. */
export function carriesMarker(pid: number, marker: string): boolean {
  const environment = environmentOf(pid);
  if (environment === null || environment.length === 0) return false;
  const framed = Buffer.concat([Buffer.from([0]), environment, Buffer.from([0])]);
  return ['TMPDIR', 'INPUT'].some((name) => framed.includes(`\0${name}=${marker}\0`) || framed.includes(`\0${name}=${marker}/`));
}

/**
 * On its way into another program a process has no environment to read, for a moment in which a look would miss it: that moment is waited
 * out, a tenth of a second at most.
 */
function environmentOf(pid: number): Buffer | null {
  let environment = readOrNull(`/proc/${pid}/environ`);
  for (let looks = 0, changing = true; environment?.length === 0 && changing && looks < MOST_LOOKS; looks += 1) {
    if (looks > 0) Atomics.wait(NOTHING, 0, 0, 1);
    // Looked at before the environment is: what has arrived by then may be read.
    changing = isChanging(pid);
    environment = readOrNull(`/proc/${pid}/environ`);
  }
  return environment;
}

const MOST_LOOKS = 100;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/** It has memory, as no kernel thread and no zombie has, and the end of its environment (the 51st field of its `stat`) is not set yet. */
function isChanging(pid: number): boolean {
  const stat = readOrNull(`/proc/${pid}/stat`)?.toString('latin1') ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[20]) > 0 && Number(fields[48]) === 0;
}

/** Whether a process has its standard output or standard error in a file below a folder, which is given by its real path. */
export function printsInto(pid: number, folder: string): boolean {
  return [1, 2].some((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith(`${folder}/`);
    } catch {
      return false;
    }
  });
}

export function isLiving(entry: ProcessEntry): boolean {
  return entry.state !== 'Z' && entry.state !== 'X';
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The second field is the program's name in brackets and may itself hold brackets and blanks: the last bracket ends it. */
function parseStat(pid: number, stat: string): ProcessEntry | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const startTime = fields[19];
  return state === undefined || startTime === undefined ? null : { pid, group: Number(group), parent: Number(parent), state, startTime };
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
