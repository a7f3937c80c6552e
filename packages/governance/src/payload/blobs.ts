/** Names what a payload carries besides text, and never looks into it (V-11). */

/** So many characters of base64 are no word that somebody wrote. */
const MIN_BLOB = 256;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=-]+)*;base64,/;
const MEDIA_PATH =
  /\.(?:aac|aiff?|amr|avi|bmp|caf|flac|gif|heic|jpe?g|m4[av]|mkv|mov|mp[34]|mpe?g|oga|ogg|opus|png|tiff?|wav|weba|webm|webp|wma|wmv)$/i;

/**
 * The value with each blob replaced by a sentence with its size: base64, `data:` addresses, lists of bytes. They are
 * neither decoded nor published, and a path of a recording stays what it is, a text.
 */
export function withoutBlobs(value: unknown): unknown {
  if (typeof value === 'string') return blobSentence(value) ?? value;
  if (Array.isArray(value)) return isByteList(value) ? `[${value.length} bytes, not decoded]` : value.map(withoutBlobs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBlobs(inner)]));
}

/** Texts of the value that are paths or addresses of recordings and pictures: named, never opened (V-11). */
export function mediaPathsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < 4096 && MEDIA_PATH.test(value.split(/[?#]/)[0] ?? '') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(mediaPathsIn) : [];
}

function blobSentence(text: string): string | undefined {
  const url = DATA_URL.exec(text.slice(0, 200));
  if (url) return `[${url[1] ?? 'data'}, ${text.length - url[0].length} characters of base64, not decoded]`;
  if (text.length < MIN_BLOB) return undefined;
  const dense = text.replace(/[\r\n]+/g, '');
  const isMixed = /\d/.test(dense) && /[a-z]/.test(dense) && /[A-Z]/.test(dense);
  const isBlob = BASE64.test(dense) && (isMixed || dense.length % 4 === 0) && !isPath(dense);
  return isBlob ? `[${text.length} characters of base64, not decoded]` : undefined;
}

/** A long path must not hide behind the sentence from whoever gives leave: it has more slashes than base64 has. */
function isPath(text: string): boolean {
  return text.split('/').length - 1 > text.length / 16;
}

function isByteList(values: readonly unknown[]): boolean {
  return (
    values.length >= MIN_BLOB && values.every((value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255)
  );
}
