/** Why something has no fingerprint, in half a sentence; thrown and caught inside this folder. */
export class NoPrint extends Error {}

/** A path in such a sentence. */
export function shown(path: Buffer): string {
  return JSON.stringify(path.toString());
}
