import type { Contract, ContractFault, ContractResult, Place } from './contract.js';
import { clauseFaults } from './evaluate/clause-faults.js';
import { joined, overrideFaults } from './inherit/join.js';
import { weakenings } from './inherit/weaken.js';
import type { ContractSource } from './read/document.js';
import { readDocument } from './read/document.js';
import { ownContract, ownFaults, spot } from './read/own-contract.js';
import type { OwnContract } from './read/own-contract.js';
import { shapeFaults } from './read/shape.js';

/** What a contract extends, as the host finds it: on disk, in an assembly, over the web. */
export interface ParentFinder {
  /** `target` as written, `from` the location of the file that names it. */
  find(target: string, from: string): Promise<FoundParent>;
}

export type FoundParent = { readonly ok: true; readonly source: ContractSource } | { readonly ok: false; readonly message: string };

const MAX_CHAIN = 10;

/**
 * A contract from its bytes and those of what it extends, or every fault with its line and column (C-1, C-2). Touches nothing
 * but what `parents` touches. Never rejects unless `parents` does.
 */
export async function loadFrom(source: ContractSource, parents: ParentFinder): Promise<ContractResult> {
  const link = await linkFrom(source, { parents, chain: [] });
  if (!link.ok) return { ok: false, faults: link.faults };
  const { contract, faults } = link;
  if (faults.some(({ severity }) => severity === 'error')) return { ok: false, faults };
  return { ok: true, contract, warnings: faults };
}

interface Chain {
  readonly parents: ParentFinder;
  /** Locations on the way here, the first file first. */
  readonly chain: readonly string[];
}

type Link =
  | { readonly ok: true; readonly contract: Contract; readonly faults: readonly ContractFault[] }
  | { readonly ok: false; readonly faults: readonly ContractFault[] };

async function linkFrom(source: ContractSource, { parents, chain }: Chain): Promise<Link> {
  const read = readDocument(source);
  if (!read.ok) return read;
  const shape = await shapeFaults(read.document);
  if (shape.length > 0) return { ok: false, faults: shape };
  const own = ownContract(read.document);
  const faults = [...ownFaults(own), ...(await clauseFaults(own.clauses))];
  const link = await parentOf(own, { parents, chain: [...chain, source.location] });
  if (!link.ok) return { ok: false, faults: [...faults, ...link.faults] };
  const contract = joined(own, link.contract);
  const errors = [...overrideFaults(own, contract), ...(link.contract ? weakenings(own, link.contract) : [])];
  return { ok: true, contract, faults: [...faults, ...errors, ...link.faults.filter(({ severity }) => severity === 'error')] };
}

type ParentLink =
  | { readonly ok: true; readonly contract?: Contract; readonly faults: readonly ContractFault[] }
  | { readonly ok: false; readonly faults: readonly ContractFault[] };

async function parentOf(own: OwnContract, { parents, chain }: Chain): Promise<ParentLink> {
  if (own.extends === undefined) return { ok: true, faults: [] };
  const { target, place } = own.extends;
  if (chain.length > MAX_CHAIN) return refused(place, `The chain of contracts is longer than ${MAX_CHAIN}.`);
  const found = await parents.find(target, own.document.source.location);
  if (!found.ok) return refused(place, found.message);
  const again = chain.indexOf(found.source.location);
  if (again !== -1) return refused(place, `The contract extends itself: ${target} is on the way here already. Take one "extends" out.`);
  const link = await linkFrom(found.source, { parents, chain });
  if (link.ok) return link;
  const [first] = link.faults;
  const why = first ? ` ${spot(first, own.document.source.path)}: ${first.message}` : '';
  return { ok: false, faults: [fault(place, `What it extends cannot be used.${why}`), ...link.faults] };
}

function refused(place: Place, message: string): ParentLink {
  return { ok: false, faults: [fault(place, message)] };
}

function fault({ file, line, column }: Place, message: string): ContractFault {
  return { severity: 'error', file, line, column, message };
}
