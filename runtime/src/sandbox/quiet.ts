import { DiskError } from '../ports/disk.js';

/** What the disk answers; null when it cannot be told: what this user cannot look at, a contained program cannot either. */
export async function quiet<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}
