/** What a stage's agent gets done by its helpers: child runs, and in `$SUBFLOWS` what they were given and what they left (G-7). */
import { extname, join } from 'node:path';
import type { Flow } from '@gated-flow/assembly';
import { boundedView, cutText, isUtf8 } from '@gated-flow/text';
import type { AgentClock } from '../agent/clock.js';
import { onDisk } from '../agent/tools/disk-trouble.js';
import { placeOf } from '../agent/tools/place.js';
import { failed, type HelperCall, type ToolContext, type ToolOutput } from '../agent/tools/tool.js';
import type { ChildEnded, ChildRequest } from './children.js';
import type { Progress } from './progress.js';
import type { StageScope } from './scope.js';

/** What a helper may be asked, in bytes: as much as a run (O-3). */
const REQUEST_BYTES = 4 * 1024 * 1024;
/** What of an output is told along with the result; the rest is in the file. */
const INLINE_BYTES = 10_000;

export interface HelperDesk {
  readonly scope: StageScope;
  readonly progress: Progress;
  /** Stands still while helpers work (L-5). */
  readonly clock: AgentClock;
}

/** Runs a batch at once and words what came of it, in the order of the calls. Nothing is started when one cannot be read. */
export async function callHelpers(desk: HelperDesk, calls: readonly HelperCall[], context: ToolContext): Promise<ToolOutput> {
  const asked: { flow: Flow; request: ChildRequest }[] = [];
  for (const call of calls) {
    const request = await requestOf(call, context);
    if ('output' in request) return { ...request, output: `${request.output} Nothing was started.` };
    asked.push({ flow: flowNamed(desk.scope, call.flow), request });
  }
  await holdFolder(desk.scope);
  const first = desk.progress.children + 1;
  desk.progress.children += asked.length;
  desk.clock.pause();
  try {
    // All are waited for even when one cannot be recorded: nothing of them may follow the stage's end.
    const answers = await Promise.allSettled(asked.map((one, index) => askOne(desk, { ...one, n: first + index })));
    return { output: answers.map(fulfilled).join('\n\n') };
  } finally {
    desk.clock.start();
  }
}

function fulfilled<T>(answer: PromiseSettledResult<T>): T {
  if (answer.status === 'rejected') throw answer.reason;
  return answer.value;
}

function flowNamed({ helpers }: StageScope, name: string): Flow {
  const flow = helpers.find((helper) => helper.name === name);
  if (!flow) throw new Error(`${name} is not in scope`);
  return flow;
}

async function requestOf({ input }: HelperCall, { slots, disk }: ToolContext): Promise<ChildRequest | ToolOutput> {
  if ('text' in input) return limited({ name: 'request.txt', bytes: Buffer.from(input.text) }, 'The input');
  const place = placeOf(input.path, slots);
  if (!place.ok) return failed(place.message);
  const read: { request?: ChildRequest } = {};
  const trouble = await onDisk(place.shown, async () => {
    const size = (await disk.look((await disk.real(place.path)) ?? place.path))?.size ?? 0;
    if (size > REQUEST_BYTES) return failed(tooMuch(place.shown, size));
    read.request = { name: `request${extensionOf(place.path)}`, bytes: await disk.read(place.path) };
    return { output: '' };
  });
  return read.request ? limited(read.request, place.shown) : trouble;
}

function limited(request: ChildRequest, what: string): ChildRequest | ToolOutput {
  return request.bytes.length <= REQUEST_BYTES ? request : failed(tooMuch(what, request.bytes.length));
}

function tooMuch(what: string, bytes: number): string {
  return `${what} has ${bytes} bytes; a helper can be given ${REQUEST_BYTES}.`;
}

/** As a run's request: `.txt` unless the extension is ASCII letters and digits (O-3). */
function extensionOf(path: string): string {
  const extension = extname(path);
  return /^\.[A-Za-z0-9]+$/.test(extension) ? extension : '.txt';
}

async function askOne(desk: HelperDesk, { flow, request, n }: { flow: Flow; request: ChildRequest; n: number }): Promise<string> {
  const { scope, progress } = desk;
  const { disk } = scope.ports;
  const folder = join(scope.subflows, String(n));
  await disk.remove(folder);
  await disk.makeFolder(folder);
  await disk.write(join(folder, `input${extname(request.name)}`), request.bytes);
  const ended = await scope.children.run({ flow, caller: { ...scope.where, retry: progress.attempt }, n, request });
  return `${n}. ${flow.name}: ${await answerOf(desk, folder, ended)}`;
}

/** `$SUBFLOWS` is a folder again, whatever the agent has put in its place: nothing is written where a link of its own leads. */
async function holdFolder({ subflows, ports: { disk } }: StageScope): Promise<void> {
  if ((await disk.look(subflows))?.kind === 'folder') return;
  await disk.remove(subflows);
  await disk.makeFolder(subflows);
}

async function answerOf({ scope }: HelperDesk, folder: string, { cause, words, output }: ChildEnded): Promise<string> {
  if (output === null)
    return words === undefined ? cause : `${cause}. ${boundedView(Buffer.from(scope.redactor.text(words)), INLINE_BYTES)}`;
  const name = `output${extname(output.file)}`;
  const copy = join(folder, name);
  await scope.ports.disk.copy(output.file, copy);
  const shown = `$SUBFLOWS/${folder.slice(scope.subflows.length + 1)}/${name}`;
  return `${cause}, ${shown}, ${output.bytes} bytes.\n${await contentOf(scope, copy, output.bytes)}`;
}

/** All of a small text; of a large one the beginning, marked as that. */
async function contentOf({ ports: { disk }, redactor }: StageScope, file: string, bytes: number): Promise<string> {
  const head = await disk.readHead(file, 2 * INLINE_BYTES);
  const text = Buffer.from(head).toString('utf8');
  const cut = head.length < bytes;
  if (!isUtf8(cut ? wholeCharacters(head) : head)) return 'It is not text.';
  const clean = redactor.text(text);
  if (!cut && Buffer.byteLength(clean) <= INLINE_BYTES) return clean;
  const start = cutText(clean, INLINE_BYTES);
  return `${start}\n[These are the first ${Buffer.byteLength(start)} of ${bytes} bytes. The rest is in the file.]`;
}

/** Without the last character, which the cut may have torn. */
function wholeCharacters(head: Uint8Array): Uint8Array {
  let end = head.length;
  while (end > 0 && end > head.length - 4 && ((head[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, Math.max(0, end - 1));
}
