/** What a contract says to an event of another agent's host, in that host's form (V-12). */
import { relative, resolve, sep } from 'node:path';
import { loadShellReader } from '@gated-flow/shell';
import {
  asciiJson,
  callAnswer,
  claimMessage,
  decide,
  decideMemory,
  failureAnswer,
  isMemory,
  MAX_PAYLOAD_BYTES,
  NO_DECISION,
  parsePayload,
  permissionsText,
  promptAnswer,
  readClaims,
  readCommands,
  readHostEvent,
  routePrompt,
  stopAnswer,
  verdictOf,
} from '@gated-flow/governance';
import type {
  FileToolEvent,
  GovernanceContract,
  HostAnswer,
  HostCall,
  HostEvent,
  HostName,
  MemoryEvent,
  RuleHit,
} from '@gated-flow/governance';
import { isWithin } from '../../agent/tools/place.js';
import { realPlace } from '../../agent/tools/real-place.js';
import type { Disk } from '../../ports/disk.js';
import { MAX_COMMAND_BYTES } from '../call-events.js';

export interface Asked {
  readonly host: HostName;
  /** What the host wrote: data, never executed. */
  readonly payload: Uint8Array;
  /** The contract for whoever works in this folder. Rejects with a GoverningFault. */
  contractFor(cwd: string): Promise<FoundContract>;
  readonly disk: Pick<Disk, 'real' | 'look'>;
}

export type FoundContract =
  { readonly ok: true; readonly contract: GovernanceContract; readonly file: string } | { readonly ok: false; readonly message: string };

/** Never an error for anything that stands in the payload: what cannot be judged is stopped. */
export async function answerHost({ host, payload, contractFor, disk }: Asked): Promise<HostAnswer> {
  const parsed = parsePayload(payload);
  if (!parsed.ok) return failureAnswer(parsed.message);
  const read = readHostEvent(parsed.value);
  if (!read.ok) return failureAnswer(read.message);
  const { event } = read;
  if (event.is === 'other') return NO_DECISION;
  const cwd = cwdOf(parsed.value);
  if (cwd === null) return failureAnswer('The event has no "cwd" that is an absolute path.');
  const found = await contractFor(cwd);
  if (!found.ok) return failureAnswer(found.message);
  const at: Judging = { host, contract: found.contract, file: found.file, cwd, disk };
  switch (event.is) {
    case 'call':
      return callAnswer(host, event, verdictOf(await callHits(event.calls, at)));
    case 'prompt':
      return promptAnswer(promptContext(event.text, at));
    case 'stop':
      return stopHost(event, at);
  }
}

interface Judging {
  readonly host: HostName;
  readonly contract: GovernanceContract;
  /** The contract's own file: absolute. */
  readonly file: string;
  readonly cwd: string;
  readonly disk: Pick<Disk, 'real' | 'look'>;
}

function cwdOf(payload: unknown): string | null {
  const cwd: unknown = typeof payload === 'object' && payload !== null && 'cwd' in payload ? payload.cwd : undefined;
  return typeof cwd === 'string' && cwd.startsWith('/') && !cwd.includes('\0') ? cwd : null;
}

async function callHits(calls: readonly HostCall[], at: Judging): Promise<readonly RuleHit[]> {
  const hits: RuleHit[] = [];
  for (const call of calls) hits.push(...(await hitsOf(call, at)));
  return hits;
}

async function hitsOf(call: HostCall, at: Judging): Promise<readonly RuleHit[]> {
  switch (call.is) {
    case 'tool':
      return decide(at.contract, call.event).hits;
    case 'file': {
      const event = await withRealNames(call.event, at);
      return [...decide(at.contract, event).hits, ...memoryHits(event, at), ...ownFileHits(event, at)];
    }
    case 'command': {
      const { commandText: text, event } = call;
      if (Buffer.byteLength(text) > MAX_COMMAND_BYTES) return [TOO_LONG];
      const command = { text, read: await (await loadShellReader()).read(text, { guess: true }) };
      const words = new Set(readCommands(command).commands.flatMap(({ paths }) => paths));
      const memory: RuleHit[] = [];
      for (const word of at.contract.memory.length === 0 ? [] : words) {
        const named = await withRealNames({ ...EDITED, paths: [word, resolve(at.cwd, word)] }, at);
        memory.push(...memoryHits(named, at));
      }
      return [...decide(at.contract, { ...event, command }).hits, ...memory];
    }
  }
}

