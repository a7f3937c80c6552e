import type { Asked, PlaceFacts } from '../ports/probe.js';
import { findingsOf, type Finding } from './finding.js';
import { quoted } from './words.js';

/** The folder in which the command stands: an assembly or a working tree. */
export interface HereFacts {
  /** Absolute. */
  readonly path: string;
  readonly place: PlaceFacts;
  /** What git says of its own settings here, as `git config --get` does. */
  readonly settings: { readonly autocrlf: Asked; readonly fileMode: Asked };
}

const { ok, note } = findingsOf('folder');

/** What makes gates and hooks of a folder unable to run: lost executable bits, carriage returns, a mount (I-11, I-6). */
export function judgeHere({ path, place, settings }: HereFacts): readonly Finding[] {
  return [...judgeWriting(path, place), ...judgeMount(path, place), ...judgeSettings(settings)];
}

function judgeWriting(path: string, { unwritable, noexec }: PlaceFacts): readonly Finding[] {
  if (unwritable !== null)
    return [
      note('here', `${path}: nothing can be made in it (${unwritable})`, {
        why: 'An agent works in it, unless --in names another folder.',
        fix: 'flow run … --in DIR',
      }),
    ];
  if (noexec)
    return [
      note('here', `programs in ${path} cannot be executed`, {
        why: "Agents cannot run what they build. It is mounted 'noexec'.",
        fix: 'flow run … --in DIR',
      }),
    ];
  return [ok('here', path)];
}

function judgeMount(path: string, { windows }: PlaceFacts): readonly Finding[] {
  if (!windows) return [];
  return [
    note('disk', `${path} is on a disk of Windows`, {
      why: 'Executable bits are not kept there, and every file is slow. Gates may be refused as not-runnable.',
      fix: `cp -r ${quoted(path)} ~/`,
    }),
  ];
}

function judgeSettings({ autocrlf, fileMode }: HereFacts['settings']): readonly Finding[] {
  return [
    ...(says(autocrlf, 'true')
      ? [
          note('core.autocrlf', 'git writes a carriage return at the end of each line', {
            why: 'A script that begins with #!/bin/sh and a carriage return cannot run.',
            fix: 'git config core.autocrlf input && git add --renormalize .',
          }),
        ]
      : []),
    ...(says(fileMode, 'false')
      ? [
          note('core.fileMode', 'git does not keep executable bits here', {
            why: 'Gates and hooks arrive at others without theirs, and are refused as not-runnable.',
            fix: 'git update-index --chmod=+x FILE',
          }),
        ]
      : []),
  ];
}

function says(asked: Asked, value: string): boolean {
  return asked.asked === 'answered' && asked.exit === 0 && asked.text.trim().toLowerCase() === value;
}
