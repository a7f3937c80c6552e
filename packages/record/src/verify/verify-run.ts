import type { KeyObject } from 'node:crypto';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readPieces, readRecord, readSmall } from '../disk.js';
import type { FactOf, RecordEvent } from '../events.js';
import { ASSEMBLY_COPY, ENVELOPE, MANIFEST, RECORD, RECORD_SUM } from '../layout.js';
import type { HashedFile } from '../manifest.js';
import { parsePieces } from '../manifest.js';
import type { Reading } from '../reader.js';
import { assemblyCopy, hashAssemblyCopy } from './assembly.js';
import type { Calls } from './calls.js';
import { compareCalled, compareMissing, hearCall } from './calls.js';
import type { Evidence } from './events.js';
import { compareEvent } from './events.js';
import { compareEnvelope, compareManifest, compareRecordSum } from './seals.js';
import type { Strange, Tree } from './tree.js';
import { readWholeTree } from './tree.js';
import type { Difference, Differences, Verdict } from './verdict.js';
import { createDifferences } from './verdict.js';

export interface VerifyOptions {
  /** The Ed25519 key that a signature must be of. */
  readonly publicKey?: KeyObject;
  /** A run inside a run: its files are in the outer manifest and its assembly is the outer one, so both may be absent here. */
  readonly child?: boolean;
  /** A run that was cut off before it could end and seal: that it did not is no difference. What it says is compared all the same. */
  readonly cutOff?: boolean;
}

/** What the events themselves say that the tree is compared with. */
interface Told {
  start: FactOf<'run_start'> | null;
  end: FactOf<'run_end'> | null;
  readonly calls: Calls;
  /** Kept for a signature alone. */
  readonly outputs: HashedFile[] | null;
}

/** What stands in the folder. */
interface Found {
  /** Every file but the record. */
  readonly tree: Tree;
  /** SHA-256 of the record, once it is read. */
  record: string;
}

/** A signature names every sealed output. */
const SEAL_LIMIT = 512 * 1024 * 1024;

/**
 * Proves a run's folder: chain and order of the record, every hash in its events, the manifest, unlisted files, the assembly
 * copy, the seals, the children. Only what cannot be read at all (no record, no folder) rejects.
 */
export async function verifyRun(folder: string, options: VerifyOptions = {}): Promise<Verdict> {
  const { tree, strange } = await readWholeTree(folder);
  return (await verifyFolder({ folder, tree, strange, outer: null }, options)).verdict;
}

interface Place {
  readonly folder: string;
  readonly tree: Tree;
  /** What should not stand there; of a child run nothing, since its caller's list has it. */
  readonly strange: readonly Strange[];
  readonly outer: Outer | null;
}

/** What the outermost run's folder has for all of its children. */
interface Outer {
  readonly run: string;
  readonly assemblyHash: string;
  readonly executables: ReadonlySet<string> | null;
}

interface Verified {
  readonly verdict: Verdict;
  readonly start: FactOf<'run_start'> | null;
  readonly end: FactOf<'run_end'> | null;
}

async function verifyFolder({ folder, tree, strange, outer }: Place, options: VerifyOptions): Promise<Verified> {
  const sum = createHash('sha256');
  const found: Found = { tree, record: '' };
  const differences = createDifferences((path) => (path === RECORD ? found.record : tree.sha256(path)));
  for (const entry of strange)
    differences.add({ path: entry.path, rule: 'R-8', message: `is ${entry.detail}; a run holds plain files alone` });

  const told: Told = { start: null, end: null, calls: new Map(), outputs: tree.has(ENVELOPE) ? [] : null };
  const record = readRecord(join(folder, RECORD), { see: (bytes) => sum.update(bytes) });
  const evidence = evidenceOf(tree, outer, differences);
  for await (const lines of record.pieces) {
    for (const { event, number } of lines) if (event !== null) hear(event, number, told, evidence);
  }
  const reading = record.reading();
  found.record = sum.digest('hex');
  blameReading(reading, differences, options);
  compareAssembly(tree, told, differences, options);
  const signature = await compareSeals(folder, { told, found }, differences, options);
  if (told.start !== null && outer !== null && told.start.assembly_hash !== outer.assemblyHash)
    differences.add({ path: RECORD, line: 1, rule: 'R-8', message: 'names another assembly than its caller' });
  const inside: Outer = outer ?? {
    run: told.start?.run ?? '',
    assemblyHash: told.start?.assembly_hash ?? '',
    executables: evidence.executables,
  };
  const children = await verifyChildren(folder, { tree, calls: told.calls, outer: inside }, differences, options);

  const { all } = differences;
  const verdict: Verdict = {
    verified: reading.state === 'valid' && all.length === 0,
    state: reading.state,
    lines: reading.lines,
    files: tree.size + 1,
    children,
    signature,
    record_sha256: found.record,
    differences: all,
  };
  return { verdict, start: told.start, end: told.end };
}

function evidenceOf(tree: Tree, outer: Outer | null, differences: Differences): Evidence {
  const executables = new Set<string>();
  for (const [, { sha256 }] of assemblyCopy(tree)) executables.add(sha256);
  return { file: (path) => tree.file(path), executables: executables.size === 0 ? (outer?.executables ?? null) : executables, differences };
}

