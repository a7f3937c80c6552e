import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor, secretValues } from '@gated-flow/text';
import type { Io } from '../../src/cli/command.js';
import { main } from '../../src/cli/main.js';
import { SILENT } from '../../src/io/standard.js';
import { openConfigs } from '../../src/io/home-config.js';

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly bytes: Buffer;
  readonly err: string;
}

/** A home in a folder of its own, and commands run in it. */
export function atHome() {
  const root = mkdtempSync(join(tmpdir(), 'readings-'));
  const home = join(root, 'home');
  mkdirSync(join(home, 'runs'), { recursive: true });
  const flow = async (words: readonly string[], more: Partial<Io> = {}): Promise<Answer> => {
    const out: Uint8Array[] = [];
    let err = '';
    const io: Io = {
      out: async (bytes) => void out.push(typeof bytes === 'string' ? Buffer.from(bytes) : Uint8Array.from(bytes)),
      err: (text) => void (err += text),
      stdin: () => {
        throw new Error('a reading command reads no standard input');
      },
      env: { FLOW_HOME: home },
      readConfig: openConfigs(),
      redactor: createRedactor(secretValues(more.env ?? {}, [])),
      cwd: root,
      ...{ inIsTerminal: false, outIsTerminal: false, errIsTerminal: false, outColor: false, errColor: false, errLive: false, width: 120 },
      outClosed: new AbortController().signal,
      log: SILENT,
      ...more,
    };
    const code = await main(words, io);
    const bytes = Buffer.concat(out);
    return { code, out: bytes.toString(), bytes, err };
  };
  return {
    root,
    home,
    flow,
    /** Puts a planted run in the home under this name. */
    keep(name: string, plant: (folder: string) => void): string {
      const folder = join(home, 'runs', name);
      const made = join(root, 'made');
      plant(made);
      renameSync(made, folder);
      return folder;
    },
    lock: (name: string, text: string) => writeFileSync(join(home, 'runs', `${name}.lock`), text),
    done: () => rmSync(root, { recursive: true }),
  };
}
