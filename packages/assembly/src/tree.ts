/** The typed tree that a valid assembly becomes. Plain data, no disk: all paths are relative to the assembly's root and `/`-separated. */
import type { Snapshot } from './snapshot.js';

export type LocalContext = 'ignore' | 'announce' | 'use';

/** The four keys that every level may set and that inner levels override (O-4). `timeout` is in seconds. */
export interface Inheritable {
  readonly intelligence?: string;
  readonly timeout?: number;
  readonly retries?: number;
  readonly localContext?: LocalContext;
}

export interface Assembly {
  readonly snapshot: Snapshot;
  /** Lower-case hex SHA-256 of the file list. */
  readonly hash: string;
  /** How many visible files the hash covers. */
  readonly files: number;
  /** `ASSEMBLY.md`, or null when the root is a lone flow or stage. */
  readonly sentinel: string | null;
  /** The body of ASSEMBLY.md without comments; empty when there is none. */
  readonly purpose: string;
  readonly options: Inheritable;
  /** Declared slots: name as written → one-line description. */
  readonly slots: Readonly<Record<string, string>>;
  readonly tmpMaxBytes: number;
  readonly unevaluated: 'warn' | 'fail';
  readonly flows: readonly Flow[];
  readonly subflows: readonly Flow[];
  readonly skills: readonly Skill[];
  /** Path of the root's behavioural contract. */
  readonly contract?: string;
  /** Path of `governance.contract.json`. */
  readonly governance?: string;
  /** `lib` when the root has one. */
  readonly lib?: string;
}

export interface Flow {
  readonly type: 'FLOW' | 'DESCEND';
  readonly name: string;
  /** The flow's folder; `.` for a lone flow. */
  readonly path: string;
  readonly sentinel: string;
  readonly description: string;
  /** The body of the sentinel, without comments. */
  readonly procedure: string;
  readonly options: Inheritable;
  readonly tmp: 'stage' | 'flow';
  /** DESCEND only: 1..11 (G-8). */
  readonly maxDepth?: number;
  readonly steps: readonly Step[];
  readonly subflows: readonly Flow[];
  readonly skills: readonly Skill[];
  readonly contract?: string;
  readonly lib?: string;
}

export type Step = Stage | Loop | Choose | Parallel | Fanout;

interface Place {
  /** The identity: the name without its number and extension. */
  readonly name: string;
  /** The path inside the flow, numbers kept, `.md` dropped: `01-p/cost`. Names the record's folder. */
  readonly path: string;
  /** The file or folder in the assembly. */
  readonly entry: string;
  /** The markdown file that makes it what it is. */
  readonly sentinel: string;
  readonly options: Inheritable;
  readonly skills: readonly Skill[];
}

export interface Stage extends Place {
  readonly type: 'STAGE';
  /** Without comments, checklist heading included. Never empty. */
  readonly body: string;
  /** Item texts, in order; item n is `checklist[n - 1]` (K-4). */
  readonly checklist: readonly string[];
  readonly schema?: Schema;
  /** In the order they run. */
  readonly gates: readonly Executable[];
  readonly hooks: Readonly<Partial<Record<HookName, Executable>>>;
  readonly workdir?: string;
  readonly access?: Access;
  readonly subflows: readonly Flow[];
  readonly contract?: string;
}

export type HookName = 'before' | 'success' | 'failure';

export interface Executable {
  /** In the assembly. */
  readonly path: string;
  /** In the stage folder: `gate.sh`, `gate/01-lint.sh`, `before.py`. */
  readonly name: string;
  readonly sha256: string;
  /** The `lib` folders it may reach (stage, flow, root), compared before each execution (A-21, K-10). */
  readonly libs: readonly string[];
}

export type Schema = JsonSchema | MarkdownTemplate;

export interface JsonSchema {
  readonly kind: 'json';
  readonly path: string;
  /** As written, for the prompt. */
  readonly text: string;
  readonly schema: object | boolean;
}

export interface MarkdownTemplate {
  readonly kind: 'md';
  readonly path: string;
  readonly text: string;
  readonly keys: readonly TemplateKey[];
}

export type SlimType = 'str' | 'int' | 'float' | 'bool' | 'list' | 'date';
/** `type` is null for a key that accepts anything. */
export interface TemplateKey {
  readonly key: string;
  readonly type: SlimType | null;
}

/** An operation that is absent is denied; no `access` at all allows everything. `bash` lists programs, the others slot names. */
export interface Access {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly edit?: readonly string[];
  readonly bash?: readonly string[];
}

export interface Loop extends Place {
  readonly type: 'LOOP';
  readonly repeat: number;
  readonly question?: string;
  readonly steps: readonly Step[];
}

/** A named way through a container: one stage or container, or a folder of numbered stages. */
export interface Branch {
  readonly name: string;
  readonly path: string;
  readonly entry: string;
  readonly steps: readonly Step[];
}

export interface Choose extends Place {
  readonly type: 'CHOOSE';
  readonly prompt: string;
  readonly alternatives: readonly Branch[];
}

export interface Parallel extends Place {
  readonly type: 'PARALLEL';
  readonly width: number;
  readonly branches: readonly Branch[];
}

export interface Fanout extends Place {
  readonly type: 'FANOUT';
  readonly items: string;
  readonly subflow: string;
  readonly width: number;
  readonly maxItems: number;
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The skill's folder. */
  readonly path: string;
}
