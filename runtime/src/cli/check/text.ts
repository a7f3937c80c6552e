import { basename } from 'node:path';
import type { Flow } from '@gated-flow/assembly';
import { counted, escapeControls, escapeName } from '@gated-flow/text';
import { paint, type Paint } from '../color.js';
import { KEY_NAMES } from '../../plan/model/resolve.js';
import type { Plan, PlanRow, ResolvedOptions, Warning } from '../../plan/plan.js';
import type { TextStyle } from '../refusals.js';
import { calledFlows, callableBy, firstModel, governedBy, heldTo, ownKeys } from './document.js';
import { table } from './table.js';

/** The plan for a person: what runs, a row per stage, the warnings. Redacted, and safe for a terminal. */
export function planText(plan: Plan, { style, modelNeeded }: { style: TextStyle; modelNeeded: boolean }): string {
  const painted = paint(style.color);
  const lines = [
    heading(plan, { modelNeeded, painted }),
    ...slotLines(plan),
    ...governanceLines(plan, painted),
    ...rowLines(plan.rows, plan.whole, { plan, painted }),
    ...scopeLines(plan),
    ...calledFlows(plan).flatMap(({ flow, rows }) => ['', calledLine(flow, painted), ...rowLines(rows, flow, { plan, painted })]),
  ];
  const warned = plan.warnings.map((warning) => warningLine(warning, plan, painted));
  const apart = plan.callable.size > 0 && warned.length > 0 ? [''] : [];
  return `${style.redactor.text([...lines, ...apart, ...warned].join('\n'))}\n`;
}

function heading({ assembly, source, flow, rows }: Plan, { modelNeeded, painted }: { modelNeeded: boolean; painted: Paint }): string {
  const name = painted.bold(escapeName(flow === null || flow.path === '.' ? basename(source) : flow.name));
  const stages = rows.filter(({ type }) => type === 'STAGE').length;
  const size = flow === null ? counted(assembly.flows.length, 'flow') : counted(stages, 'stage');
  const what = [name, size, counted(assembly.files, 'file'), `sha256 ${assembly.hash.slice(0, 12)}…`].join(' · ');
  return `${what}    model: ${modelNeeded ? modelPhrase(rows) : 'none needed'}`;
}

function modelPhrase(rows: readonly PlanRow[]): string {
  const model = firstModel(rows);
  if (model !== null) return escapeName(`${model.provider}/${model.model} (${model.from})`);
  const named = rows[0]?.options.intelligence;
  const what = named?.value ? `"${escapeName(named.value)}" is not found` : 'none found';
  return `${what} here (${KEY_NAMES.join(', ')}, or --rehearse)`;
}

interface Look {
  readonly plan: Plan;
  readonly painted: Paint;
}

/** The rows of a flow; below them which flows its agents may call and which contracts they are held to. */
function rowLines(rows: readonly PlanRow[], flow: Flow | null, { plan, painted }: Look): readonly string[] {
  const agents = rows.filter(({ type }) => type === 'STAGE' || type === 'CHOOSE' || type === 'ASSEMBLY');
  const said = [
    ...sayings(agents, { verb: 'may call', namesOf: (row) => callableBy(row, plan, flow) }),
    ...sayings(agents, { verb: 'is held to', namesOf: (row) => heldTo(row, plan, flow) }),
  ];
  return [...table(rows.map((row) => cells(row, plan, painted))), ...said.map((line) => painted.dim(line))];
}

/** What is true of every agent is said once, the rest of each. */
function sayings(
  rows: readonly PlanRow[],
  { verb, namesOf }: { readonly verb: string; namesOf(row: PlanRow): readonly string[] },
): readonly string[] {
  const scopes = rows.map((row) => ({ row, names: namesOf(row) }));
  const [first, ...others] = scopes;
  const shared = (first?.names ?? []).filter((name) => others.every(({ names }) => names.includes(name)));
  const all =
    shared.length === 0 ? [] : [`   ${rows.length === 1 ? 'its agent' : 'every agent'} ${verb} ${shared.map(escapeName).join(', ')}`];
  const own = scopes.flatMap(({ row, names }) => {
    const more = names.filter((name) => !shared.includes(name));
    return more.length === 0 ? [] : [`   ${escapeName(row.stage)} ${verb} ${more.map(escapeName).join(', ')}`];
  });
  return [...all, ...own];
}

