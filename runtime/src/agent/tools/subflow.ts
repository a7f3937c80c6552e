/** `subflow`: gives work to helpers and waits for all of them (L-10, G-7). */
import { nearest } from '@gated-flow/assembly';
import { type Parameters, parameters, type Property, text } from './parameters.js';
import { defineTool, failed, type HelperCall, type Tool } from './tool.js';

/** Calls in one batch, at most. */
const CALLS = 32;

/** For a stage with these helpers in scope, in name order. */
export function subflow(names: readonly string[]): Tool {
  return defineTool({
    name: 'subflow',
    description: `Gives work to one or more helpers, up to ${CALLS} at once, and waits until all of them are done. What they leave stands in $SUBFLOWS/<number>/. Helpers that can be called: ${names.join(', ')}.`,
    parameters: parameters({ calls: callList() }),
    reach: ({ calls }) => calls.flatMap(({ input }) => ('path' in input ? [{ operation: 'read' as const, path: input.path }] : [])),
    run({ calls }, context) {
      const unknown = calls.find(({ flow }) => !names.includes(flow));
      if (unknown) return failed(`${noSuch(unknown.flow, names)} Nothing was started.`);
      return context.callHelpers(calls, context);
    },
  });
}

function noSuch(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  const hint = meant === undefined ? `The helpers are: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  return `There is no helper "${name}". ${hint}`;
}

const ONE: Parameters<{ readonly flow: string; readonly input?: string; readonly 'input-file'?: string }> = oneCall();

function oneCall(): typeof ONE {
  const schema = {
    type: 'object',
    properties: {
      flow: { type: 'string', description: 'The name of the helper.' },
      input: { type: 'string', description: 'What the helper is asked, as text.' },
      'input-file': { type: 'string', description: 'A file to give the helper instead, such as $INPUT/notes.md.' },
    },
    required: ['flow'],
    additionalProperties: false,
  };
  const fields = parameters({ flow: text(''), input: optionalText(), 'input-file': optionalText() });
  return { schema, read: fields.read };
}

function optionalText(): Property<string | undefined> {
  const property = text('');
  return { ...property, required: false, read: (value) => (value === undefined ? { ok: true, value: undefined } : property.read(value)) };
}

function callList(): Property<readonly HelperCall[]> {
  return {
    schema: { type: 'array', minItems: 1, maxItems: CALLS, items: ONE.schema, description: 'One entry for each helper to call.' },
    required: true,
    read(value) {
      if (!Array.isArray(value) || value.length === 0 || value.length > CALLS) {
        return { ok: false, wants: `must be a list of 1 to ${CALLS} calls` };
      }
      const calls: HelperCall[] = [];
      for (const [index, entry] of value.entries()) {
        const call = readCall(entry);
        if (typeof call === 'string') return { ok: false, wants: `has a wrong entry ${index + 1}: ${call}` };
        calls.push(call);
      }
      return { ok: true, value: calls };
    },
  };
}

/** The call, or what is wrong with it. */
function readCall(entry: unknown): HelperCall | string {
  const read = ONE.read(entry);
  if (!read.ok) return read.faults.join('; ');
  const { flow, input, 'input-file': path } = read.value;
  if (input !== undefined && path === undefined) return { flow, input: { text: input } };
  if (path !== undefined && input === undefined) return { flow, input: { path } };
  return 'say either `input` or `input-file`';
}
