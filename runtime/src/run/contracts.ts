/** The behavioural contracts of a tree of runs, put together from what the run has: audit, judges, plugins, alerts and undoing (C-13). */
import { join, posix } from 'node:path';
import type { Contract, ContractReport, EvaluationPorts, PluginCall, PreparedContract, Verdict } from '@gated-flow/contract';
import { escapeControls } from '@gated-flow/text';
import { trackWork } from '../contract/at-work.js';
import type { Audit } from '../contract/audit.js';
import type { HeldContracts } from '../contract/held.js';
import { placeInAssembly } from '../contract/load.js';
import { judgingBy, type JudgeSource } from '../contract/judging.js';
import type { RunContracts } from '../contract/run-contracts.js';
import type { WorktreeMark } from '../ports/worktree.js';
import type { StageScope } from '../stage/scope.js';
import { placeIn } from './place.js';
import type { RunPart, RunWorld } from './scope.js';

const AUDIT = 'audit.jsonl';
const KEY = 'AGENTCONTRACT_AUDIT_KEY';
const NOBODY: JudgeSource = { judges: 'nobody', why: 'there is no judge' };

/** What all runs of the tree share. Null when no contract holds anywhere: then nothing of it is loaded. */
export interface ContractWorld {
  readonly contracts: ReadonlyMap<string, Contract>;
  readonly work: ReturnType<typeof trackWork>;
  /** Compiled once. */
  prepared(path: string): Promise<PreparedContract>;
}

type Parts = Omit<RunWorld, 'shared' | 'containing' | 'fingerprints' | 'contracts' | 'governance'>;

export function contractWorld(parts: Parts, copy: string): ContractWorld | null {
  const { contracts } = parts.prepared.plan;
  if (contracts.size === 0) return null;
  const compiled = new Map<string, Promise<PreparedContract>>();
  const ports = evaluationPorts(parts, copy);
  return {
    contracts,
    work: trackWork(),
    prepared(path) {
      const known = compiled.get(path) ?? compile(contracts, path, ports);
      compiled.set(path, known);
      return known;
    },
  };
}

async function compile(contracts: ReadonlyMap<string, Contract>, path: string, ports: LoadPorts): Promise<PreparedContract> {
  const contract = contracts.get(path);
  if (!contract) throw new Error(`the plan has no contract ${path}`);
  const { prepare } = await import('@gated-flow/contract');
  return prepare(contract, await ports());
}

type LoadPorts = () => Promise<EvaluationPorts>;

/** Plugins run from the run's own copy, without secrets, and end with the run. */
function evaluationPorts({ prepared, options, machine, born }: Parts, copy: string): LoadPorts {
  const { clock, ids, env } = machine;
  const source = options.judges ?? NOBODY;
  const judging = judgingBy(source, prepared.plan.judges, {
    ...{ clock, ids, stop: born.stop, budget: born.budget },
    openModel: async (row) => (await import('../models/provider/open.js')).openModel(row, { env, clock }),
  });
  const opened = import('@gated-flow/contract').then(({ pluginWorkers }) => {
    const plugins = pluginWorkers({ env: withoutKey(env), print: (text) => options.onNotice?.(text.trimEnd()) });
    born.beforeSeal(() => plugins.close());
    return plugins;
  });
  /** A plugin runs only on an output, and only as it was read (K-10). */
  async function validate(call: PluginCall): Promise<Verdict> {
    if (call.context.output === null) return { is: 'unevaluated', reason: 'there is no output' };
    const path = posix.join(posix.dirname(placeInAssembly(call.from)), call.plugin);
    const entry = prepared.plan.assembly.snapshot.entries.get(path);
    const found = await machine.disk.hash(join(copy, path)).catch(() => null);
    if (entry?.kind !== 'file' || found?.sha256 !== entry.sha256)
      return { is: 'violated', details: `the plugin ${call.plugin} is not what it was when the run began` };
    return (await opened).validate({ ...call, from: join(copy, call.from) });
  }
  return async () => {
    return {
      plugins: { validate },
      ...(judging === undefined ? {} : { judging }),
      ...(source.judges === 'nobody' ? { withoutJudge: source.why } : {}),
    };
  };
}

