const MASK = '***';
const MIN_BYTES = 8;
/** Data nested more deeply than this is masked unread: fail closed instead of running out of stack. */
const MAX_DEPTH = 1000;

/** Replaces secret values by `***` (S-2). */
export interface Redactor {
  /** The text with every value masked, as it is and as it looks inside a JSON string. Linear in the text. */
  text(text: string): string;
  /** A copy in which every string, keys included, is masked. Other values stay as they are. */
  json<T>(value: T): T;
  /** The longest form of a value, in bytes of UTF-8: text in pieces that overlap by as many hides none. 0 when nothing is masked. */
  readonly reach: number;
  /** Whether a value may be in these bytes: false is certain. */
  mayBeIn(bytes: Uint8Array): boolean;
}

/**
 * A redactor for these values; those shorter than 8 bytes are left alone. Where values overlap in a text, everything that
 * belongs to any of them is masked, so that no rest of a longer one stays visible.
 */
export function createRedactor(values: readonly string[]): Redactor {
  const forms = formsOf(values);
  if (forms.length === 0) return { text: (text) => text, json: (value) => value, reach: 0, mayBeIn: () => false };
  const encoded = forms.map((form) => Buffer.from(form));
  const text = (input: string) => mask(input, spansOf(input, forms));
  // Masking keeps the shape of plain data: only the content of strings changes.
  return {
    text,
    json: <T>(value: T) => redactValue(value, text, 0) as T,
    reach: Math.max(...encoded.map(({ length }) => length)),
    mayBeIn: (bytes) => encoded.some((form) => bufferOf(bytes).includes(form)),
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Every way a value can appear, longest first. */
function formsOf(values: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const value of values) {
    if (Buffer.byteLength(value) < MIN_BYTES) continue;
    const inJson = escapeForJson(value);
    for (const form of [value, inJson, escapeForJson(inJson), asciiOnly(inJson)]) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

function escapeForJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function asciiOnly(json: string): string {
  return json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spansOf(text: string, forms: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const form of forms) {
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
      spans.push({ start, end: start + form.length });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** `spans` in order of their starts; overlapping ones become one mask. */
function mask(text: string, spans: readonly Span[]): string {
  let masked = '';
  let done = 0;
  for (const span of spans) {
    if (span.start >= done) masked += text.slice(done, span.start) + MASK;
    done = Math.max(done, span.end);
  }
  return masked + text.slice(done);
}

function redactValue(value: unknown, text: (input: string) => string, depth: number): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(item, text, depth + 1));
  if (!isPlain(value)) return value;
  const entries = new Map<string, unknown>();
  for (const [key, item] of Object.entries(value)) entries.set(freeKey(text(key), entries), redactValue(item, text, depth + 1));
  return Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Two keys that became the same mask must both survive. */
function freeKey(key: string, taken: ReadonlyMap<string, unknown>): string {
  let free = key;
  for (let n = 2; taken.has(free); n++) free = `${key} ${n}`;
  return free;
}
