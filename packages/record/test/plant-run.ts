import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Cause, Fact, FactOf, SealedFile } from '../src/index.js';
import { FIRST_PREV, encodeLine, formatManifest, hashLine, signStatement, statementOf } from '../src/index.js';
import { UNLISTED } from '../src/layout.js';
import { hashAssemblyCopy } from '../src/verify/assembly.js';

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a run's folder piece by piece, as a runtime would leave it, with times that count on from a fixed instant. */
export interface Planter {
  readonly folder: string;
  file(path: string, bytes: string | Uint8Array, mode?: number): SealedFile;
  event(fact: Fact): void;
  /** The capture of a check or hook: the fields that name it. */
  capture(path: string, text: string): { capture: string; capture_sha256: string };
  seal(ending: { exit: number; cause: Cause; reason?: string; stage?: string }, key?: KeyObject): void;
}

export function planter(folder: string): Planter {
  let at = Date.UTC(2026, 6, 30, 14, 22, 8);
  let prev = FIRST_PREV;
  const outputs: SealedFile[] = [];
  mkdirSync(folder, { recursive: true });
  const file = (path: string, bytes: string | Uint8Array, mode = 0o600): SealedFile => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, { mode });
    return { path, sha256: sha256(bytes), bytes: Buffer.byteLength(bytes) };
  };
  const event = (fact: Fact): void => {
    if (fact.event === 'stage_end' && fact.sealed && fact.output !== undefined) outputs.push(fact.output);
    const line = encodeLine(fact, new Date(at).toISOString(), prev);
    at += 250;
    prev = hashLine(line);
    appendFileSync(join(folder, 'record.jsonl'), `${line}\n`);
  };
  return {
    folder,
    file,
    event,
    capture(path, text) {
      const { sha256: hash } = file(path, text);
      return { capture: path, capture_sha256: hash };
    },
    seal(ending, key) {
      const manifest = file('manifest.sha256', formatManifest(hashed(folder)));
      event({ event: 'run_end', ...ending, manifest: manifest.sha256 });
      const record = { path: 'record.jsonl', sha256: sha256(readFileSync(join(folder, 'record.jsonl'))) };
      const envelope = key && file('record.dsse.json', `${JSON.stringify(signStatement(statementOf(record.sha256, outputs), key))}\n`);
      file('record.sha256', formatManifest(envelope === undefined ? [record] : [record, envelope]));
    },
  };
}

function hashed(folder: string): { path: string; sha256: string }[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !UNLISTED.has(path))
    .map((path) => ({ path, sha256: sha256(readFileSync(join(folder, path))) }));
}

const GATE = '#!/bin/sh\ngrep -q next "$1" && exit 0\necho \'The reply has no "What happens next" section.\'\nexit 1\n';

/** Plants the assembly copy, the request and `run_start`. */
export function begin(plant: Planter): void {
  const files = [
    ['ASSEMBLY.md', '---\n---\nHelp the reader.\n', 0o600],
    ['flows/triage/FLOW.md', '---\ndescription: Answers a ticket\n---\n', 0o600],
    ['flows/triage/01-classify.md', '---\n---\nClassify the ticket.\n', 0o600],
    ['flows/triage/02-draft/STAGE.md', '---\n---\nDraft the reply.\n', 0o600],
    ['flows/triage/02-draft/gate/02-sections', GATE, 0o700],
  ] as const;
  const copied = new Map(
    files.map(([path, text, mode]) => {
      const file = plant.file(`assembly/${path}`, text, mode);
      return [file.path, { ...file, executable: mode === 0o700, lines: null }];
    }),
  );
  const hash = hashAssemblyCopy({ paths: () => copied.keys(), file: (path) => copied.get(path) });
  plant.event({
    event: 'run_start',
    record: 1,
    runtime: { name: 'gated-flow', version: '0.1.0', node: '20.20.2' },
    run: '2026-07-30T14-22-08-a3f9',
    assembly: '/home/reader/triage',
    assembly_hash: hash,
    flow: 'triage',
    request: { ...plant.file('request.txt', 'The lift is stuck.\n'), from: 'argument' },
    workdir: '/home/reader/work',
    model_source: 'provider',
  });
}

const OPTIONS: FactOf<'stage_start'>['options'] = {
  provider: { value: 'anthropic', from: 'environment' },
  model: { value: 'claude-sonnet-5', from: 'environment' },
  timeout: { value: 3600, from: 'default' },
  retries: { value: 2, from: 'default' },
};

