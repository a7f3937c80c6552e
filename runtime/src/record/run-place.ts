import { join } from 'node:path';

/** Where a run of a home stands. The lock and the groups stand beside the folder, so that a copied folder carries no claim to be alive. */
export interface RunPlace {
  /** `2026-07-30T14-22-08-a3f9`. */
  readonly name: string;
  readonly folder: string;
  readonly lock: string;
  readonly groups: string;
  /** Held by a command that clears away what the run left behind. */
  readonly sweep: string;
}

export function runPlace(home: string, name: string): RunPlace {
  const folder = join(home, 'runs', name);
  return { name, folder, lock: `${folder}.lock`, groups: `${folder}.groups.jsonl`, sweep: `${folder}.sweep` };
}

/** The UTC second and four hex digits (O-6). */
export function runName(now: number, hex: string): string {
  return `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}-${hex}`;
}

const NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-[0-9a-f]{4}$/;

export function isRunName(text: string): boolean {
  return NAME.test(text);
}
