import type { GovernanceFault, NotEnforced } from './contract.js';
import type { ContractDocument, NodePath } from './document.js';
import type { Fields } from './values.js';

/** What is collected while one file becomes a contract. */
export interface Building {
  /** Notes what is wrong at a place of the file. */
  fault(at: NodePath, message: string): void;
  /** Keeps every key that is not among the known ones as not enforced here (V-1). */
  keepUnknown(fields: Fields, at: NodePath, known: readonly string[]): void;
  readonly faults: readonly GovernanceFault[];
  readonly notEnforced: readonly NotEnforced[];
}

export function openBuilding(document: ContractDocument): Building {
  const faults: GovernanceFault[] = [];
  const notEnforced: NotEnforced[] = [];
  return {
    faults,
    notEnforced,
    fault(at, message) {
      faults.push(document.faultAt(at, message));
    },
    keepUnknown(fields, at, known) {
      for (const [key, value] of Object.entries(fields)) {
        if (!known.includes(key)) notEnforced.push({ file: document.source.path, section: [...at, key].join('.'), value });
      }
    },
  };
}
