/** One stage alone, on given files or on what a past run gave it: a run like any other, from its words to its outcome (I-1). */
import { resolve } from 'node:path';
import { join } from 'node:path';
import { type Flow, type Refusal, type Stage, stagesOf } from '@gated-flow/assembly';
import type { ModelSource } from '@gated-flow/record';
import { fixtureInput } from '../gate/fixtures.js';
import type { ModelWords } from '../models/choose.js';
import { homePath } from '../plan/home.js';
import { present } from '../plan/options/inheritable.js';
import type { Prepared } from '../plan/prepare.js';
import { commandInvalid, found, refused, type Resolved } from '../plan/refusal.js';
import { arrivalAt } from '../plan/rows/arrival-at.js';
import { type Called, performCall, prepareCall, type Watchers, type World } from '../run/call.js';
import { askAgain, type NewWords } from '../run/donor/ask-again.js';
import type { Donor, NoDonor } from '../run/donor/donor.js';
import { openOriginal } from '../run/donor/open-original.js';
import { refuseGone } from '../run/donor/refuse-gone.js';
import { type WorkingTree, workingTree } from '../run/donor/working-tree.js';
import type { RunWishes } from '../run/wishes.js';
import type { Given } from '../stage/scope.js';
import { compareGiven } from './expected.js';
import { readGivenFolder } from './folder.js';
import { givenByRun } from './from-run.js';
import { FROM_FILES } from './place.js';

export interface StageCall<W extends Watchers = Watchers> {
  /** The stage's folder or file, as typed. */
  readonly target: string;
  readonly words: Omit<NewWords, 'assembly'>;
  /** `--input`: a folder of what it is given, as typed. */
  readonly input?: string;
  /** `--from`: a run that gave it something once; `--at` says where in it. */
  readonly from?: string;
  readonly at?: string;
  readonly models: ModelWords;
  readonly wishes: RunWishes;
  watch?(prepared: Prepared, source: ModelSource): Promise<W> | W;
  /** Told a sentence before the run begins. */
  notice?(sentence: string): void;
}

export type StageCalled<W extends Watchers = Watchers> = Called<W> | NoDonor;

/** Rejects with a DiskError, or the system's error, only when the past run could not be read or no run could be born. */
export async function callStage<W extends Watchers>(call: StageCall<W>, world: World): Promise<StageCalled<W>> {
  const { words, from } = call;
  const { disk, env } = world.calm;
  const clash = twoWays(call);
  if (clash !== null) return refused(clash);
  const home = homePath({ env, cwd: world.cwd }, words.home);
  const opened = from === undefined ? null : await openOriginal(from, { home, cwd: world.cwd, ...world.calm });
  if (opened?.ok === false) return opened;
  const donor = opened?.donor ?? null;
  const tree: Partial<WorkingTree> = words.in === undefined && donor !== null ? await workingTree(donor, disk) : present({ in: words.in });
  const gone = donor === null || tree.in === undefined ? null : await refuseGone(donor, { assembly: call.target, in: tree.in }, disk);
  if (gone !== null) return gone;

  const prepared = await prepareStage(call, { donor, tree }, world);
  if (!prepared.ok) return prepared;
  const alone = stageAlone(prepared);
  if (!alone.ok) return alone;
  const given = await givenTo(alone.value, { call, donor, prepared }, world);
  if (!given.ok) return given;
  const wishes = tree.isolate === undefined ? call.wishes : { ...call.wishes, isolate: call.wishes.isolate ?? tree.isolate };
  const asked = { ...prepared.asked, stage: alone.value.stage.path, given: donor?.name ?? FROM_FILES };
  return performCall({ ...prepared, asked }, { ...call, wishes, continuing: { given: given.value } }, world);
}

function twoWays({ input, from, at }: StageCall): Refusal | null {
  if (input !== undefined && from !== undefined)
    return commandInvalid('request-invalid', 'The input was given twice: by --input and by --from. Keep one.');
  return at !== undefined && from === undefined
    ? commandInvalid('request-invalid', '--at says where in a run, and --from says in which. Add --from RUN.')
    : null;
}

/** The slots, the options and the working tree are those of the past run, under what is said anew. */
function prepareStage(
  { target, words, models }: StageCall,
  { donor, tree }: { readonly donor: Donor | null; readonly tree: Partial<WorkingTree> },
  world: World,
) {
  const about = { target, request: { words: [], none: true }, route: false, purpose: 'run', models: models.kind } as const;
  const asked =
    donor === null || tree.in === undefined ? { ...words, ...present({ in: tree.in }) } : askAgain(donor, { ...words, in: tree.in });
  return prepareCall({ ...asked, ...about }, world);
}

interface Alone {
  readonly flow: Flow;
  readonly stage: Stage;
}

function stageAlone({ plan: { flow, whole, assembly } }: Prepared): Resolved<Alone> {
  const [step, ...others] = flow?.steps ?? [];
  if (whole !== null && step?.type === 'STAGE' && others.length === 0) return found({ flow: whole, stage: step });
  const entries = (flow === null ? assembly.flows : [flow]).flatMap((one) => stagesOf(one)).map(({ entry }) => entry);
  const named = `${entries.slice(0, 10).join(', ')}${entries.length > 10 ? ', …' : ''}`;
  return refused(commandInvalid('request-invalid', `One stage runs alone, and there are ${entries.length} here. Name one: ${named}.`));
}

/** What the stage is given, with a notice of what nothing before it would have left; refused when something is missing. */
async function givenTo(
  { flow, stage }: Alone,
  { call, donor, prepared }: { readonly call: StageCall; readonly donor: Donor | null; readonly prepared: Prepared },
  { cwd, calm: { disk } }: World,
): Promise<Resolved<readonly Given[]>> {
  const { assembly, source } = prepared.plan;
  const given = await sourceOf();
  if (!given.ok) return given;
  const scope = { find: (name: string) => [...flow.subflows, ...assembly.subflows].find((subflow) => subflow.name === name) };
  const { missing, unexpected } = compareGiven(
    arrivalAt(flow, stage.path, scope),
    given.value.map(({ name }) => name),
  );
  if (missing.length > 0) return refused(missingInput(stage, missing, call));
  if (unexpected.length > 0)
    call.notice?.(`${stage.path} is given ${unexpected.join(', ')}, which nothing before it in the flow would leave.`);
  return given;

  async function sourceOf(): Promise<Resolved<readonly Given[]>> {
    if (call.input !== undefined) return readGivenFolder(resolve(cwd, call.input), call.input, disk);
    if (donor === null) {
      const fixtures = await fixtureInput(join(source, stage.entry), disk);
      if (fixtures.ok && fixtures.value.length > 0) call.notice?.(`${stage.path} is given what stands in its .fixtures/input/.`);
      return fixtures;
    }
    const taken = await givenByRun(donor, { flow: flow.name, stage: stage.path, ...present({ at: call.at }) }, disk);
    return taken.ok ? found(taken.given) : taken;
  }
}

function missingInput({ path }: Stage, missing: readonly string[], { input, from }: StageCall): Refusal {
  const where = input === undefined ? (from === undefined ? '' : ` The run ${from} did not give it that.`) : ` ${input} does not hold it.`;
  const how = 'Put it into a folder and say --input DIR, or say --from RUN for what a past run gave it.';
  return commandInvalid('path-missing', `${path} is missing ${missing.join(' and ')}.${where} ${how}`);
}
