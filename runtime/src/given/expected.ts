/** Whether a stage is given what it would be given in its flow. Pure. */
import { extname } from 'node:path';
import type { Arrival, Source } from '../plan/rows/arrival.js';

export interface Comparison {
  /** What is missing, as names of files, in the way that the most is there for; empty when one way is complete. */
  readonly missing: readonly string[];
  /** What nothing before the stage would have left. */
  readonly unexpected: readonly string[];
}

/** A fan-out's items may be called anything: any one file is enough for them. */
const ANY = '<id>';

export function compareGiven(arrival: Arrival, names: readonly string[]): Comparison {
  const missingOf = (way: readonly Source[]): Source[] => way.filter((source) => !names.some((name) => matches(source, name)));
  const ways = arrival.map((way) => missingOf(way)).sort((a, b) => a.length - b.length);
  const known = arrival.flat();
  return {
    missing: (ways[0] ?? []).map(spelled),
    unexpected: names.filter((name) => !known.some((source) => matches(source, name))),
  };
}

function matches({ stem, extensions }: Source, name: string): boolean {
  const extension = extname(name);
  if (stem !== ANY && name !== `${stem}${extension}`) return false;
  return extensions.includes('.*') || extensions.includes(extension);
}

function spelled({ stem, extensions: [first = '', ...others] }: Source): string {
  const extension = first === '.*' ? '.txt' : first;
  return `${stem}${extension}${others.map((other) => ` or ${stem}${other}`).join('')}`;
}
