import { compileSchema } from '@gated-flow/assembly';
import { isUtf8 } from '@gated-flow/text';
import type { AgentIdentity } from '../../ports/model.js';
import { generate } from './generate/generate.js';
import { fillTemplate } from './markdown.js';

export interface RehearsedOutput {
  readonly content: string;
  /** For people: why the content may not pass. */
  readonly note?: string;
}

/** The stage's first passing fixture, else something of the shape that its schema asks for, else a text (M-6). */
export async function rehearsedOutput(who: AgentIdentity): Promise<RehearsedOutput> {
  const { fixture } = who.place;
  if (fixture === undefined) return shapedOutput(who);
  if (isUtf8(fixture)) return { content: Buffer.from(fixture).toString('utf8') };
  const { content } = await shapedOutput(who);
  return { content, note: `The first file of .fixtures/pass of ${who.stage} is not UTF-8, and a rehearsal writes text alone.` };
}

async function shapedOutput(who: AgentIdentity): Promise<RehearsedOutput> {
  const { schema, inputs } = who.place;
  const received = inputs.length === 0 ? 'nothing' : inputs.join(', ');
  const line = `Rehearsal of ${who.stage}, which received ${received}.`;
  if (schema === undefined) return { content: `${line}\n` };
  return schema.kind === 'md' ? { content: fillTemplate(schema.text, line) } : rehearsedJson(who, schema.schema);
}

async function rehearsedJson(who: AgentIdentity, schema: object | boolean): Promise<RehearsedOutput> {
  const validator = await compileSchema({ kind: 'json', path: 'schema.json', text: '', schema });
  const { value, faults } = generate({ schema, seed: who.stage, validate: (each) => validator.validate(each) });
  const content = `${JSON.stringify(value, null, 2)}\n`;
  const [fault] = faults;
  if (fault === undefined) return { content };
  const where = fault.pointer === '' ? 'the whole document' : fault.pointer;
  const note = `No value was found that satisfies the schema of ${who.stage} (${where}: ${fault.message}). Put an output that does into its .fixtures/pass folder.`;
  return { content, note };
}
