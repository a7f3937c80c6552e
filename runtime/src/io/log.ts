import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { escapeControls } from '@gated-flow/text';
import pino from 'pino';
import pretty from 'pino-pretty';
import type { LogRequest } from '../cli/log-words.js';
import type { Io } from '../cli/command.js';
import type { Log, LogFacts, LogLevel } from '../ports/log.js';

/** The runtime's log by pino: JSON lines appended to a file, or readable lines on standard error. Secrets are withheld (S-2). */
export function openLog(request: LogRequest, io: Pick<Io, 'cwd' | 'err' | 'redactor' | 'errColor' | 'job'>): Log {
  const destination =
    request.file === undefined
      ? pretty({ destination: io.job === undefined ? 2 : guardedError(io), sync: true, colorize: io.errColor, ignore: 'pid,hostname' })
      : pino.destination({ dest: resolve(io.cwd, request.file), append: true, mkdir: true, sync: true });
  const logger = pino({ level: request.level }, destination);
  const write = (level: LogLevel) => (message: string, facts?: LogFacts) => {
    const text = escapeControls(io.redactor.text(message));
    if (facts === undefined) logger[level](text);
    else logger[level](io.redactor.json(facts), text);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** In a job the log commands nothing either (I-7). */
function guardedError({ err }: Pick<Io, 'err'>): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: unknown, _, done) {
      err(String(text));
      done();
    },
  });
}
