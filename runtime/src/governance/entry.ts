/** One pass of a stage under the governance contract, beside the calls of its agent: receipt, sources and claims (V-6, V-8, V-9). */
import { extname, join } from 'node:path';
import { claimMessage, readClaims, routePrompt } from '@gated-flow/governance';
import type { ClaimReading, GovernanceContract, NumberedCite, Routed, StageName } from '@gated-flow/governance';
import type { SealedFile } from '@gated-flow/record';
import { bash } from '../agent/tools/bash.js';
import type { Tool } from '../agent/tools/tool.js';
import { DiskError, type Disk } from '../ports/disk.js';
import type { Given, StageScope } from '../stage/scope.js';
import { inRun } from '../stage/scope.js';
import { citeTool } from './cite.js';
import { isFileIn } from './evidence.js';
import type { GovernanceFields } from './hold.js';

export interface Entering {
  readonly contract: GovernanceContract;
  readonly given: readonly Given[];
  /** Says in the receipt what every route said. */
  readonly debug: boolean;
  /** Where nobody has seen that a denial is honoured (V-10). */
  readonly advisory: readonly StageName[];
}

export interface StageEntry {
  /** Whether the claim check has anything to look at. */
  readonly judgesOutput: boolean;
  /** Tools that its agent has beside the others. */
  readonly tools: readonly Tool[];
  /** Records the receipt, when one is due, and what is advisory. */
  announce(): void;
  /** The agent's tools, seen: what a command exited with can support a claim. */
  watched(tools: readonly Tool[]): readonly Tool[];
  /** Judges the output of an attempt; `folder` is the attempt's in the record. Rejects with a DiskError. */
  judge(attempt: { readonly number: number; readonly folder: string }): Promise<ClaimVerdict>;
}

export interface ClaimVerdict {
  /** For the agent; empty when all is well. */
  readonly told: string;
  /** Another output is not asked for. */
  readonly blocks: boolean;
}

/** Of each input that is given. */
const INPUT_BYTES = 64 * 1024;

export async function enterStage(scope: StageScope, { contract, given, debug, advisory }: Entering): Promise<StageEntry> {
  const inputs = await Promise.all(given.map(({ file }) => beginningOf(file, scope.ports.disk)));
  const routed = routePrompt(contract, { stage: 'prompt_stage', body: scope.stage.body, inputs, readOnly: canOnlyRead(scope) }, debug);
  const needsSources = scope.select === undefined && routed !== null && wantsSources(routed);
  const cites: NumberedCite[] = [];
  const passed = new Set<string>();
  const record = (fields: GovernanceFields, attempt?: number): void =>
    scope.recorder.append({
      event: 'governance',
      ...scope.where,
      ...(attempt === undefined ? {} : { retry: attempt }),
      ...scope.redactor.json(fields),
    });

  return {
    judgesOutput: scope.select === undefined && (needsSources || contract.claims.length > 0),
    tools: needsSources ? [citeTool(cites)] : [],
    announce() {
      for (const moment of advisory) record({ stage_name: moment, decision: 'advisory', reason: UNSEEN });
      if (routed !== null && contract.stages.has('prompt_stage'))
        record({ stage_name: 'prompt_stage', decision: 'allow', receipt: receiptOf(routed) });
    },
    watched: (tools) => tools.map((tool) => (tool.spec.name === bash.spec.name ? noting(tool, passed) : tool)),
    async judge({ number, folder }) {
      const sources = cites.length === 0 ? null : await keepSources(cites, folder, scope);
      const unsourced = needsSources && sources === null;
      if (needsSources)
        record(
          { stage_name: 'external_research', decision: unsourced ? 'deny' : 'allow', ...(sources === null ? {} : { sources }) },
          number,
        );
      const found = await claimsIn(scope, { contract, citations: cites.length, passedCommands: [...passed] });
      for (const { decision, reading } of found)
        record({ stage_name: 'final_claim', decision: outcomeOf(decision, reading), claims: shown(reading) }, number);
      const broken = found.filter(({ reading }) => reading.unsupported.length > 0);
      const told = [...new Set([...(unsourced ? [UNSOURCED] : []), ...broken.map(({ reading }) => claimMessage(reading))])].join('\n\n');
      return { told, blocks: broken.some(({ decision }) => decision === 'block') };
    },
  };
}