function withoutKey(env: Parts['machine']['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (name === KEY || value === undefined ? [] : [[name, value]])));
}

/** The contracts of one run of the tree, with an audit of its own beside its record. */
export function openContracts(world: RunWorld, part: RunPart): RunContracts | null {
  const { contracts } = world;
  if (contracts === null) return null;
  let audit: Promise<Audit> | null = null;
  return {
    at: (paths) => paths.flatMap((path) => contracts.contracts.get(path) ?? []),
    atWork: (place) => contracts.work.begin(place),
    async hold(scope) {
      audit ??= openAuditOf(world, part);
      return hold(scope, { world, contracts, audit: await audit });
    },
  };
}

async function openAuditOf({ machine, born }: RunWorld, { folder }: RunPart): Promise<Audit> {
  const { openAudit } = await import('../contract/audit.js');
  const audit = openAudit(() => machine.openAppend(join(folder, AUDIT)), machine.env[KEY] || undefined);
  const place = placeIn(born.claimed.folder, folder);
  born.beforeSeal(() => {
    const sha256 = audit.close();
    if (sha256 !== null) born.vouch(place === null ? AUDIT : `${place}/${AUDIT}`, sha256);
  });
  return audit;
}

interface Holding {
  readonly world: RunWorld;
  readonly contracts: ContractWorld;
  readonly audit: Audit;
}

async function hold(scope: StageScope, { world, contracts, audit }: Holding): Promise<HeldContracts> {
  const { machine, born, prepared, options } = world;
  const { recorder, redactor, where, row } = scope;
  const { holdTo } = await import('../contract/held.js');
  const all = await Promise.all(scope.heldTo.map((path) => contracts.prepared(path)));
  const undoing = all.some(({ contract }) => contract.clauses.some(({ severity }) => severity === 'rollback'));
  const mark = undoing ? ((await born.worktree?.mark()) ?? null) : null;
  const { provider, model } = row.options;
  return holdTo(all, {
    audit: (report) => audit.append(report),
    alert: (report) => alert(report, world),
    undo: () => undo(mark, scope, contracts),
    halt: (reason) => born.stop.halt(reason),
    record: ({ clause_type, clause_name, severity, action_taken, judge, details }, { contract, round, audit_run_id }) =>
      recorder.append({
        event: 'contract',
        ...where,
        ...{ contract, clause_type, clause_name, severity, action_taken, judge },
        details: redactor.text(details),
        ...(round > 0 ? { round } : {}),
        audit_run_id,
      }),
    now: () => new Date(machine.clock.now()).toISOString(),
    uuid: () => uuidOf(machine.ids.hex(32)),
    agentModel: options.source === 'provider' ? `${provider.value}/${model.value}` : undefined,
    unevaluated: prepared.plan.assembly.unevaluated === 'fail' ? 'fail' : 'report',
  });
}

/** Answers why nothing was undone. */
async function undo(mark: WorktreeMark | null, { place }: StageScope, { work }: ContractWorld): Promise<string | undefined> {
  if (mark === null) return 'the run has no tree of its own, which --isolate gives it';
  if (work.disturbed(place)) return 'another stage worked in the same tree at the same time';
  await mark.restore();
  return undefined;
}

/** Whatever is said of it is cleaned for a terminal. The run's own secret stays out of the command's environment. */
async function alert(report: ContractReport, { options, prepared, machine }: RunWorld): Promise<void> {
  const { alertWebhook, alertCommand } = prepared.config;
  const { alert: tell } = await import('@gated-flow/contract');
  await tell(report, {
    env: withoutKey(machine.env),
    print: (line) => options.onNotice?.(escapeControls(line)),
    ...(alertWebhook === undefined ? {} : { webhook: alertWebhook }),
    ...(alertCommand === undefined ? {} : { command: alertCommand }),
  });
}

/** RFC 9562, version 4. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
