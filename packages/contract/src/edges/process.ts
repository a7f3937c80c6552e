import type { CommandIo } from '../cli/command.js';

export interface OpenProcess {
  readonly io: CommandIo;
  /** Drains both outputs and ends the process. Standard output that is full or broken makes a success exit 2; a reader that went away does not. */
  leave(exitCode: number): Promise<never>;
}

/** Null when it was removed under the shell that stands in it, or cannot be named any more. */
export function workingFolder(process: NodeJS.Process): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

export function openProcess(process: NodeJS.Process, cwd: string): OpenProcess {
  const { stdout, stderr, env } = process;
  let broken: string | null = null;
  let gone = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    gone = true;
    if (error.code !== 'EPIPE') broken ??= error.code ?? error.message;
  });
  stderr.on('error', () => {});
  return {
    io: {
      out: (text) => (gone ? Promise.resolve() : written(stdout, text)),
      err: (text) => void stderr.write(text),
      stdin: () => process.stdin,
      env,
      cwd,
      program: 'agentcontract',
    },
    async leave(exitCode) {
      await written(stdout, '');
      if (broken !== null) stderr.write(`Standard output could not be written: ${broken}.\n`);
      await written(stderr, '');
      process.exit(broken !== null ? 2 : exitCode);
    },
  };
}

function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write(text, () => resolve());
  });
}
