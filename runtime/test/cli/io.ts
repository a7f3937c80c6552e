import { createRedactor, secretValues } from '@gated-flow/text';
import type { Io } from '../../src/cli/command.js';
import { openConfigs } from '../../src/io/home-config.js';

export interface FakeIo extends Io {
  /** Everything written to standard output so far. */
  printed(): string;
  /** Everything written to standard error so far. */
  said(): string;
}

/** No terminal, nothing on standard input, an environment of its own. */
export function fakeIo(more: Partial<Io> = {}): FakeIo {
  const out: string[] = [];
  const err: string[] = [];
  const silent = () => {};
  return {
    out: (bytes) => {
      out.push(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString());
      return Promise.resolve();
    },
    err: (text) => void err.push(text),
    stdin: () => chunks(),
    env: {},
    readConfig: openConfigs(),
    redactor: createRedactor(secretValues(more.env ?? {}, [])),
    cwd: '/',
    inIsTerminal: false,
    outIsTerminal: false,
    errIsTerminal: false,
    outColor: false,
    errColor: false,
    errLive: false,
    width: 80,
    outClosed: new AbortController().signal,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...more,
    printed: () => out.join(''),
    said: () => err.join(''),
  };
}

export async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}
