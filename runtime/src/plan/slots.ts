import { resolve } from 'node:path';
import type { Assembly, Refusal } from '@gated-flow/assembly';
import type { Invocation, SlotWord } from './invocation.js';
import { nearest } from '@gated-flow/assembly';
import type { PreparePorts } from './prepare.js';
import { realPath } from './real-path.js';
import { commandInvalid, found, refused, type Resolved } from './refusal.js';

/** Slot variable → absolute, real path of what was given for it. */
export type Slots = Readonly<Record<string, string>>;

type Ports = Pick<PreparePorts, 'cwd' | 'disk' | 'env'>;

/** Gives every declared slot its path (O-7). A run needs them all and may shadow no variable that is set (A-17); a check looks only at what was given. */
export async function resolveSlots(invocation: Invocation, assembly: Assembly, ports: Ports): Promise<Resolved<Slots>> {
  const declared = Object.keys(assembly.slots);
  const refusals: Refusal[] = [];
  const slots: Record<string, string> = {};

  for (const word of invocation.slots) {
    const name = declared.find((known) => variableOf(known) === variableOf(word.name));
    if (name === undefined) refusals.push(unknownSlot(word, declared, invocation));
    else if (Object.hasOwn(slots, variableOf(name)))
      refusals.push(commandInvalid('request-invalid', `--${name} was given twice. Keep one.`));
    else {
      const path = await placeOf(name, word.path, ports);
      if (path.ok) slots[variableOf(name)] = path.value;
      else refusals.push(...path.refusals);
    }
  }
  if (invocation.purpose === 'run') {
    const typed = new Set(invocation.slots.map(({ name }) => variableOf(nearest(name, declared) ?? name)));
    refusals.push(...declared.filter((name) => !typed.has(variableOf(name))).map((name) => missingSlot(name, assembly)));
    refusals.push(...declared.filter((name) => ports.env[variableOf(name)] !== undefined).map((name) => reservedSlot(name, assembly)));
  }
  return refusals.length === 0 ? found(slots) : refused(...refusals);
}

/** The variable by which a stage sees a slot (S-1). */
function variableOf(slot: string): string {
  return slot.toUpperCase();
}

async function placeOf(name: string, typed: string | null, { cwd, disk }: Ports): Promise<Resolved<string>> {
  if (typed === null || typed === '') return refused(commandInvalid('request-invalid', `--${name} needs a path.`));
  const path = await realPath(resolve(cwd, typed), disk);
  return path === null ? refused(commandInvalid('path-missing', `--${name}: nothing is at ${typed}.`)) : found(path);
}

function unknownSlot(
  { name }: SlotWord,
  declared: readonly string[],
  { optionNames, purpose, command = `flow ${purpose}` }: Invocation,
): Refusal {
  const meant = nearest(name, [...optionNames, ...declared]);
  const slots = declared.length === 0 ? '' : ` The slots of this assembly are ${declared.map((slot) => `--${slot}`).join(', ')}.`;
  const hint = meant === undefined ? `${slots} ${command} --help lists the options.` : ` Did you mean --${meant}?`;
  return commandInvalid('request-invalid', `There is no option --${name}.${hint}`);
}

/** What was most likely meant as an option: where nothing was read, the words behind a mistyped one may have been taken for the target. */
export function mistypedOptions(invocation: Invocation): Refusal[] {
  const mistyped = invocation.slots.filter(({ name }) => nearest(name, invocation.optionNames) !== undefined);
  return mistyped.map((word) => unknownSlot(word, [], invocation));
}

function missingSlot(name: string, assembly: Assembly): Refusal {
  const description = assembly.slots[name] ?? '';
  return commandInvalid('slot-missing', `The slot ${name} (${description}) has no path. Add --${name} PATH.`);
}

function reservedSlot(name: string, assembly: Assembly): Refusal {
  return {
    code: 'slot-reserved',
    path: assembly.sentinel ?? '.',
    message: `The slot ${name} would hide the variable ${variableOf(name)}, which is set here. Unset it for the run, or rename the slot.`,
    fix: `env -u ${variableOf(name)} flow run …`,
  };
}
