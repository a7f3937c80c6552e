import { wellFormed } from '@gated-flow/text';

/** A source that an agent names for something it says (V-8). */
export interface Cite {
  /** What the source is cited for: one sentence. */
  readonly claim: string;
  /** An address (`https://…`) or the name of a file. */
  readonly source: string;
  /** When it was looked at: a date, or a date with a time and a zone. */
  readonly retrieved: string;
}

export type CiteResult = { readonly ok: true; readonly cite: Cite } | { readonly ok: false; readonly message: string };

const MAX_CLAIM = 2_000;
const MAX_SOURCE = 2_048;
const KEYS: ReadonlySet<string> = new Set(['claim', 'source', 'retrieved']);
/** Clocks of different time zones are a day apart at most. */
const DAY = 24 * 60 * 60 * 1000;

/** The arguments of a call of `cite`, looked at. `now` is in milliseconds since 1970. Nothing is fetched or opened. */
export function readCite(value: unknown, now: number): CiteResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused('The arguments have to be an object.');
  const entries = new Map<string, unknown>(Object.entries(value));
  const unknown = [...entries.keys()].find((key) => !KEYS.has(key));
  if (unknown !== undefined) return refused('Only claim, source and retrieved can be given.');
  const claim = oneLine(entries.get('claim'), MAX_CLAIM);
  if (claim === null) return refused(`claim has to be one sentence of at most ${MAX_CLAIM} characters: what the source is cited for.`);
  const source = oneLine(entries.get('source'), MAX_SOURCE);
  if (source === null || !isSource(source))
    return refused('source has to be an address (https://…) or the name of a file, without control characters.');
  const retrieved = oneLine(entries.get('retrieved'), 40);
  const time = retrieved === null ? NaN : timeOf(retrieved);
  if (retrieved === null || Number.isNaN(time))
    return refused('retrieved has to be a date (2026-01-31) or a time with its zone (2026-01-31T08:00:00Z).');
  if (time > now + DAY) return refused('retrieved lies in the future: it is when you looked at the source.');
  return { ok: true, cite: { claim, source, retrieved } };
}

function refused(message: string): CiteResult {
  return { ok: false, message };
}

function oneLine(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  const text = wellFormed(value).replace(/\s+/g, ' ').trim();
  return text === '' || text.length > max || /\p{Cc}/u.test(text) ? null : text;
}

function isSource(source: string): boolean {
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(source) ?? [];
  if (scheme === undefined) return !/^[?#]/.test(source);
  return /^https?$/i.test(scheme) && URL.canParse(source);
}

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since 1970; NaN for what is no moment, such as the 30th of February. */
function timeOf(text: string): number {
  const [, year, month, day] = MOMENT.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return NaN;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day) ? NaN : Date.parse(text);
}

/** One line of `sources.jsonl`. */
export interface NumberedCite extends Cite {
  /** What the output writes in brackets; from 1. */
  readonly number: number;
}

/** The cite with its number: the same claim of the same source keeps the number it has, a new one gets the next. */
export function numberCite(earlier: readonly NumberedCite[], cite: Cite): { readonly entry: NumberedCite; readonly isNew: boolean } {
  const same = earlier.find(({ claim, source }) => claim === cite.claim && source === cite.source);
  if (same) return { entry: same, isNew: false };
  const number = earlier.reduce((highest, entry) => Math.max(highest, entry.number), 0) + 1;
  return { entry: { number, ...cite }, isNew: true };
}

/** What the agent is told of its cite. */
export function citedMessage({ number }: NumberedCite): string {
  return `The source has the number ${number}. Write [${number}] in each sentence that rests on it.`;
}
