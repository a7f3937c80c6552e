import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { HashedFile } from './manifest.js';
import { RECORD } from './layout.js';

/** A DSSE envelope (secure-systems-lab/dsse 1.0) around an in-toto statement. */
export interface Envelope {
  readonly payloadType: typeof PAYLOAD_TYPE;
  /** Base64 of the statement's bytes. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** An in-toto statement 1: what was produced, and the record that says how. */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  /** The sealed outputs; the record itself when nothing was sealed, since a statement needs a subject. */
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: { readonly record: { readonly name: string; readonly digest: { readonly sha256: string } } };
}

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
export const PREDICATE_TYPE = 'urn:gated-flow:record:1';

export function statementOf(recordSha256: string, outputs: readonly HashedFile[]): Statement {
  const record = { name: RECORD, digest: { sha256: recordSha256 } };
  const subject = outputs.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } }));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subject.length === 0 ? [record] : subject,
    predicateType: PREDICATE_TYPE,
    predicate: { record },
  };
}

/** Signs with an Ed25519 key. The key id is the SHA-256 of the public key's DER form (SPKI). */
export function signStatement(statement: Statement, key: KeyObject): Envelope {
  const body = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, preAuthentication(body), key).toString('base64');
  return { payloadType: PAYLOAD_TYPE, payload: body.toString('base64'), signatures: [{ keyid: keyId(createPublicKey(key)), sig }] };
}

/** What DSSE signs: type and body, each behind its length, so that neither can be taken for the other. */
export function preAuthentication(body: Uint8Array, type = PAYLOAD_TYPE): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);
}

export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

export type OpenedEnvelope =
  { readonly ok: true; readonly statement: Statement; readonly body: Buffer; readonly signatures: readonly Buffer[] } | NoEnvelope;
export interface NoEnvelope {
  readonly ok: false;
  readonly message: string;
}

/** Parses an envelope's text without judging its signatures. */
export function openEnvelope(text: string): OpenedEnvelope {
  const envelope = parseJson(text);
  if (!isRecord(envelope) || typeof envelope['payload'] !== 'string' || !Array.isArray(envelope['signatures']))
    return no('is not a DSSE envelope');
  if (envelope['payloadType'] !== PAYLOAD_TYPE) return no('holds something else than an in-toto statement');
  const body = strictBase64(envelope['payload']);
  const statement = body === null ? null : parseJson(body.toString());
  if (body === null || !isStatement(statement)) return no('holds no in-toto statement about a record');
  const signatures: Buffer[] = [];
  for (const entry of envelope['signatures']) {
    const sig = isRecord(entry) && typeof entry['sig'] === 'string' ? strictBase64(entry['sig']) : null;
    if (sig === null) return no('has a signature that is not base64');
    signatures.push(sig);
  }
  return { ok: true, statement, body, signatures };
}

/** Whether one of the envelope's signatures was made by the key. */
export function signedBy(envelope: OpenedEnvelope & { ok: true }, key: KeyObject): boolean {
  const signed = preAuthentication(envelope.body);
  return envelope.signatures.some((sig) => verify(null, signed, key, sig));
}

/** Reads an Ed25519 key from PEM (PKCS8, or SPKI for the public half); null when the text holds no such key. */
export function readKey(pem: string, half: 'private' | 'public'): KeyObject | null {
  try {
    const key = half === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** A new Ed25519 pair as PEM. */
export function makeKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

function isStatement(value: unknown): value is Statement {
  if (!isRecord(value) || value['_type'] !== 'https://in-toto.io/Statement/v1' || value['predicateType'] !== PREDICATE_TYPE) return false;
  const predicate = value['predicate'];
  return Array.isArray(value['subject']) && value['subject'].every(isResource) && isRecord(predicate) && isResource(predicate['record']);
}

function isResource(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && isRecord(value['digest']) && typeof value['digest']['sha256'] === 'string';
}

function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function no(message: string): NoEnvelope {
  return { ok: false, message };
}
