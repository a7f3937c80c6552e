import { headTail } from '@gated-flow/text';
import { join } from 'node:path';
import { DiskError } from '../../ports/disk.js';
import type { ProgramEnd } from '../../ports/programs.js';
import { optional, parameters, positive, text } from './parameters.js';
import { defineTool, failed, type ToolContext } from './tool.js';

const SECONDS = 120;
const SHOWN_BYTES = 30_000;
const KEPT_BYTES = 16 << 20;
/** Linux takes no longer argument. */
const COMMAND_BYTES = 120_000;

export const bash = defineTool({
  name: 'bash',
  description: [
    'Executes a shell command. It starts in $PWD with empty standard input; both outputs come back in the order they were written, then the exit code.',
    `Output over ${SHOWN_BYTES} bytes is cut in the middle and kept in a file under $TMP. Each command is a shell of its own: cd and variables do not last.`,
  ].join(' '),
  parameters: parameters({
    command: text('The command, as for bash -c.'),
    seconds: optional(positive(`Ends the command after this long. ${SECONDS} when left out.`)),
  }),
  reach: ({ command }) => ({ operation: 'bash', command }),
  async run({ command, seconds = SECONDS }, context) {
    if (command.trim() === '') return failed('The command is empty.');
    if (command.includes('\0')) return failed('The command holds a zero byte.');
    if (Buffer.byteLength(command) > COMMAND_BYTES) {
      return failed(`The command is over ${COMMAND_BYTES} bytes. Write it to a file and execute that.`);
    }
    const capture = join(context.scratch, context.ids.hex(12));
    const { end } = await execute(command, { seconds, capture }, context);
    const output = await showCapture(capture, context);
    const closing = describeEnd(end, seconds);
    return end.ended === 'exited' ? { output: `${output}${closing}`, exit: end.code } : failed(`${output}${closing}`);
  },
});

interface Attempt {
  readonly seconds: number;
  readonly capture: string;
}

/** By bash, else by sh. */
async function execute(command: string, { seconds, capture }: Attempt, context: ToolContext) {
  const request = {
    args: ['-c', command],
    cwd: context.slots['PWD'] ?? '/',
    env: context.env,
    capture,
    limitBytes: KEPT_BYTES,
    timeoutMs: Math.max(0, Math.min(seconds * 1000, context.remainingMs())),
    stop: context.stop,
    owner: context.owner,
    leaveBehind: true,
  };
  const result = await context.programs.run({ ...request, file: 'bash' });
  return result.end.ended === 'unstartable' ? context.programs.run({ ...request, file: 'sh' }) : result;
}

/** What was captured, as it is shown; what is not shown whole is kept under `$TMP`. */
async function showCapture(capture: string, { disk, redactor, ids, slots }: ToolContext): Promise<string> {
  const text = redactor.text(Buffer.from(await disk.read(capture)).toString('utf8'));
  const bytes = Buffer.from(text);
  if (bytes.length <= SHOWN_BYTES) {
    await disk.remove(capture);
    return text === '' ? '(no output)\n' : text.endsWith('\n') ? text : `${text}\n`;
  }
  const name = `output-${ids.hex(6)}.txt`;
  const where = (await keep(disk.rename(capture, join(slots['TMP'] ?? '/', name))))
    ? `the whole is in $TMP/${name}`
    : 'the whole could not be kept';
  const view = headTail(bytes, SHOWN_BYTES, (original, omitted) => `[${original} bytes of output, ${omitted} left out here; ${where}]`);
  const shown = Buffer.from(view).toString('utf8');
  return shown.endsWith('\n') ? shown : `${shown}\n`;
}

/** `$TMP` is the agent's own: when it is gone, that is no fault of the machinery. */
async function keep(moving: Promise<void>): Promise<boolean> {
  try {
    await moving;
    return true;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}

function describeEnd(end: ProgramEnd, seconds: number): string {
  switch (end.ended) {
    case 'exited':
      return `[exit code ${end.code}]`;
    case 'signalled':
      return `[ended by ${end.signal}]`;
    case 'timeout':
      return `[not finished after ${seconds} seconds, and ended]`;
    case 'overflow':
      return `[more than ${KEPT_BYTES} bytes of output, and ended; only the first ${KEPT_BYTES} are kept]`;
    case 'stopped':
      return '[ended before it was finished]';
    case 'unstartable':
      return '[The command could not be started. Does $PWD still exist?]';
  }
}
