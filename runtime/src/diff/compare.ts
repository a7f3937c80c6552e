/** What of two runs, and of two stages, is different. Times are no difference, nor are the names of runs and folders. Pure. */
import type { ContainerView, RunView, StageView } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { cost, roundTitle, tokens } from '../views/figures.js';
import { checkTitle } from '../views/said.js';

/** One thing that is compared, in words; null where there is none. */
export interface Difference {
  readonly field: string;
  readonly a: string | null;
  readonly b: string | null;
}

type Field = readonly [name: string, a: string | null, b: string | null];

export function runDifferences(a: RunView, b: RunView): readonly Difference[] {
  return differing([
    ['flow', a.flow, b.flow],
    ['assembly', short(a.assembly_hash), short(b.assembly_hash)],
    ['request', `${short(a.request.sha256)}, ${a.request.bytes} bytes`, `${short(b.request.sha256)}, ${b.request.bytes} bytes`],
    ['models', a.model_source, b.model_source],
    ['ending', endingOf(a), endingOf(b)],
    ['cost', usageOf(a.usage), usageOf(b.usage)],
  ]);
}

/** Containers are compared by what they came to, not by how long it took or what was said of it. */
export function containerDifferences(a: readonly ContainerView[], b: readonly ContainerView[]): readonly Difference[] {
  const [ofA, ofB] = [byPlace(a), byPlace(b)];
  return differing([...new Set([...ofA.keys(), ...ofB.keys()])].map((place) => [place, ofA.get(place) ?? null, ofB.get(place) ?? null]));
}

export function stageDifferences(a: StageView, b: StageView): readonly Difference[] {
  const made: Field[] = [
    ['place', placeOf(a), placeOf(b)],
    ['ending', verdictOf(a), verdictOf(b)],
    ['cost', usageOf(a.usage), usageOf(b.usage)],
  ];
  // What was carried over was not worked on here: what it received and was held to stands in the run that it is from.
  if (a.state === 'carried' || b.state === 'carried') return differing(made);
  const keys = [...new Set([...Object.keys(a.options), ...Object.keys(b.options)])];
  return differing([
    ...made,
    ['rounds', counted(roundsOf(a), 'round'), counted(roundsOf(b), 'round')],
    ...checkFields(a, b),
    ['received', receivedOf(a), receivedOf(b)],
    ['models', a.models.join(', ') || null, b.models.join(', ') || null],
    ...keys.map((key): Field => [key, optionOf(a, key), optionOf(b, key)]).filter(([, was, is]) => valueOf(was) !== valueOf(is)),
  ]);
}

export function placeOf({ stage, repeat }: Pick<StageView, 'stage' | 'repeat'>): string {
  return repeat === undefined ? stage : `${stage} (${repeat})`;
}

/** How it ended, and what said no. */
export function verdictOf({ state, ending, from }: StageView): string {
  if (ending === null) return state === 'running' ? 'not ended' : `${state} from ${from ?? 'another run'}`;
  const how = state === 'ended' ? ending.cause : `${ending.cause}, ${state}`;
  return ending.failed === undefined ? how : `${how} at ${ending.failed}`;
}

function roundsOf({ rounds }: StageView): number {
  return rounds.filter(({ round }) => round > 0).length;
}

export function usageOf({ turns, input, output, cost_usd: usd }: RunView['usage']): string {
  return turns === 0 ? 'nothing' : `${tokens(input)} in, ${tokens(output)} out, ${cost(usd)}`;
}

export function endingOf({ ending }: RunView): string {
  if (ending === null) return 'not ended';
  return ending.stage === undefined ? ending.cause : `${ending.cause} at ${ending.stage}`;
}

export function short(sha256: string): string {
  return sha256.slice(0, 12);
}

/** Round by round what said no; a round in which all was well in both is not told. */
function checkFields(a: StageView, b: StageView): Field[] {
  const count = Math.max(a.rounds.length, b.rounds.length);
  return Array.from({ length: count }, (_, index): Field => {
    const title = roundTitle((a.rounds[index] ?? b.rounds[index])?.round ?? index + 1);
    return [title, roundOf(a, index), roundOf(b, index)];
  });
}

function roundOf({ rounds }: StageView, index: number): string | null {
  const round = rounds[index];
  if (round === undefined) return null;
  const failed = round.checks.filter(({ passed }) => !passed).map(checkTitle);
  return failed.length === 0 ? round.verdict : `${failed.join(', ')} said no`;
}

function receivedOf({ received }: StageView): string {
  return received.length === 0 ? 'nothing' : received.map(({ name, sha256 }) => `${name} ${short(sha256)}`).join(', ');
}

function optionOf({ options }: StageView, key: string): string | null {
  const option = options[key];
  if (option === undefined || option.value === null) return null;
  return `${typeof option.value === 'string' ? option.value : JSON.stringify(option.value)} (${option.from})`;
}

/** Which rung a value is from does not make it another. */
function valueOf(option: string | null): string | null {
  return option?.replace(/ \([a-z]+\)$/, '') ?? null;
}

function byPlace(containers: readonly ContainerView[]): Map<string, string> {
  return new Map(containers.map((view) => [placeOf(view), containerOf(view)]));
}

function containerOf(view: ContainerView): string {
  switch (view.type) {
    case 'CHOOSE':
      return `chose ${view.chose} over ${view.declined.join(', ')}`;
    case 'LOOP':
      return `${counted(view.repeats, 'repeat')}, ended by ${view.ended_by}`;
    case 'PARALLEL':
      return Object.entries(view.branches)
        .map(([name, cause]) => `${name} ${cause}`)
        .join(', ');
    case 'FANOUT':
      return `${counted(view.items, 'item')}, ${view.cause ?? 'not over'}`;
  }
}

function differing(fields: readonly Field[]): Difference[] {
  return fields.flatMap(([field, a, b]) => (a === b ? [] : [{ field, a, b }]));
}
