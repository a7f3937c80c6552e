import { isUtf8 } from '@gated-flow/text';

const SIGNATURES: readonly (readonly [signature: string, type: string])[] = [
  ['\x89PNG\r\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF8', 'GIF image'],
  ['%PDF-', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['BZh', 'bzip2 data'],
  ['\xfd7zXZ', 'xz data'],
  ['\x28\xb5\x2f\xfd', 'zstd data'],
  ['7z\xbc\xaf\x27\x1c', '7z archive'],
  ['\x7fELF', 'ELF program'],
  ['\0asm', 'WebAssembly'],
  ['SQLite format 3\0', 'SQLite database'],
  ['\xff\xfe', 'UTF-16 text'],
  ['\xfe\xff', 'UTF-16 text'],
];

/** Names what a file is, from its first bytes, when it is not text; null for text. Text in an old encoding passes: it has no zero bytes. */
export function binaryType(head: Uint8Array): string | null {
  const start = Buffer.from(head.subarray(0, 16)).toString('latin1');
  const known = SIGNATURES.find(([signature]) => start.startsWith(signature));
  // Bytes that are valid text are text, even if a signature happens to be printable.
  if (known && (head.includes(0) || !isUtf8(withoutCutEnd(head)) || known[0].startsWith('%PDF'))) return known[1];
  return head.includes(0) ? 'unknown binary data' : null;
}

/** The head of a file may end inside a character. */
function withoutCutEnd(head: Uint8Array): Uint8Array {
  return head.subarray(0, Math.max(0, head.length - 3));
}
