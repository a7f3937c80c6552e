/** `audit.jsonl` of one run (C-10): an entry a line, each with the hash of the line before. */
import { createHash } from 'node:crypto';
import { FIRST_PREV, auditLine, hashOfLine } from '@gated-flow/contract';
import type { ContractReport } from '@gated-flow/contract';
import type { AppendFile } from '../ports/append.js';

export interface Audit {
  /** Resolves once the entry is durable; rejects with a DiskError. Entries stand in the order of the calls. */
  append(report: ContractReport): Promise<void>;
  /** SHA-256 of what was written; null when nothing was. */
  close(): string | null;
}

/** The file is made with the first entry. `key` signs the entries. */
export function openAudit(open: () => AppendFile, key: string | undefined): Audit {
  let file: AppendFile | null = null;
  let prev = FIRST_PREV;
  const written = createHash('sha256');
  return {
    async append(report) {
      file ??= open();
      const line = auditLine(report, { prev, ...(key === undefined ? {} : { key }) });
      const bytes = Buffer.from(`${line}\n`);
      file.append(bytes);
      prev = hashOfLine(line);
      written.update(bytes);
      await file.sync();
    },
    close() {
      if (file === null) return null;
      file.close();
      return written.digest('hex');
    },
  };
}
