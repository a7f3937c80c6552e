/**
 * A run as the run log of AgentContract (C-13, section 10 of the specification): one line for each time an agent worked, which
 * `agentcontract validate` judges as the run was judged. Pure: what it reads it is given.
 */
import { attemptFolder, childFolder, repeatFolder, staysInside } from '@gated-flow/record';
import type { FactOf, RecordEvent } from '@gated-flow/record';
import { isUtf8, type Redactor } from '@gated-flow/text';
import { agentCalls } from './agent-calls.js';
import { agentWork, type AgentWork } from './agent-work.js';

/** The folder of one run of the tree. */
export interface RunFiles {
  /** Of its record, in order. */
  events(): AsyncIterable<RecordEvent>;
  /** All of a file below the folder; null when it is not there, is no regular file, or is larger. */
  read(path: string, mostBytes: number): Promise<Uint8Array | null>;
  /** A file below the folder, piece by piece; nothing when it is not there. */
  pieces(path: string): AsyncIterable<Uint8Array>;
  /** A child run, by its folder below this one. */
  child(folder: string): RunFiles;
}

/** Inputs and outputs beyond this are left out as unknown: a line has to be a string. In bytes. */
const MOST = 128 * 1024 * 1024;

/**
 * The lines, each with its newline, in the order in which stages ended; those of a child run stand before its caller's. Held in
 * memory is one line. An output stands in it whether it was sealed or withheld: otherwise nobody could judge it again. Without
 * secrets (S-2). Of a stage whose `before` may have changed what it was given, the input is unknown; of an agent that left nothing
 * to judge, the output.
 */
export async function* runlog(run: RunFiles, redactor: Redactor): AsyncGenerator<string> {
  const passes = new Map<string, Pass>();
  let flow = '';
  for await (const event of run.events()) {
    if (event.event === 'run_start') flow = event.flow;
    const { stage } = event;
    if (stage === undefined) continue;
    const key = repeatFolder(stage, event.repeat);
    if (event.event === 'stage_start') passes.set(key, { flow, start: event, work: agentWork(), changedInput: false, from: null });
    const pass = passes.get(key);
    if (event.event === 'subflow_call') yield* runlog(run.child(childFolder(event)), redactor);
    if (pass === undefined) continue;
    pass.work.add(event);
    if (event.event === 'hook' && event.hook === 'before') pass.changedInput = true;
    if (event.event === 'stage_reused') pass.from = event.from;
    if (event.event !== 'stage_end') continue;
    passes.delete(key);
    yield `${JSON.stringify(redactor.json(await entryOf(pass, event, run)))}\n`;
  }
}

type Stamped<N extends RecordEvent['event']> = FactOf<N> & { readonly ts: string };

/** One pass of a stage, while its events go by. */
interface Pass {
  readonly flow: string;
  readonly start: Stamped<'stage_start'>;
  readonly work: AgentWork;
  changedInput: boolean;
  /** The earlier run whose output was taken over. */
  from: string | null;
}

async function entryOf({ flow, start, work, changedInput, from }: Pass, end: Stamped<'stage_end'>, run: RunFiles): Promise<object> {
  const { stage = '', repeat } = end;
  const seen = work.sum();
  const worked = seen.turns > 0 && from === null;
  const session = `${repeatFolder(stage, repeat)}/session.jsonl`;
  const { calls, commands, changes } = worked
    ? await agentCalls(run.pieces(session), { denied: seen.denied, workdir: start.workdir, slots: start.slots })
    : UNSEEN;
  return {
    input: changedInput ? null : await inputOf(start, run),
    output: seen.candidate ? await outputOf(end, run) : null,
    tool_calls: calls,
    duration_ms: worked ? seen.ms : null,
    cost_usd: worked ? seen.costUsd : null,
    output_tokens: worked ? seen.outputTokens : null,
    input_tokens: worked ? seen.inputTokens : null,
    steps: worked ? seen.steps : null,
    commands,
    changed_files: changes,
    model: worked ? seen.model : null,
    timestamp: start.ts,
    ...{ flow, stage, ...(repeat === undefined ? {} : { repeat }), rounds: end.attempts, cause: end.cause },
  };
}

/** Nobody saw the work being done: it is an earlier run's, or none was. */
const UNSEEN = { calls: null, commands: null, changes: null };

/** One file is its text; several are a JSON object of name to text, in name order, as the contracts were shown it. */
async function inputOf({ received }: FactOf<'stage_start'>, run: RunFiles): Promise<string | null> {
  const files: (readonly [string, string])[] = [];
  for (const { name, path } of received) {
    const text = await textAt(path, run);
    if (text === null) return null;
    files.push([name, text]);
  }
  const [first, ...others] = files;
  return others.length === 0 ? (first?.[1] ?? '') : JSON.stringify(Object.fromEntries(files));
}

async function outputOf({ output, stage = '', repeat, attempts }: FactOf<'stage_end'>, run: RunFiles): Promise<string | null> {
  const own = output?.path.startsWith(`${attemptFolder(stage, repeat, attempts)}/`) ?? false;
  return output !== undefined && (own || attempts === 0) ? textAt(output.path, run) : null;
}

async function textAt(path: string, run: RunFiles): Promise<string | null> {
  const bytes = staysInside(path) ? await run.read(path, MOST) : null;
  return bytes === null ? null : textOf(bytes);
}

/** What is no UTF-8 has to stay none: every byte beyond ASCII is then a lone surrogate, as Python's `surrogateescape` has it. */
function textOf(bytes: Uint8Array): string {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isUtf8(bytes)) return all.toString('utf8');
  return all.toString('latin1').replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}
