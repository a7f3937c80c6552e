import type { Surfaces } from '@gated-flow/governance';
import type { Io } from '../command.js';

/** What was seen of the built-in loop here, by surface (V-10). */
export async function surfacesHere(_home: string | null, _io: Io): Promise<Surfaces> {
  return {};
}
