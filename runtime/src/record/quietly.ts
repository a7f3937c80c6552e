import { DiskError } from '../ports/disk.js';

/** What an act answers, or `otherwise` where the disk refuses it. Any other fault is thrown on. */
export async function quietly<T>(act: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DiskError) return otherwise;
    throw error;
  }
}
