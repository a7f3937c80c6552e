import { FORMATS } from '../reports/formats.js';
import { resourceOf } from '../reports/otlp/resource.js';
import { partsOf } from '../reports/source.js';
import { openWords } from '../reports/words.js';
import { commandInvalid } from '../plan/refusal.js';
import { type NoRun, openRun, type ReadSurroundings } from './open-run.js';

/** The text of the report, in pieces. Secrets are masked (S-2). */
export type ReportResult = { readonly ok: true; readonly text: AsyncIterable<string> } | NoRun;

export interface ReportAsked extends ReadSurroundings {
  /** As `flow report --format` names it: `junit`, `github`, `markdown`, `otlp` or `runlog`. */
  readonly format: string;
  /** In `otlp` also what was said and what tools were given and answered. */
  readonly contents?: boolean;
  /** Absolute: in `github`, files are named as the repository that stands here names them; else `cwd`. */
  readonly repository?: string;
}

/** Writes a run for CI, a pull request or a collector of traces (I-1, I-10). */
export async function report(run: string, asked: ReportAsked): Promise<ReportResult> {
  const format = FORMATS.find(({ name }) => name === asked.format);
  if (format === undefined) {
    const known = FORMATS.map(({ name }) => name).join(', ');
    return { ok: false, refusals: [commandInvalid('value-invalid', `There is no format ${asked.format}. There are: ${known}.`)] };
  }
  const opened = await openRun(run, asked);
  if (!opened.ok) return opened;
  const source = opened.value;
  const { version } = source.view.runtime;
  const text = format.write({
    ...source,
    words: openWords(source),
    parts: () => partsOf(source, () => {}),
    ...{ repository: asked.repository ?? asked.cwd, resource: resourceOf(asked.env, version), version },
    contents: asked.contents === true,
  });
  return { ok: true, text };
}
