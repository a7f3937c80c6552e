import type { Access } from '../tree.js';
import type { Document } from './document.js';
import type { Keys } from './keys.js';
import { nearest } from '../nearest.js';
import type { Reading } from './reading.js';
import { quoted } from './reading.js';
import { isRecord, listOfNames, mapping } from './values.js';

const OPERATIONS = ['read', 'write', 'edit', 'bash'] as const;

/** `access` (A-16). Whether the slots it names exist is judged once all are known. Slot names come back in upper case. */
export function takeAccess(reading: Reading, document: Document, keys: Keys): Access | undefined {
  const written = document.data.access;
  if (!isRecord(written))
    return keys.take('access', { ...mapping, takes: 'a map of read, write, edit and bash to lists; {} denies them all' }) && {};
  for (const operation of Object.keys(written)) {
    if (!OPERATIONS.some((known) => known === operation)) reading.refuse('key-unknown', document.path, unknownOperation(operation));
  }
  const access: Partial<Record<(typeof OPERATIONS)[number], readonly string[]>> = {};
  for (const operation of OPERATIONS) {
    if (!Object.hasOwn(written, operation)) continue;
    const names = listOfNames.accept(written[operation]);
    if (names) access[operation] = operation === 'bash' ? names : names.map((name) => name.toUpperCase());
    else
      keys.refuseValue(
        'access',
        `"${operation}" takes ${operation === 'bash' ? 'a list of program names, such as [git, npm]' : listOfNames.takes}; [] denies it.`,
      );
  }
  return access;
}

function unknownOperation(operation: string): string {
  const meant = nearest(operation, OPERATIONS);
  return `${quoted(operation)} is not an operation that "access" knows. ${meant === undefined ? '' : `Did you mean "${meant}"? `}It takes ${OPERATIONS.join(', ')}.`;
}
