import type { Disk } from './disk.js';

/** How a program is run inside a sandbox: by a launcher that ends with everything in it (I-13). */
export interface Containment {
  readonly launcher: Launcher;
  /** The launcher's arguments, which no process shows. */
  readonly args: readonly string[];
  /** Where the program stands inside, when that is elsewhere. */
  readonly file?: string;
  /** A private folder for what the launcher is told and what it reports. Nothing stays in it. */
  readonly scratch: string;
}

export interface Launcher {
  /** Absolute path of bubblewrap. */
  readonly file: string;
  /** What starts the program inside and tells how it ended; the program and its arguments follow. */
  readonly keeper: readonly string[];
  /** The user's home folder, as the system says. */
  readonly home: string;
}

export type LauncherFound =
  | { readonly found: 'works'; readonly launcher: Launcher }
  /** `systems`: what the system calls itself, and what it is like, as /etc/os-release says. */
  | { readonly found: 'absent'; readonly systems: readonly string[] }
  /** Not a Linux. */
  | { readonly found: 'elsewhere'; readonly platform: string }
  | Forbidden;

/** Bubblewrap is there, and may not contain anything. */
export interface Forbidden {
  readonly found: 'forbidden';
  /** In its own words. */
  readonly said: string;
  /** This is a container. */
  readonly container: boolean;
  /** The kernel's setting that forbids it, as `sysctl` takes it; null when none is known to. */
  readonly setting: string | null;
}

/** Tries with a real program, once, whether programs can be contained. */
export type FindLauncher = (network: boolean) => Promise<LauncherFound>;

/** Whether a file tool may read, or change, what stands at a real path. */
export type Allows = (real: string, writes: boolean) => boolean;

/**
 * The same disk for the file tools of a contained agent: every file is opened first, and used only when what was opened lies where it
 * may; a link that is changed meanwhile leads nowhere else. Reading and writing reject with `EACCES` otherwise. `rules` is asked before each.
 */
export type ConfineDisk = (rules: () => Promise<Allows>) => Disk;
