/** A span as it is made here, and its spelling in the JSON of OTLP. Pure. */

export type Value = string | number | boolean | readonly string[] | { readonly double: number };
export type Attributes = Readonly<Record<string, Value | null | undefined>>;

export interface SpanEvent {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly attributes: Attributes;
}

export interface Span {
  /** 16 lower-case hex digits. */
  readonly id: string;
  /** Null for a root. */
  readonly parent: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events?: readonly SpanEvent[];
  /** `unset` for what has no end. */
  readonly status: 'ok' | 'error' | 'unset';
}

/** What all spans of a trace share. */
export interface Trace {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly state: string | null;
}

const KINDS = { internal: 1, client: 3 } as const;
const STATUS = { unset: 0, ok: 1, error: 2 } as const;
/** Sampled; the parent is known not to be, or to be, of another process. */
const SAMPLED = 0x1;
const KNOWS_PARENT = 0x100;
const REMOTE_PARENT = 0x200;

/** `remote`: its parent is of another process. */
export function spanJson(span: Span, trace: Trace, remote: boolean): object {
  const { id, parent, name, kind, start, end, attributes, events = [], status } = span;
  return {
    traceId: trace.id,
    spanId: id,
    ...(trace.state === null ? {} : { traceState: trace.state }),
    ...(parent === null ? {} : { parentSpanId: parent }),
    flags: SAMPLED | KNOWS_PARENT | (remote ? REMOTE_PARENT : 0),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributesJson(attributes),
    ...(events.length === 0 ? {} : { events: events.map(eventJson) }),
    status: status === 'unset' ? {} : { code: STATUS[status] },
  };
}

function eventJson({ name, at, attributes }: SpanEvent): object {
  return { timeUnixNano: nanoseconds(at), name, attributes: attributesJson(attributes) };
}

/** What is null or undefined was never there. */
export function attributesJson(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: valueJson(value) }],
  );
}

function valueJson(value: Value): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if ('double' in value) return { doubleValue: value.double };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

/** 64 bits do not fit a number of JSON: they are text. */
function nanoseconds(ms: number): string {
  return Number.isFinite(ms) && ms > 0 ? `${Math.trunc(ms)}000000` : '0';
}
