/** What `flow approve` and `flow deny` share (V-5). */
import type { Command } from 'commander';
import { counted } from '@gated-flow/text';
import type { KeptRequest } from '../governance/approval/asked.js';
import { type Decided, type DecidePorts, decideRequest, requestNamed, waitingRequests } from '../governance/approval/decide.js';
import { isInsideRun } from '../governance/approval/inside.js';
import { claims } from '../io/claims.js';
import { lineage } from '../io/lineage.js';
import { userName } from '../io/user.js';
import type { OpenRun } from '../record/find-run.js';
import { isAlive } from '../record/run-state.js';
import { leaveText } from '../views/leave-text.js';
import { nextCommands } from '../views/next-commands.js';
import type { Io } from './command.js';
import { FOUND, MISUSE, NOTHING, type Reader, withRun } from './reading.js';

interface LeaveCall {
  readonly command: Command;
  readonly io: Io;
  readonly run: string;
  readonly id: string | undefined;
  readonly verdict: 'granted' | 'denied';
}

export function decideLeave({ command, io, run: word, id, verdict }: LeaveCall): Promise<number> {
  const { by = userName(io.env), yes = false } = command.opts<{ by?: string; yes?: boolean }>();
  return withRun(command, io, word, async (run, reader) => {
    const { home, disk, clock } = reader;
    if (home === null || run.outermost !== run.folder) {
      reader.say(`${run.word} is no run of a home. Name the outermost run of it.`);
      return MISUSE;
    }
    if (await isInsideRun(home, { env: io.env, disk, lineage })) {
      reader.say('This is inside a run: nobody here may give leave, or deny it, for what a run does. Do it from another shell.');
      return MISUSE;
    }
    const ports: DecidePorts = { home, disk, claims, now: clock.now() };
    if (id === undefined) return list(run, reader, ports);
    const request = await requestNamed(run.name, id, ports);
    if (request === null) return none(id, run, { reader, ports });
    if (verdict === 'granted' && !yes && !(await agrees(request, io, reader))) {
      reader.say('Nothing was granted.');
      return NOTHING;
    }
    return tell(await decideRequest(request, { verdict, by }, ports), request, { run, reader });
  });
}

/** At a terminal a person is asked once more; elsewhere the command is the answer. */
async function agrees(request: KeptRequest, io: Io, reader: Reader): Promise<boolean> {
  reader.say(leaveText(request).trimEnd());
  if (!io.inIsTerminal || !io.errIsTerminal) return true;
  io.err('Give leave? [y/N] ');
  let line = '';
  for await (const piece of io.stdin()) {
    line += Buffer.from(piece).toString('utf8');
    if (line.includes('\n')) break;
  }
  return /^\s*y(?:es)?\s*$/i.test(line.split('\n', 1)[0] ?? '');
}

async function list(run: OpenRun, reader: Reader, ports: DecidePorts): Promise<number> {
  const waiting = await waitingRequests(run.name, ports);
  if (waiting.length === 0) {
    reader.say(`Nothing of ${run.name} waits for leave.`);
    return NOTHING;
  }
  for (const request of waiting) {
    await reader.print(
      `${request.id}   ${leaveText(request)}${nextCommands([
        [`flow approve ${run.word} ${request.id}`, 'give leave for this one call'],
        [`flow deny ${run.word} ${request.id}`, 'say no'],
      ])}\n`,
    );
  }
  return FOUND;
}

async function none(
  id: string,
  run: OpenRun,
  { reader, ports }: { readonly reader: Reader; readonly ports: DecidePorts },
): Promise<number> {
  const waiting = await waitingRequests(run.name, ports);
  const hint = waiting.length === 0 ? 'Nothing of it waits for leave.' : `What waits: ${waiting.map((one) => one.id).join(', ')}.`;
  reader.say(`${run.name} has no open request ${JSON.stringify(id)}: it was answered, or there never was one. ${hint}`);
  return NOTHING;
}

async function tell(
  decided: Decided,
  request: KeptRequest,
  { run, reader }: { readonly run: OpenRun; readonly reader: Reader },
): Promise<number> {
  const { id } = request;
  if (decided.is === 'already') {
    const until = decided.expires === undefined ? '' : `, until ${decided.expires}`;
    reader.say(`${id} was ${decided.what} before${until}. Nothing was changed.`);
    return NOTHING;
  }
  const isRunning = await isAlive(run.folder, reader);
  if (decided.is === 'denied') {
    await reader.print(`${id} is denied.\n`);
    return FOUND;
  }
  const { expires } = decided.authorization;
  await reader.print(`${id} is granted, for one call, until ${expires}.\n`);
  if (!isRunning)
    await reader.print(nextCommands([[`flow resume ${run.word}`, `go on with it; ${counted(1, 'call')} of it has leave now`]]));
  return FOUND;
}
