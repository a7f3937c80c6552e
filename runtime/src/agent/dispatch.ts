/** Answers the tool calls of one turn: read-only ones at once, the rest in the order called (L-7, L-11). */
import type { Permit } from '../permit/permit.js';
import type { ToolCall, ToolResult } from '../ports/model.js';
import type { Ending } from '../stage/decide.js';
import type { ControlEffect, ControlTool } from './control/control.js';
import type { Left } from './held.js';
import type { Tool, ToolContext } from './tools/tool.js';

export interface Desk {
  readonly tools: readonly Tool[];
  readonly controls: readonly ControlTool[];
  readonly permit: Permit;
  readonly context: ToolContext;
  /** Does what a control call asked for; not null when it ended the work. Rejects with a DiskError. */
  effect(call: { readonly tool: string; readonly effect: ControlEffect; readonly attempt: number }): Promise<Left | null>;
  /** A call was denied, with what the agent was told. */
  denied(tool: string, reason: string, attempt: number): void;
  /** A tool is about to run. */
  working(tool: string, attempt: number): void;
  /** After every call: an ending when the scratch folder has outgrown its bound (S-5). */
  overgrown(): Promise<Ending | null>;
}

export interface Dispatched {
  readonly results: readonly ToolResult[];
  readonly leave?: Left;
}

/** Once the agent's time is spent, or the run is stopped, no further call is begun (L-5, E-2). */
export async function dispatch(desk: Desk, calls: readonly ToolCall[], attempt: number): Promise<Dispatched> {
  const results: ToolResult[] = [];
  for (const batch of batches(desk, calls)) {
    if (desk.context.stop.aborted) return { results: [...results, ...calls.slice(results.length).map(notRun)] };
    const answered = await Promise.all(batch.map((call) => answer(desk, call, attempt)));
    results.push(...answered.map(({ result }) => result));
    const leave = answered.find((one) => one.leave)?.leave ?? (await tooMuch(desk));
    if (leave) return { results: [...results, ...calls.slice(results.length).map(notRun)], leave };
  }
  return { results };
}

async function tooMuch(desk: Desk): Promise<Left | null> {
  const ending = await desk.overgrown();
  return ending && { end: 'left', ending };
}

/** Neighbouring read-only calls stand together; every other call stands alone. */
function batches(desk: Desk, calls: readonly ToolCall[]): ToolCall[][] {
  const found: ToolCall[][] = [];
  let reading = false;
  for (const call of calls) {
    const reads = desk.tools.find((tool) => tool.spec.name === call.tool)?.readOnly ?? false;
    const last = found.at(-1);
    if (reads && reading && last) last.push(call);
    else found.push([call]);
    reading = reads;
  }
  return found;
}

async function answer(desk: Desk, call: ToolCall, attempt: number): Promise<{ result: ToolResult; leave?: Left }> {
  const { id, tool: name } = call;
  if (call.malformed !== undefined)
    return { result: { id, tool: name, output: `The arguments were not valid JSON: ${call.malformed}`, error: true } };

  const control = desk.controls.find(({ spec }) => spec.name === name);
  if (control) {
    const effect = control.act(call.input);
    const leave = await desk.effect({ tool: name, effect, attempt });
    return { result: { id, tool: name, output: effect.output, ...(effect.error ? { error: true } : {}) }, ...(leave ? { leave } : {}) };
  }

  const tool = desk.tools.find(({ spec }) => spec.name === name);
  if (!tool) return { result: { id, tool: name, output: `There is no tool "${name}". The tools are: ${names(desk)}.`, error: true } };
  const permitted = await desk.permit(tool, call.input);
  if (!permitted.ok) {
    const { ending, output } = permitted;
    if (permitted.denied) desk.denied(name, ending?.reason ?? output, attempt);
    return { result: { id, tool: name, output, error: true }, ...(ending ? { leave: { end: 'left', ending } } : {}) };
  }
  desk.working(name, attempt);
  const ran = await tool.run(call.input, desk.context);
  await permitted.settle?.(ran);
  return { result: { id, tool: name, output: ran.output, ...(ran.error ? { error: true } : {}) } };
}

function names(desk: Desk): string {
  return [...desk.tools, ...desk.controls].map(({ spec }) => spec.name).join(', ');
}

function notRun({ id, tool }: ToolCall): ToolResult {
  return { id, tool, output: 'not run' };
}
