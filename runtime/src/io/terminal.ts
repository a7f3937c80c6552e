import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** The terminal of this process, whatever its standard streams are. */
export interface Terminal {
  write(text: string): void;
  /** The next line; null at the end of the input, and once the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | null>;
  close(): void;
}

/** What was typed before the question is not its answer: it is read for this long and dropped, in milliseconds. */
const TYPED_AHEAD_MS = 100;

/** Null where the process has no terminal. */
export async function openTerminal(): Promise<Terminal | null> {
  const fd = opened();
  if (fd === null) return null;
  const input = new ReadStream(fd);
  let text = '';
  let ended = false;
  let wake = (): void => {};
  input.setEncoding('utf8');
  input.on('data', (piece: string | Buffer) => {
    text += piece.toString();
    wake();
  });
  const end = (): void => {
    ended = true;
    wake();
  };
  input.on('end', end);
  input.on('error', end);
  await new Promise((resolve) => setTimeout(resolve, TYPED_AHEAD_MS));
  text = '';
  return {
    write: (shown) => void writeSync(fd, shown),
    async readLine(signal) {
      for (;;) {
        const at = text.indexOf('\n');
        if (signal.aborted || (ended && at === -1)) return null;
        if (at !== -1) {
          const line = text.slice(0, at);
          text = text.slice(at + 1);
          return line;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },
    close: () => void input.destroy(),
  };
}

function opened(): number | null {
  let fd: number | null = null;
  try {
    fd = openSync('/dev/tty', 'r+');
    // Opened, but lost: it cannot be written to.
    writeSync(fd, '');
    return fd;
  } catch {
    if (fd !== null) closeSync(fd);
    return null;
  }
}
