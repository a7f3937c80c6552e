/** Sends the spans of a run that is over to the collector that the environment names (I-10). Loaded only when it names one. */
import type { Redactor } from '@gated-flow/text';
import { createClock } from '../io/clock.js';
import { openPost } from '../io/collector.js';
import { createDisk } from '../io/disk.js';
import type { OpenRun } from '../record/find-run.js';
import { readRun } from '../record/read-run.js';
import { otlpRequests } from '../reports/otlp/document.js';
import { resourceOf } from '../reports/otlp/resource.js';
import { runSpans, traceOf } from '../reports/otlp/run-spans.js';
import { readTraceparent } from '../reports/otlp/traceparent.js';
import { sendTrace } from '../telemetry/send.js';
import { readSettings } from '../telemetry/settings.js';
import type { Io } from './command.js';

/** A sentence about what went wrong; null when nothing did. Never rejects, and takes no longer than the environment allows. */
export async function exportRun(
  outcome: { readonly run: string; readonly folder: string },
  { env }: Io,
  redactor: Redactor,
): Promise<string | null> {
  const asked = readSettings(env);
  if (asked.ask !== 'send') return asked.ask === 'off' ? null : asked.message;
  const parent = readTraceparent(env);
  if (parent !== null && !parent.sampled) return null;
  try {
    const { run: name, folder } = outcome;
    const { view } = await readRun(folder);
    if (view === null) return null;
    const run: OpenRun = { name, folder, word: name, within: [], outermost: folder };
    const source = { run, view, disk: createDisk(), redactor, alive: false };
    const { settings } = asked;
    const { version } = view.runtime;
    const envelope = {
      trace: traceOf(source, parent),
      resource: resourceOf(env, version),
      version,
      redactor,
      remote: parent?.span ?? null,
    };
    const spans = runSpans(source, { parent, contents: settings.contents });
    return await sendTrace(otlpRequests(spans, envelope), { settings, post: await openPost(env), clock: createClock() });
  } catch (error) {
    return `No traces were sent: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
