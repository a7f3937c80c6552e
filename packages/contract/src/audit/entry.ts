import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import { wellFormed } from '@gated-flow/text';
import type { ContractReport } from '../report/report.js';

/** What the first entry's `prev` says: the SHA-256 of no bytes. */
export const FIRST_PREV = hash('sha256', '');

export interface EntryOptions {
  /** `hashOfLine` of the line before; `FIRST_PREV` for the first. Left out: the entry is not chained. */
  readonly prev?: string;
  /** Signs the entry. */
  readonly key?: string;
}

/** One line of the audit without its newline (C-10): the seed's fields, hashes and never a text, `prev` and `unevaluated` under the signature. */
export function auditLine(report: ContractReport, { prev, key }: EntryOptions = {}): string {
  const entry = auditEntry(report, prev);
  return JSON.stringify(key === undefined ? entry : { ...entry, signature: signatureOf(entry, key) });
}

/** The entry before it is signed; every string well-formed, so that it has a canonical form. */
function auditEntry(report: ContractReport, prev: string | undefined): object {
  return {
    run_id: report.runId,
    agent: wellFormed(report.agent),
    contract: wellFormed(report.contract),
    contract_version: report.contractVersion,
    spec_version: report.specVersion,
    timestamp: report.timestamp,
    input_hash: report.inputHash,
    output_hash: report.outputHash,
    duration_ms: report.durationMs === null ? null : Math.round(report.durationMs),
    cost_usd: report.costUsd,
    violations: report.violations.map((violation) => ({
      clause_type: violation.clause_type,
      clause_name: violation.clause_name,
      clause_text: wellFormed(violation.clause_text),
      severity: violation.severity,
      action_taken: violation.action_taken,
      judge: violation.judge,
      details: wellFormed(violation.details),
    })),
    outcome: report.outcome,
    ...(report.unevaluated.length === 0 ? {} : { unevaluated: report.unevaluated.map(({ clause_name }) => clause_name) }),
    ...(prev === undefined ? {} : { prev }),
  };
}

/** Lower-case hex HMAC-SHA256 over the RFC 8785 form of the entry without `signature`. */
function signatureOf(entry: object, key: string): string {
  const { signature: _, ...signed } = { signature: undefined, ...entry };
  return createHmac('sha256', key)
    .update(canonicalize(signed) ?? '')
    .digest('hex');
}

export function isSignedBy(entry: object, key: string): boolean {
  const signature = 'signature' in entry && typeof entry.signature === 'string' ? entry.signature : '';
  const given = Buffer.from(signature, 'hex');
  const wanted = Buffer.from(signatureOf(entry, key), 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** What the next entry's `prev` says. */
export function hashOfLine(line: string | Uint8Array): string {
  return hash('sha256', line);
}
