/** Which formats were asked for, and where each goes (I-1). Pure. */
import { join } from 'node:path';
import { nearest } from '@gated-flow/assembly';
import { FORMATS, type ReportFormat } from './formats.js';

export interface ReportWords {
  readonly format: string | undefined;
  /** A file, or a folder. */
  readonly output: string | undefined;
}

/** `file` null: standard output. */
export interface Target {
  readonly format: ReportFormat;
  readonly file: string | null;
}

export type Chosen = { readonly ok: true; readonly targets: readonly Target[] } | { readonly ok: false; readonly message: string };

export interface Asked extends ReportWords {
  /** The run as it was named, for the sentence that says what to type. */
  readonly run: string;
  /** Whether a folder stands at a path. */
  isFolder(path: string): Promise<boolean>;
}

/** One format goes to standard output, or into the file or folder named; several go into a folder. */
export async function chooseTargets({ format, output, run, isFolder }: Asked): Promise<Chosen> {
  const names = [...new Set((format ?? '').split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) return refused(`--format names what to write: ${KNOWN}. Such as flow report ${run} --format junit`);
  const formats = names.map((name) => FORMATS.find((one) => one.name === name));
  const unknown = names.find((_, index) => formats[index] === undefined);
  if (unknown !== undefined) return refused(`There is no format ${JSON.stringify(unknown)}.${meant(unknown)} There are: ${KNOWN}.`);
  const chosen = formats.flatMap((one) => (one === undefined ? [] : [one]));
  const folder = output !== undefined && (chosen.length > 1 || output.endsWith('/') || (await isFolder(output)));
  if (output === undefined && chosen.length > 1)
    return refused(`Several formats go into a folder: flow report ${run} --format ${names.join(',')} --output DIR`);
  return {
    ok: true,
    targets: chosen.map((one) => ({ format: one, file: output === undefined ? null : folder ? join(output, one.file) : output })),
  };
}

function meant(unknown: string): string {
  const name = nearest(
    unknown,
    FORMATS.map((one) => one.name),
  );
  return name === undefined ? '' : ` Did you mean ${name}?`;
}

const KNOWN = FORMATS.map(({ name }) => name).join(', ');

function refused(message: string): Chosen {
  return { ok: false, message };
}