export function beginStage(plant: Planter, stage: string, received: SealedFile, repeat?: number): void {
  const place = repeat === undefined ? { stage } : { stage, repeat };
  plant.event({
    event: 'stage_start',
    ...place,
    received: [{ name: received.path.split('/').at(-1) ?? '', path: received.path, sha256: received.sha256 }],
    options: OPTIONS,
    slots: ['PWD', 'INPUT', 'OUTPUT', 'TMP', 'SKILLS'],
    workdir: '/home/reader/work',
    tools: ['read', 'write', 'edit', 'bash', 'refuse'],
    skills: [],
  });
  const folder = `stages/${stage}/${repeat ?? 1}`;
  const system = plant.file(`${folder}/system.txt`, `# Instructions\n\n${stage}\n`);
  const first = plant.file(`${folder}/first-turn.txt`, 'Begin.\n');
  plant.event({ event: 'prompt', ...place, system_sha256: system.sha256, first_turn_sha256: first.sha256 });
}

function turn(plant: Planter, stage: string, retry: number): void {
  const tokens = { input: 1550, output: 206, cache_read: 0, cache_write: null, cost_usd: 0.0055 };
  plant.event({ event: 'turn', stage, retry, provider: 'anthropic', model: 'claude-sonnet-5', ...tokens, stop: 'end', ms: 4200 });
}

function gate(plant: Planter, stage: string, retry: number, text: string): void {
  const capture = plant.capture(`stages/${stage}/1/${retry}/checks/gate/02-sections.txt`, text);
  const program = { file: 'gate/02-sections', sha256: sha256(GATE) };
  plant.event({ event: 'gate_start', stage, retry, ...program });
  plant.event({ event: 'check', stage, retry, check: 'gate', ...program, exit: text === '' ? 0 : 1, ...capture, ms: 12 });
}

function session(plant: Planter, stage: string): { sha256: string; lines: number } {
  const lines = [
    { ts: '2026-07-30T14:22:08.000Z', kind: 'system', text: `# Instructions\n\n${stage}\n` },
    { ts: '2026-07-30T14:22:08.000Z', kind: 'user', text: 'Begin.', why: 'start' },
    { ts: '2026-07-30T14:22:12.000Z', kind: 'assistant', text: 'Done.', calls: [], stop: 'end' },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return { sha256: plant.file(`stages/${stage}/1/session.jsonl`, text).sha256, lines: lines.length };
}

/** One stage that passes at once. Gives the sealed output. */
export function passStage(plant: Planter, stage: string, received: SealedFile, text: string): SealedFile {
  beginStage(plant, stage, received);
  turn(plant, stage, 1);
  const capture = plant.capture(`stages/${stage}/1/1/checks/output.txt`, '');
  plant.event({ event: 'check', stage, retry: 1, check: 'output', exit: 0, ...capture, ms: 0 });
  const output = plant.file(`stages/${stage}/1/1/output.txt`, text);
  const end = { exit: 0, cause: 'success', output, sealed: true, judged: false, attempts: 1 } as const;
  plant.event({ event: 'stage_end', stage, ...end, session: session(plant, stage) });
  return output;
}

const COMPLAINT = 'The reply has no "What happens next" section.\n';

/** Two stages, the second sent back once by its gate. */
export function plantSuccess(folder: string, key?: KeyObject): void {
  const plant = planter(folder);
  begin(plant);
  const first = passStage(plant, '01-classify', { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 }, 'urgent\n');
  beginStage(plant, '02-draft', first);
  turn(plant, '02-draft', 1);
  gate(plant, '02-draft', 1, COMPLAINT);
  turn(plant, '02-draft', 2);
  gate(plant, '02-draft', 2, '');
  const output = plant.file('stages/02-draft/1/2/output.txt', 'What happens next: we come.\n');
  const end = { exit: 0, cause: 'success', output, sealed: true, judged: true, attempts: 2 } as const;
  plant.event({ event: 'stage_end', stage: '02-draft', ...end, session: session(plant, '02-draft') });
  plant.seal({ exit: 0, cause: 'success' }, key);
}

/** The second stage is sent back until its rounds are spent; its candidates are withheld. */
export function plantExhausted(folder: string): void {
  const plant = planter(folder);
  begin(plant);
  const first = passStage(plant, '01-classify', { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 }, 'urgent\n');
  beginStage(plant, '02-draft', first);
  for (const round of [1, 2, 3]) {
    turn(plant, '02-draft', round);
    plant.file(`stages/02-draft/1/${round}/output.txt`, `Draft ${round}.\n`);
    gate(plant, '02-draft', round, COMPLAINT);
  }
  const reason = 'The reply has no "What happens next" section.';
  const end = { exit: 1, cause: 'exhausted', reason, failed: 'gate/02-sections', sealed: false, judged: true, attempts: 3 } as const;
  plant.event({ event: 'stage_end', stage: '02-draft', ...end, session: session(plant, '02-draft') });
  plant.seal({ exit: 1, cause: 'exhausted', reason, stage: '02-draft' });
}
