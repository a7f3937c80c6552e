/** What checks and hooks said, for reports: bounded, without secrets, and known to be what the record says. */
import { type CheckView, hashLine, type HookView } from '@gated-flow/record';
import { escapeControls } from '@gated-flow/text';
import { type Captures, saidText } from '../views/said.js';
import type { ReportSource, RunPart } from './source.js';

const SAID_BYTES = 4_000;

export interface Words {
  /** The text of a capture; a sentence in brackets when it is missing. No control characters but line feeds and tabs. */
  said(part: RunPart, program: CheckView | HookView): Promise<string>;
  /** The same of any other text. */
  clean(text: string): string;
  /** How many captures were missing or not what the record says. */
  altered(): number;
}

export function openWords({ disk, redactor }: Pick<ReportSource, 'disk' | 'redactor'>): Words {
  const altered = new Set<string>();
  const clean = (text: string): string => escapeControls(redactor.text(text));
  return {
    clean,
    async said({ run }, { capture, capture_sha256 }) {
      const captures: Captures = { folder: run.folder, disk, redactor };
      const said = await saidText(capture, SAID_BYTES, captures);
      if (said !== null && hashLine(said.bytes) === capture_sha256) return clean(said.text).trimEnd();
      altered.add(`${run.folder}/${capture}`);
      return said === null ? '(what it said is missing from the run)' : `(altered since)\n${clean(said.text).trimEnd()}`;
    },
    altered: () => altered.size,
  };
}

/** The first line that says something, at most 200 characters. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return line.trim().length > 200 ? `${line.trim().slice(0, 199)}…` : line.trim();
}
