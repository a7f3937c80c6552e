/** Spans as OTLP carries them in JSON: one document, or requests of a bounded number of spans. */
import type { Redactor } from '@gated-flow/text';
import { attributesJson, type Attributes, type Span, spanJson, type Trace } from './span.js';

export interface Envelope {
  readonly trace: Trace;
  readonly resource: Attributes;
  /** Of the program. */
  readonly version: string;
  readonly redactor: Redactor;
  /** Whether what has no parent here has one in another process. */
  readonly remote: string | null;
}

/** The whole trace as one document of the form that collectors take and files hold; written span by span. */
export async function* otlpReport(spans: AsyncIterable<Span>, envelope: Envelope): AsyncGenerator<string> {
  const { before, after } = around(envelope);
  yield before;
  let between = '\n';
  for await (const span of spans) {
    yield `${between}${spelled(span, envelope)}`;
    between = ',\n';
  }
  yield `\n${after}\n`;
}

const BATCH = 256;
const BATCH_BYTES = 2 << 20;

/** The same trace as requests for a collector, each with how many spans are in it. */
export async function* otlpRequests(
  spans: AsyncIterable<Span>,
  envelope: Envelope,
): AsyncGenerator<{ readonly body: string; readonly spans: number }> {
  const { before, after } = around(envelope);
  let batch: string[] = [];
  let size = 0;
  for await (const span of spans) {
    const text = spelled(span, envelope);
    batch.push(text);
    size += text.length;
    if (batch.length < BATCH && size < BATCH_BYTES) continue;
    yield { body: `${before}${batch.join(',')}${after}`, spans: batch.length };
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield { body: `${before}${batch.join(',')}${after}`, spans: batch.length };
}

function around({ resource, version, redactor }: Envelope): { readonly before: string; readonly after: string } {
  const head = JSON.stringify(redactor.json({ attributes: attributesJson(resource) }));
  const scope = JSON.stringify({ name: 'gated-flow', version });
  return { before: `{"resourceSpans":[{"resource":${head},"scopeSpans":[{"scope":${scope},"spans":[`, after: ']}]}]}' };
}

/** Ids come from names and are no secrets: they are set after the redaction. */
function spelled(span: Span, { trace, redactor, remote }: Envelope): string {
  const { id, parent, ...told } = span;
  return JSON.stringify(spanJson({ ...redactor.json(told), id, parent }, trace, remote !== null && parent === remote));
}
