import { randomBytes } from 'node:crypto';
import { closeSync, constants as files, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { getSystemErrorName } from 'node:util';
import type { Containment } from '../../ports/containment.js';
import type { ProgramEnd, ProgramRequest } from '../../ports/programs.js';
import { makeFolders } from '../disk/folder.js';
import { asDiskError } from '../disk/guard.js';
import type { Command } from './spawn.js';
import { explainUnstartable } from './unstartable.js';

const REPORT_BYTES = 1 << 16;

/**
 * A program by way of its launcher (I-13). What the launcher is told is handed over in a file without a name, so that no process inside
 * can read it off a command line; its complaints, and how the program ended, come back in another one, so that the capture has the
 * program's own bytes alone. The launcher's environment is empty: whoever looks for the run's marker does not take it for the program.
 * Throws a DiskError.
 */
export function containedCommand(request: ProgramRequest, within: Containment, fd: number): Command {
  const { launcher, scratch } = within;
  const environment = Object.entries(request.env).flatMap(([name, value]) => ['--setenv', name, value]);
  const words = holding([...environment, ...within.args].map((word) => `${word}\0`).join(''), scratch);
  const report = holding('', scratch);
  return {
    file: launcher.file,
    args: ['--args', '3', '--', ...launcher.keeper, within.file ?? request.file, ...request.args],
    cwd: '/',
    env: {},
    outputs: [fd, report, words],
    judge(end) {
      const said = readReport(report);
      closeSync(words);
      closeSync(report);
      return judged(end, said, request);
    },
  };
}

/** A descriptor of a file that has no name any more, to be read from the start. */
function holding(text: string, folder: string): number {
  const path = join(folder, randomBytes(12).toString('hex'));
  try {
    makeFolders(folder, 0o700);
    const writing = openSync(path, files.O_WRONLY | files.O_CREAT | files.O_EXCL, 0o600);
    const reading = openSync(path, files.O_RDWR | files.O_APPEND);
    rmSync(path);
    for (let bytes = Buffer.from(text); bytes.length > 0;) bytes = bytes.subarray(writeSync(writing, bytes));
    closeSync(writing);
    return reading;
  } catch (error) {
    throw asDiskError('write', path, error);
  }
}

function readReport(fd: number): string {
  const bytes = Buffer.alloc(REPORT_BYTES);
  return bytes.subarray(0, readSync(fd, bytes, 0, REPORT_BYTES, 0)).toString('utf8');
}

/**
 * The launcher's exit code is the program's, or 128+n. What was reported only tells a signal from such an exit, and a program that
 * never started: a program that writes a report of its own cannot pass for one that said yes.
 */
function judged(end: ProgramEnd, said: string, request: ProgramRequest): ProgramEnd {
  if (end.ended !== 'exited' || end.code === 0) return end;
  const reports = [...said.matchAll(/^(exit|signal|errno) (\d+)$/gm)].map(([, how, digits]) => ({ how, number: Number(digits) }));
  const last = reports.at(-1);
  const unborn = end.code === 127 ? reports.find(({ how }) => how === 'errno') : undefined;
  if (unborn) return { ended: 'unstartable', message: explainUnstartable(request, getSystemErrorName(-unborn.number)) };
  if (last?.how === 'signal' && end.code === 128 + last.number) return { ended: 'signalled', signal: signalName(last.number) };
  const complaint = /^bwrap: (.*)$/m.exec(said)?.[1];
  if (last === undefined && complaint !== undefined)
    return { ended: 'unstartable', message: `No sandbox could be made for ${request.file}: ${complaint}` };
  return end;
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}