const EDITED = { stage: 'schema_aware_file_tool', tool: 'bash', operation: 'edit' } as const;

const TOO_LONG: RuleHit = {
  id: 'command-too-long',
  decision: 'deny',
  reason: `The command is longer than ${MAX_COMMAND_BYTES / 1024} KiB, so it cannot be judged.`,
};

/** The same names again behind links: a link may not lead around a rule. */
async function withRealNames(event: FileToolEvent, { cwd, disk }: Judging): Promise<FileToolEvent> {
  const tree = await realPlace(cwd, disk);
  const names = new Set(event.paths);
  for (const path of event.paths) {
    if (path.includes('\0')) continue;
    const real = await realPlace(resolve(cwd, path), disk);
    if (real === null) continue;
    names.add(real);
    if (tree !== null && real !== tree && isWithin(real, tree)) names.add(relative(tree, real).split(sep).join('/'));
  }
  return { ...event, paths: [...names] };
}

/** A hook keeps nothing between two calls, so it cannot know which index was read: lanes hold, `meta_first` does not. */
function memoryHits({ operation, paths }: FileToolEvent, { contract: { memory } }: Judging): readonly RuleHit[] {
  if (!isMemory(memory, paths)) return [];
  const indexesRead = memory.flatMap(({ lanes }) => lanes.flatMap(({ index }) => index?.path ?? []));
  const event: MemoryEvent = { stage: 'memory_access', operation, paths, lane: null, indexesRead };
  const verdict = decideMemory(memory, event);
  return verdict.decision === 'deny' ? verdict.hits : [];
}

/** Whoever is held to a contract does not change it with a file tool. */
function ownFileHits({ operation, paths }: FileToolEvent, { file }: Judging): readonly RuleHit[] {
  if (operation === 'read' || !paths.includes(file)) return [];
  return [{ id: 'own-contract', decision: 'deny', reason: 'This is the contract that holds here.', matched: file }];
}

function promptContext(text: string, { contract }: Judging): string {
  const routed = contract.stages.has('prompt_stage')
    ? routePrompt(contract, { stage: 'prompt_stage', body: text, inputs: [], readOnly: false })
    : null;
  const permissions = permissionsText(contract);
  return [
    ...(routed === null ? [] : [`# Receipt\n\n${asciiJson(routed.receipt)}`]),
    ...(permissions === null ? [] : [`# Permissions\n\n${permissions}`]),
  ].join('\n\n');
}

/** A host shows neither its sources nor its commands: files in the working folder can support a claim. */
async function stopHost({ output, again }: Extract<HostEvent, { is: 'stop' }>, { contract, cwd, disk }: Judging): Promise<HostAnswer> {
  for (const { terms, decision } of contract.claims) {
    const reading = await readClaims(
      { output, format: 'markdown', terms },
      { citations: 0, passedCommands: [], fileExists: (path) => isFileBelow(cwd, path, disk) },
    );
    const message = claimMessage(reading);
    if (message === '') continue;
    const answer = stopAnswer({ again }, { message, decision });
    if (answer !== NO_DECISION) return answer;
  }
  return NO_DECISION;
}

async function isFileBelow(folder: string, path: string, disk: Judging['disk']): Promise<boolean> {
  const inside = path.replace(/^\$PWD\//, '');
  const real = await disk.real(resolve(folder, inside));
  const root = await disk.real(folder);
  return real !== null && root !== null && isWithin(real, root) && (await disk.look(real))?.kind === 'file';
}

/** So many bytes are read of an event, and one more to tell that it is too long. */
export const EVENT_BYTES = MAX_PAYLOAD_BYTES + 1;
