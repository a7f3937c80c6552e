import type { KeyObject } from 'node:crypto';
import { openEnvelope, signedBy } from '../dsse.js';
import { ENVELOPE, MANIFEST, RECORD, RECORD_SUM, UNLISTED } from '../layout.js';
import type { HashedFile, ManifestLine } from '../manifest.js';
import { parseManifest } from '../manifest.js';
import type { Checklist } from './tree.js';
import type { Differences, Verdict } from './verdict.js';

/** Compares the manifest's lines with the tree: every file listed, every listed file as it was. */
export async function compareManifest(
  lines: AsyncIterable<readonly ManifestLine[]>,
  listed: Checklist,
  differences: Differences,
): Promise<void> {
  for (const name of UNLISTED) listed.tick(name);
  for await (const some of lines)
    for (const line of some) {
      if (!line.ok) {
        differences.add({ path: MANIFEST, line: line.line, rule: 'R-8', message: 'is not a line of sha256sum' });
        continue;
      }
      listed.tick(line.file.path);
      differences.compare(line.file.path, line.file.sha256, { rule: 'R-8', by: MANIFEST });
    }
  for (const path of listed.left()) differences.add({ path, rule: 'R-8', message: `is not listed in ${MANIFEST}` });
}

/** Compares `record.sha256` with the record and the signature beside it. */
export function compareRecordSum(text: string, signed: boolean, differences: Differences): void {
  const said = new Map<string, string>();
  for (const line of parseManifest(text)) {
    if (line.ok) said.set(line.file.path, line.file.sha256);
    else differences.add({ path: RECORD_SUM, line: line.line, rule: 'R-8', message: 'is not a line of sha256sum' });
  }
  for (const [path, sha256] of said) {
    if (path === RECORD || path === ENVELOPE) differences.compare(path, sha256, { rule: 'R-8', by: RECORD_SUM });
    else differences.add({ path: RECORD_SUM, rule: 'R-8', message: `names ${JSON.stringify(path)}, which it never does` });
  }
  if (!said.has(RECORD)) differences.add({ path: RECORD_SUM, rule: 'R-8', message: `does not name ${RECORD}` });
  if (signed && !said.has(ENVELOPE)) differences.add({ path: RECORD_SUM, rule: 'R-8', message: `does not name ${ENVELOPE}` });
}

export interface Signed {
  /** SHA-256 of record.jsonl as it is. */
  readonly record: string;
  /** The sealed outputs that the events name. */
  readonly outputs: readonly HashedFile[];
  readonly key?: KeyObject;
}

/** Judges the envelope: what it says of the record and of the outputs, and, with a key, who signed it. */
export function compareEnvelope(text: string, signed: Signed, differences: Differences): Verdict['signature'] {
  const blame = (message: string): void => differences.add({ path: ENVELOPE, rule: 'R-8', message });
  const envelope = openEnvelope(text);
  if (!envelope.ok) {
    blame(envelope.message);
    return 'bad';
  }
  const { subject, predicate } = envelope.statement;
  if (predicate.record.digest.sha256 !== signed.record) blame('was made over another record');
  const expected = signed.outputs.length === 0 ? [{ path: RECORD, sha256: signed.record }] : signed.outputs;
  const said = new Set(subject.map(({ name, digest }) => `${digest.sha256} ${name}`));
  for (const { path, sha256 } of expected) if (!said.delete(`${sha256} ${path}`)) blame(`does not name the sealed output ${path}`);
  for (const extra of said) blame(`names ${extra.slice(65)}, which the record does not`);
  if (signed.key === undefined) return 'unchecked';
  if (signedBy(envelope, signed.key)) return 'good';
  blame('was not signed by the key that was given');
  return 'bad';
}
