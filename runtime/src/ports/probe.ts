/** What `flow doctor` asks the machine. Nothing here rejects, and everything has a clock of its own; what cannot be told is null. */
export interface Probe {
  /** As `process.version`: `v20.19.0`. */
  readonly node: string;
  /** As `process.platform`: `linux`, `darwin`. */
  readonly platform: string;
  /** The system's own temporary folder, absolute. */
  readonly temporary: string;
  /** What the system allows this process, and how it holds files. */
  allowances(): Promise<Allowances>;
  /** Looks at a folder that is not ours to try anything in. */
  place(path: string): Promise<PlaceFacts>;
  /** The absolute path of a program on the PATH; null when it is not there or may not be executed. */
  find(program: string): Promise<string | null>;
  /** Runs a program and takes the beginning of what it says on both outputs. */
  ask(program: string, args: readonly string[]): Promise<Asked>;
  /** Looks at a folder that is written to. In one of the user's own a small program is made, run and removed. */
  folder(path: string): Promise<FolderFacts>;
  /** One GET, through the proxies of the environment, following no redirection. */
  reach(target: ReachTarget): Promise<Reached>;
}

/** Null: the system does not say. */
export interface Allowances {
  /** Whether it is the superuser. */
  readonly root: boolean | null;
  /** `ulimit -n`: descriptors that may be open at once. */
  readonly openFiles: number | null;
  /** `fs.inotify.max_user_watches`; null where there is no such thing. */
  readonly watches: number | null;
}

export interface PlaceFacts {
  /** Why nothing can be made there: `EACCES`, `EROFS`; null when something can. */
  readonly unwritable: string | null;
  /** Whether it is mounted so that no program in it runs. */
  readonly noexec: boolean;
  /** Whether it stands on a disk of Windows, as WSL and virtual machines show one. */
  readonly windows: boolean;
}

export type Asked =
  | { readonly asked: 'answered'; readonly exit: number; readonly text: string }
  | { readonly asked: 'absent' }
  /** It did not end in its time, said far too much, or was ended by a signal. */
  | { readonly asked: 'silent' };

export interface FolderFacts {
  /** `closed`: a folder above it does not let this user see whether it is there. */
  readonly kind: 'absent' | 'folder' | 'link' | 'closed' | 'other';
  /** Null for what is absent, and where there are no owners. */
  readonly own: boolean | null;
  /** The permission bits; null for what is absent. */
  readonly mode: number | null;
  /** The folder itself, or the nearest above that exists: there the next three were found. */
  readonly nearest: string;
  /** Why nothing can be made there, as the system says it: `EACCES`, `EROFS`; null when something can. */
  readonly unwritable: string | null;
  /** Whether a program that stands there can be executed; null when it was not tried. */
  readonly executes: boolean | null;
  /** Bytes that this user may still use; null when the system does not say. */
  readonly free: number | null;
}

export interface ReachTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Reached =
  | {
      readonly reached: 'answered';
      readonly status: number;
      /** The ids in a list of models; null when the answer is none. */
      readonly models: readonly string[] | null;
      /** By how much this machine's clock is ahead of the server's, in milliseconds; null when the server does not say. */
      readonly aheadMs?: number | null;
    }
  | {
      readonly reached: 'failed';
      readonly trouble: 'name' | 'refused' | 'certificate' | 'silent' | 'proxy' | 'other';
      /** The system's code or words, any text. */
      readonly detail: string;
    };
