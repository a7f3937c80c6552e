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
  const environment = readOrNull(`/proc/${pid}/environ`);
  if (environment === null || environment.length === 0) return false;
  const framed = Buffer.concat([Buffer.from([0]), environment, Buffer.from([0])]);
  return ['TMPDIR', 'INPUT'].some((name) => framed.includes(`\0${name}=${marker}\0`) || framed.includes(`\0${name}=${marker}/`));
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