function calledLine({ name, path, description, type, maxDepth }: Flow, { bold, dim }: Paint): string {
  const kind = type === 'DESCEND' ? `DESCEND, max-depth ${maxDepth ?? 1}` : 'when called';
  return `${bold(escapeName(name))}   ${dim(`${kind}   ${escapeName(path)}`)}   ${escapeName(description)}`;
}

/** One row: place, what comes in and goes out, its files, its options. */
function cells(row: PlanRow, plan: Plan, { dim }: Paint): readonly string[] {
  const files = inOrder(row);
  const flow = row.output === null ? [dim(ownPhrase(row)), ''] : [few(row.input), `→ ${escapeName(row.output)}`];
  return [escapeName(row.stage), ...flow, files.map(escapeName).join(', '), dim(optionsPhrase(row, plan))];
}

/** What stands beside the prompt, in the order in which it has its say. */
function inOrder({ files, step }: PlanRow): readonly string[] {
  const [, ...others] = files;
  const items = step?.type === 'STAGE' ? step.checklist.length : 0;
  const starting = (word: string): string[] =>
    others.filter((name) => name.startsWith(`${word}.`) || name.startsWith(`${word}/`) || name === word);
  const ordered = [
    ...starting('before'),
    ...(items > 0 ? [`checklist (${items})`] : []),
    ...['schema', 'gate', 'success', 'failure'].flatMap(starting),
  ];
  return [...ordered, ...others.filter((name) => !ordered.includes(name))];
}

function ownPhrase({ step, type }: PlanRow): string {
  const own = step === null ? [] : Object.entries(ownKeys(step));
  return [type, ...own.map(([key, value]) => `${key} ${escapeName(Array.isArray(value) ? value.join(', ') : String(value))}`)].join(' ');
}

function optionsPhrase({ options, skills, step, output }: PlanRow, plan: Plan): string {
  const model = firstModel(plan.rows);
  const own = options.model.value !== null && (options.model.value !== model?.model || options.provider.value !== model.provider);
  const phrases = [
    ...(output === null ? [] : [phrase('retries', options.retries), phrase('timeout', options.timeout)]),
    ...(options['local-context'].value === 'ignore' ? [] : [phrase('local-context', options['local-context'])]),
    ...(own ? [phrase('model', { value: `${options.provider.value}/${options.model.value}`, from: options.intelligence.from })] : []),
    ...(step?.type === 'STAGE' && step.workdir !== undefined ? [`in ${escapeName(step.workdir)}`] : []),
    ...(skills.length === 0 ? [] : [`skills ${skills.map(({ name }) => escapeName(name)).join(', ')}`]),
  ];
  return phrases.join('  ');
}

function phrase(name: string, { value, from }: ResolvedOptions[keyof ResolvedOptions]): string {
  return `${name} ${escapeName(String(value))} (${from})`;
}

/** Of many names the first three. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(escapeName).join(', ');
  return names.length > 3 ? `${shown}, +${names.length - 3}` : shown;
}

/** What a run needs beside the request. */
function slotLines({ assembly }: Plan): readonly string[] {
  return Object.entries(assembly.slots).map(([name, description]) => ` --${escapeName(name)} PATH   ${escapeName(description)}`);
}

function governanceLines(plan: Plan, { dim }: Paint): readonly string[] {
  const governed = governedBy(plan);
  if (governed === null) return [];
  const files = governed.files.map(({ path }) => escapeName(path)).join(', ');
  const over = governed.stages.length === 0 ? 'no stage' : governed.stages.join(', ');
  return [dim(` governed by ${escapeName(governed.contract)} (${files}): ${counted(governed.rules, 'rule')} over calls; ${over}`)];
}

function scopeLines({ flow, assembly }: Plan): readonly string[] {
  if (flow !== null) return [];
  return [...assembly.flows, ...assembly.subflows].map(
    ({ name, description }) => `   may call ${escapeName(name)}   ${escapeName(description)}`,
  );
}

/** Paths are shown from the flow's folder, as the rows are. */
function warningLine({ path, message, fix }: Warning, { flow }: Plan, { yellow }: Paint): string {
  const inside = flow !== null && path.startsWith(`${flow.path}/`) ? path.slice(flow.path.length + 1) : path;
  return [`${yellow('warning')}  ${escapeName(inside)}`, escapeControls(message), ...(fix === undefined ? [] : [escapeControls(fix)])].join(
    '   ',
  );
}
