import type { CheckView, HookView } from '@gated-flow/record';
import { boundedView, cutText, isUtf8, type Redactor } from '@gated-flow/text';
import type { Disk } from '../ports/disk.js';
import { runFile } from '../record/read-run.js';

/** Where captures are read from. Redaction comes before any cut, so that no half of a secret is left (S-2). */
export interface Captures {
  /** The run's folder. */
  readonly folder: string;
  readonly disk: Pick<Disk, 'real' | 'look' | 'readHead'>;
  readonly redactor: Redactor;
}

const HEAD_BYTES = 64 * 1024;
const LINE_BYTES = 200;
/** No program's capture is larger (K-8). */
const CAPTURE_MAX_BYTES = 16 * 1024 * 1024;

/** `gate/02-sections` for a gate, the check's own name otherwise. */
export function checkTitle(check: CheckView | HookView): string {
  return check.file ?? ('check' in check ? check.check : check.hook);
}

/** The first line of a capture that says something, for a list. */
export async function saidLine(path: string, captures: Captures): Promise<string> {
  const bytes = await readCapture(path, captures, HEAD_BYTES);
  if (bytes === null) return '(its capture is missing)';
  const text = captures.redactor.text(Buffer.from(bytes).toString());
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return cutText(line.trim(), LINE_BYTES);
}

/** A capture in the bounded form of K-8, and its exact bytes; null when it does not stand where the record says. */
export async function saidText(path: string, maxBytes: number, captures: Captures): Promise<{ bytes: Uint8Array; text: string } | null> {
  const bytes = await readCapture(path, captures, CAPTURE_MAX_BYTES);
  if (bytes === null) return null;
  const clean = isUtf8(bytes) ? Buffer.from(captures.redactor.text(Buffer.from(bytes).toString())) : bytes;
  return { bytes, text: boundedView(clean, maxBytes) };
}

async function readCapture(path: string, { folder, disk }: Captures, maxBytes: number): Promise<Uint8Array | null> {
  const file = await runFile(folder, path, disk);
  return file === null ? null : disk.readHead(file, maxBytes);
}
