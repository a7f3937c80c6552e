/** A tool as the agent's loop sees it: what the model is told, what it would touch, and how it is done. */
import type { Redactor } from '@gated-flow/text';
import type { Clock } from '../../ports/clock.js';
import type { Disk } from '../../ports/disk.js';
import type { Ids } from '../../ports/ids.js';
import type { ToolSpec } from '../../ports/model.js';
import type { Programs } from '../../ports/programs.js';
import type { Faulty, Parameters } from './parameters.js';

export interface Tool {
  readonly spec: ToolSpec;
  /** Read-only calls of one turn may run at once (L-7). */
  readonly readOnly: boolean;
  /** What is wrong with the arguments, in words for the agent; null when nothing is. */
  check(input: unknown): string | null;
  /** What the call would touch, for `access`; nothing for a tool that touches nothing outside the session. */
  reach(input: unknown): readonly Reach[];
  /** A failing tool is a result with `error`; rejects only for broken machinery (a capture that cannot be written). */
  run(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

export type Reach =
  { readonly operation: 'read' | 'write' | 'edit'; readonly path: string } | { readonly operation: 'bash'; readonly command: string };

export interface ToolOutput {
  readonly output: string;
  readonly error?: true;
  /** What a command exited with; for the record, and not for the agent, who reads it in the output. */
  readonly exit?: number;
}

/** One call of the `subflow` tool (G-7). */
export interface HelperCall {
  /** The helper's name, which is in scope. */
  readonly flow: string;
  readonly input: { readonly text: string } | { readonly path: string };
}

/** What one agent's tools work with. */
export interface ToolContext {
  /** Slot name without `$` → absolute path (S-1). `PWD` is always there. */
  readonly slots: Readonly<Record<string, string>>;
  /** The whole environment of the agent's shell (S-2). */
  readonly env: Readonly<Record<string, string>>;
  readonly disk: Disk;
  readonly programs: Programs;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Names what the shell starts, for `Programs.sweep` when the agent stops (L-6). */
  readonly owner: string;
  /** A private folder for captures, on the file system of `$TMP` and out of the agent's slots. */
  readonly scratch: string;
  /** Applied before an output is cut, so that no cut leaves half a secret behind (S-2). */
  readonly redactor: Redactor;
  /** What is left of the agent's clock, in milliseconds (L-5). */
  remainingMs(): number;
  /** Runs a batch of helpers at once and words what came of them; `calls` is not empty and names helpers in scope. */
  callHelpers(calls: readonly HelperCall[], context: ToolContext): Promise<ToolOutput>;
  /** Aborting ends a running command. */
  readonly stop: AbortSignal;
}

export interface ToolDefinition<T> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters<T>;
  readonly readOnly?: boolean;
  reach?(input: T): Reach | readonly Reach[];
  run(input: T, context: ToolContext): Promise<ToolOutput> | ToolOutput;
}

/** Makes a `Tool` whose arguments are read once by its parameters, so that `run` gets them typed. */
export function defineTool<T>(definition: ToolDefinition<T>): Tool {
  const { name, description, parameters } = definition;
  return {
    spec: { name, description, parameters: parameters.schema },
    readOnly: definition.readOnly ?? false,
    check(input) {
      const read = parameters.read(input);
      return read.ok ? null : describe(name, read);
    },
    reach(input) {
      const read = parameters.read(input);
      return read.ok && definition.reach ? [definition.reach(read.value)].flat() : [];
    },
    async run(input, context) {
      const read = parameters.read(input);
      return read.ok ? definition.run(read.value, context) : failed(describe(name, read));
    },
  };
}

/** A result that says what went wrong. */
export function failed(output: string): ToolOutput {
  return { output, error: true };
}

function describe(name: string, { faults }: Faulty): string {
  return [`The arguments of ${name} are wrong:`, ...faults.map((fault) => `- ${fault}`)].join('\n');
}