function hear(event: RecordEvent, line: number, told: Told, evidence: Evidence): void {
  if (event.event === 'run_start') told.start ??= event;
  if (event.event === 'run_end') told.end = event;
  hearCall(told.calls, event, line, evidence.differences);
  if (event.event === 'stage_end' && event.sealed && event.output !== undefined) told.outputs?.push(event.output);
  compareEvent(event, line, evidence);
}

function blameReading(reading: Reading, differences: Differences, { cutOff }: VerifyOptions): void {
  for (const { line, rule, message } of reading.faults) differences.add({ path: RECORD, line, rule, message });
  if (reading.faultsOmitted > 0) differences.add({ path: RECORD, rule: 'R-6', message: `has ${reading.faultsOmitted} more faulty lines` });
  if (reading.state !== 'incomplete' || cutOff === true) return;
  if (reading.torn)
    differences.add({ path: RECORD, line: reading.lines + 1, rule: 'R-6', message: 'is incomplete: its last line is torn' });
  else differences.add({ path: RECORD, rule: 'R-6', message: 'is incomplete: it has no run_end' });
}

function compareAssembly(tree: Tree, told: Told, differences: Differences, options: VerifyOptions): void {
  const said = told.start?.assembly_hash;
  if (said === undefined) return;
  const found = hashAssemblyCopy(tree);
  const copied = hasCopy(tree.paths());
  if (found === said || (options.child === true && !copied)) return;
  const message = copied ? 'is not the assembly that ran: a file, a name or an executable bit differs' : 'is missing';
  differences.add({ path: ASSEMBLY_COPY, rule: 'A-19', message, expected: said, found });
}

function hasCopy(paths: Iterable<string>): boolean {
  for (const path of paths) if (path.startsWith(`${ASSEMBLY_COPY}/`)) return true;
  return false;
}

async function compareSeals(
  folder: string,
  { told, found }: { readonly told: Told; readonly found: Found },
  differences: Differences,
  options: VerifyOptions,
): Promise<Verdict['signature']> {
  const { tree } = found;
  const signed = tree.has(ENVELOPE);
  const expectsSeals = told.end !== null && options.child !== true && options.cutOff !== true;
  const manifest = told.end?.manifest;
  if (manifest !== undefined) differences.compare(MANIFEST, manifest, { rule: 'R-8', by: 'run_end' });
  else if (expectsSeals) differences.add({ path: MANIFEST, rule: 'R-8', message: 'was never sealed: run_end names no manifest' });
  if (tree.has(MANIFEST)) await compareManifest(parsePieces(readPieces(join(folder, MANIFEST))), tree.checklist(), differences);
  if (tree.has(RECORD_SUM)) compareRecordSum((await readText(folder, RECORD_SUM)) ?? '', signed, differences);
  else if (expectsSeals) differences.add({ path: RECORD_SUM, rule: 'R-8', message: 'is missing' });
  if (signed) {
    const about = {
      record: found.record,
      outputs: told.outputs ?? [],
      ...(options.publicKey === undefined ? {} : { key: options.publicKey }),
    };
    return compareEnvelope((await readText(folder, ENVELOPE)) ?? '', about, differences);
  }
  if (options.publicKey !== undefined) differences.add({ path: ENVELOPE, rule: 'R-8', message: 'is missing: the run is not signed' });
  return options.publicKey === undefined ? 'absent' : 'bad';
}

async function readText(folder: string, name: string): Promise<string | undefined> {
  return (await readSmall(join(folder, name), SEAL_LIMIT))?.toString();
}

async function verifyChildren(
  folder: string,
  { tree, calls, outer }: { readonly tree: Tree; readonly calls: Calls; readonly outer: Outer },
  differences: Differences,
  { cutOff = false }: VerifyOptions,
): Promise<number> {
  let count = 0;
  const folders = new Set(childFolders(tree.paths()));
  for (const child of folders) {
    const { verdict, start, end } = await verifyFolder(
      { folder: join(folder, child), tree: tree.within(child), strange: [], outer },
      { child: true, cutOff },
    );
    count += 1 + verdict.children;
    for (const difference of verdict.differences) differences.add(within(child, difference));
    compareCalled({ folder: child, start, end }, calls.get(child), { differences, run: outer.run });
  }
  if (!cutOff) compareMissing(calls, folders, differences);
  return count;
}

function within(child: string, difference: Difference): Difference {
  return { ...difference, path: `${child}/${difference.path}` };
}

/** The outermost folders that hold a record of their own; the runs inside those are theirs to verify. */
function childFolders(paths: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const path of paths)
    if (path.endsWith(`/${RECORD}`) && !path.startsWith(`${ASSEMBLY_COPY}/`)) folders.add(path.slice(0, -RECORD.length - 1));
  return [...folders].filter((folder) => !isWithin(folder, folders));
}

function isWithin(folder: string, outer: ReadonlySet<string>): boolean {
  for (let at = folder.lastIndexOf('/'); at > 0; at = folder.lastIndexOf('/', at - 1)) if (outer.has(folder.slice(0, at))) return true;
  return false;
}
