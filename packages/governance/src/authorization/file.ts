import { isFields, own, textIn } from '../contract/values.js';
import type { Fields } from '../contract/values.js';
import { parsePayload } from '../payload/parse.js';
import type { Authorization, AuthorizationRequest } from './authorization.js';
import { argumentsHash, eventHash } from './event-hash.js';

/** One entry of `--authorize FILE`: leave that was given before the run (V-5). */
export interface IssuedAuthorization {
  readonly id: string;
  readonly stage: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly nth: number;
  readonly risks: string;
  readonly recovery: string;
  readonly expires: string;
  readonly by: string;
  /** Of which assembly; null where the file does not say, and the run's own is meant. */
  readonly assembly: string | null;
}

export type IssuedResult =
  { readonly ok: true; readonly issued: readonly IssuedAuthorization[] } | { readonly ok: false; readonly faults: readonly string[] };

const TEXTS = ['id', 'stage', 'tool', 'risks', 'recovery', 'expires', 'by'] as const;
const KEYS: readonly string[] = [...TEXTS, 'arguments', 'nth', 'assembly'];

/** Reads `[{id, stage, tool, arguments, risks, recovery, expires, by}]`; every fault, by the entry's place in the list (V-5). */
export function readAuthorizations(bytes: Uint8Array): IssuedResult {
  const read = parsePayload(bytes);
  if (!read.ok) return { ok: false, faults: [read.message.replace('The payload', 'The file of authorizations')] };
  if (!Array.isArray(read.value)) return { ok: false, faults: ['The file of authorizations has to be a list.'] };
  const entries: readonly unknown[] = read.value;
  const faults = entries.flatMap((entry, index) => faultsOf(entry, index));
  const issued = entries.flatMap((entry) => (isFields(entry) ? [issuedOf(entry)] : []));
  for (const [index, { id }] of issued.entries()) {
    if (issued.findIndex((other) => other.id === id) < index) faults.push(`[${index}] has the id "${id}", which stands there twice.`);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, issued };
}

function faultsOf(entry: unknown, index: number): string[] {
  if (!isFields(entry)) return [`[${index}] has to be an object.`];
  const faults = TEXTS.filter((key) => (textIn(entry, key) ?? '').trim() === '').map(
    (key) => `[${index}] has no "${key}", which is required.`,
  );
  if (!Object.hasOwn(entry, 'arguments')) faults.push(`[${index}] has no "arguments", which is required.`);
  for (const key of Object.keys(entry)) if (!KEYS.includes(key)) faults.push(`[${index}] does not take "${key}".`);
  const { nth = 1, expires } = entry;
  if (typeof nth !== 'number' || !Number.isSafeInteger(nth) || nth < 1) faults.push(`[${index}].nth has to be a whole number from 1.`);
  if (typeof expires === 'string' && expires !== '' && !isTime(expires))
    faults.push(`[${index}].expires is no time such as 2026-03-21T12:00:00Z.`);
  const id = textIn(entry, 'id');
  if (id !== undefined && id !== '' && !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(id))
    faults.push(`[${index}].id consists of letters, digits, "_", "." and "-".`);
  return faults;
}

/** With its zone: a time without one means something else on every machine. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

function issuedOf(entry: Fields): IssuedAuthorization {
  const text = (key: string): string => textIn(entry, key) ?? '';
  const nth = own(entry, 'nth');
  return {
    ...{ id: text('id'), stage: text('stage'), tool: text('tool'), risks: text('risks'), recovery: text('recovery') },
    ...{ expires: text('expires'), by: text('by'), arguments: own(entry, 'arguments') },
    nth: typeof nth === 'number' ? nth : 1,
    assembly: textIn(entry, 'assembly') ?? null,
  };
}

/**
 * The authorization of an entry, for the request it is held against. Its target and scope are those of the request: whoever
 * issued it named the very call. All else is the entry's own, so that the check finds what differs.
 */
export function authorizationOf(issued: IssuedAuthorization, { assembly: here, target, scope }: AuthorizationRequest): Authorization {
  const { id, stage, tool, nth, risks, recovery, expires, by } = issued;
  const assembly = issued.assembly ?? here;
  const event_hash = eventHash({ assembly, stage, tool, arguments: issued.arguments, nth });
  const arguments_sha256 = argumentsHash(issued.arguments);
  return { id, event_hash, assembly, stage, tool, arguments_sha256, nth, target, scope, risks, recovery, expires, by, via: 'file' };
}