const UNSEEN = 'Nobody has seen here that a denial is honoured.';

const UNSOURCED =
  'This work needs sources, and none is named. Look at sources, name each with the `cite` tool, and write its number in brackets in each sentence that rests on it.';

function wantsSources({ receipt }: Routed): boolean {
  return receipt.external_search_need === 'required' || receipt.required_gates.includes('external_research');
}

/** Nothing but its own output and scratch can be changed by its agent. */
function canOnlyRead({ stage: { access } }: StageScope): boolean {
  if (access === undefined || (access.bash ?? []).length > 0) return false;
  return [...(access.write ?? []), ...(access.edit ?? [])].every((name) => OWN.has(name.toLowerCase()));
}

const OWN = new Set(['output', 'tmp']);

/** A file that cannot be read has nothing to say here; whoever lays it out will say why. */
async function beginningOf(file: string, disk: Pick<Disk, 'readHead'>): Promise<string> {
  try {
    return Buffer.from(await disk.readHead(file, INPUT_BYTES)).toString('utf8');
  } catch (error) {
    if (error instanceof DiskError) return '';
    throw error;
  }
}

function receiptOf({ profile, receipt, lowConfidence, from, routes }: Routed): object {
  return { profile, ...receipt, ...(lowConfidence && { low_confidence_route: true }), ...(from && { from }), ...(routes && { routes }) };
}

/** The same tool, whose commands that exit with 0 are remembered as the agent wrote them. */
function noting(tool: Tool, passed: Set<string>): Tool {
  return {
    ...tool,
    async run(input, context) {
      const output = await tool.run(input, context);
      if (output.exit === 0) for (const reach of tool.reach(input)) if (reach.operation === 'bash') passed.add(reach.command);
      return output;
    },
  };
}

/** `sources.jsonl` of the attempt: all that was cited so far, a line each. */
async function keepSources(
  cites: readonly NumberedCite[],
  folder: string,
  { ports: { disk }, redactor, folder: run }: StageScope,
): Promise<SealedFile> {
  const path = join(folder, 'sources.jsonl');
  const bytes = Buffer.from(cites.map((cite) => `${JSON.stringify(redactor.json(cite))}\n`).join(''));
  await disk.write(path, bytes, { durable: true });
  const { sha256 } = await disk.hash(path);
  return { path: inRun(run, path), sha256, bytes: bytes.length };
}

/** What is longer is no text that a person reads. */
const OUTPUT_BYTES = 64 * 1024 * 1024;

interface Judging {
  readonly contract: GovernanceContract;
  readonly citations: number;
  readonly passedCommands: readonly string[];
}

interface Judged {
  readonly decision: 'downgrade' | 'block';
  readonly reading: ClaimReading;
}

async function claimsIn(scope: StageScope, { contract, citations, passedCommands }: Judging): Promise<readonly Judged[]> {
  const { claims } = contract;
  const { disk } = scope.ports;
  if (claims.length === 0) return [];
  const output = Buffer.from(await disk.readHead(scope.output, OUTPUT_BYTES)).toString('utf8');
  const format = extname(scope.output) === '.json' || scope.stage.schema?.kind === 'json' ? 'json' : 'markdown';
  const fileExists = (name: string): Promise<boolean> => isFileIn(name, { PWD: scope.pwd, INPUT: scope.input }, disk);
  const judged: Judged[] = [];
  for (const { terms, decision } of claims) {
    const reading = await readClaims({ output, format, terms }, { citations, passedCommands, fileExists });
    judged.push({ decision, reading });
  }
  return judged;
}

function outcomeOf(decision: Judged['decision'], { unsupported }: ClaimReading): string {
  return unsupported.length === 0 ? 'allow' : decision;
}

const MOST_SHOWN = 20;
const SENTENCE = 300;

function shown({ claims, unsupported }: ClaimReading): object {
  const sentences = unsupported
    .slice(0, MOST_SHOWN)
    .map(({ sentence, terms, where }) => ({ sentence: sentence.slice(0, SENTENCE), terms, where }));
  return { found: claims, unsupported: unsupported.length, sentences };
}
