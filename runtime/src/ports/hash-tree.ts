import type { HashedFile } from '@gated-flow/record';

/**
 * Every file below a folder with the SHA-256 of its bytes, but those whose relative path is left out. Follows no link; something that
 * is neither file nor folder, or cannot be read, rejects with a `DiskError` that names it.
 */
export type HashTree = (folder: string, leftOut: ReadonlySet<string>) => Promise<readonly HashedFile[]>;
