/** Our own loop, probed in process: a harmless canary on every surface, each of which a contract denies (V-10). */
import { join } from 'node:path';
import { GOVERNANCE_FILE, readAssembly } from '@gated-flow/assembly';
import type { Fact } from '@gated-flow/record';
import { runPrepared } from '../../main.js';
import { openScript } from '../../models/scripted/model.js';
import { readScript } from '../../models/scripted/read.js';
import { loadConfig } from '../../plan/config/load.js';
import { prepare } from '../../plan/prepare.js';
import { openHome } from '../../record/home.js';
import type { Machine } from '../../run/machine.js';
import { BUILT_IN, type Probe, probeOf, type Surface } from './kept.js';

const CANARY = 'canary-4f1d';

const deny = { decision: 'deny', reason: 'A canary.' } as const;
const CONTRACT = {
  ...{ schema_version: '0.1', contract_type: 'governance', contract_name: 'canary', lane: 'own' },
  stages: {
    prompt_stage: { routes: [{ id: 'canary', match: CANARY, risk_level: 'R1' }] },
    pre_tool: { rules: [{ id: 'bash', tool: 'bash', program: 'touch', ...deny }] },
    schema_aware_file_tool: { rules: [{ id: 'files', tool: 'read|write|edit', path: '**/denied-*', ...deny }] },
    memory_access: { lanes: { own: { paths: ['memory/own/**'] }, other: { paths: ['memory/other/**'] } } },
    external_research: {},
    final_claim: { terms: [CANARY], decision: 'block' },
  },
};

const FILES: Readonly<Record<string, string>> = {
  'a/ASSEMBLY.md': '---\n---\nProbe.\n',
  [`a/${GOVERNANCE_FILE}`]: JSON.stringify(CONTRACT),
  'a/flows/probe/FLOW.md': '---\ndescription: A probe\n---\n',
  'a/flows/probe/01-canary.md': `---\nretries: 1\n---\nTry the ${CANARY}.\n`,
  'work/denied-read': CANARY,
  'work/denied-edit': 'before',
  'work/memory/other/note': CANARY,
};

const CALLS: readonly (readonly [string, object])[] = [
  ['bash', { command: 'touch made-by-bash' }],
  ['read', { path: 'denied-read' }],
  ['write', { path: 'denied-write', content: 'x' }],
  ['edit', { path: 'denied-edit', old: 'before', new: 'after' }],
  ['read', { path: 'memory/other/note' }],
  ['write', { path: '$OUTPUT', content: 'Nothing.' }],
];

const SCRIPT = [
  ...CALLS.map(([tool, input]) => ({ stage: '01-canary', calls: [{ tool, input }] })),
  { stage: '01-canary', text: 'done' },
  { stage: '01-canary', calls: [{ tool: 'cite', input: { claim: 'A canary.', source: 'canary', retrieved: '2026-01-01' } }] },
  { stage: '01-canary', calls: [{ tool: 'write', input: { path: '$OUTPUT', content: `The ${CANARY} sings.` } }] },
  { stage: '01-canary', text: 'done' },
];

/** Runs in a temporary folder with a home of its own, and takes it away. Rejects with a DiskError. */
export async function probeBuiltIn(machine: Machine): Promise<Probe> {
  const { disk, clock, ids, version } = machine;
  const folder = join(machine.temporary, `flow-probe-${ids.hex(12)}`);
  try {
    for (const [path, text] of Object.entries(FILES)) await disk.write(join(folder, path), text);
    const seen = await observe(folder, machine);
    const at = new Date(clock.now()).toISOString();
    return probeOf({ row: BUILT_IN, version, at, seen: (surface) => (seen.has(surface) ? 'observed' : 'unverified') });
  } finally {
    await disk.remove(folder);
  }
}

/** What was denied and did not happen. */
async function observe(folder: string, machine: Machine): Promise<ReadonlySet<Surface>> {
  const env = { PATH: machine.env['PATH'] ?? '/usr/bin:/bin', HOME: folder };
  const alone: Machine = { ...machine, env };
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  const prepared = await prepare(
    {
      ...{ purpose: 'run', target: join(folder, 'a'), home, in: work, models: 'scripted', route: false },
      ...{ request: { words: [], none: true }, slots: [], optionNames: [], options: {} },
    },
    {
      ...{
        env,
        cwd: work,
        disk: machine.disk,
        readConfig: (home) => loadConfig(home, machine.disk),
        readAssembly,
        discover: () => Promise.resolve(null),
      },
      stdin: { isTerminal: true, read: () => Promise.resolve(new Uint8Array()), notice: () => {} },
    },
  );
  const script = readScript(SCRIPT.map((line) => JSON.stringify(line)).join('\n'));
  if (!prepared.ok || !script.ok) throw new Error('the probe cannot be prepared');
  if ((await openHome(home, machine)) !== null) throw new Error('the probe has no home');
  const played = openScript(script.script, { clock: machine.clock });
  const facts: Fact[] = [];
  const openModels = () => {
    const model = played.model();
    return () => model;
  };
  const ran = await runPrepared(prepared, { source: 'scripted', openModels, onFact: (fact) => void facts.push(fact) }, alone);
  if (!ran.ok) throw new Error('the probe was refused');

  const stands = async (path: string): Promise<boolean> => (await machine.disk.look(join(work, path))) !== null;
  const session = await text(join(ran.outcome.folder, 'stages/01-canary/1/session.jsonl'), machine);
  const denied = (stage: string, tool?: string): boolean =>
    facts.some(
      (fact) => fact.event === 'governance' && fact.stage_name === stage && ['deny', 'block'].includes(fact.decision) && fact.tool === tool,
    );
  const told = !session.includes(`"output":"${CANARY}`);
  const results: Readonly<Record<Surface, boolean>> = {
    bash: denied('pre_tool', 'bash') && !(await stands('made-by-bash')),
    read: denied('schema_aware_file_tool', 'read') && told,
    write: denied('schema_aware_file_tool', 'write') && !(await stands('denied-write')),
    edit: denied('schema_aware_file_tool', 'edit') && (await text(join(work, 'denied-edit'), machine)) === 'before',
    memory: denied('memory_access', 'read') && told,
    cite: denied('external_research') && facts.some((fact) => fact.event === 'check' && fact.check === 'claim' && fact.exit === 1),
    'final claim': denied('final_claim') && ran.outcome.ending.cause === 'rejected',
    receipt: before(
      facts,
      (fact) => fact.event === 'governance' && fact.stage_name === 'prompt_stage',
      (fact) => fact.event === 'prompt',
    ),
  };
  return new Set(Object.entries(results).flatMap(([surface, seen]) => (seen && isSurface(surface) ? [surface] : [])));

  function isSurface(name: string): name is Surface {
    return Object.hasOwn(results, name);
  }
}

async function text(path: string, { disk }: Machine): Promise<string> {
  return Buffer.from(await disk.readHead(path, 1024 * 1024)).toString('utf8');
}

function before(facts: readonly Fact[], first: (fact: Fact) => boolean, second: (fact: Fact) => boolean): boolean {
  const at = facts.findIndex(first);
  return at !== -1 && at < facts.findIndex(second);
}
