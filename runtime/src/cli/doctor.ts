import type { Command } from 'commander';
import { createClock } from '../io/clock.js';
import { createDisk } from '../io/disk.js';
import { networkFetch } from '../io/network.js';
import { createProbe } from '../io/probe/probe.js';
import { processes } from '../io/processes.js';
import { launcherFinder } from '../io/sandbox/launcher.js';
import { documentText } from '../views/document.js';
import { paint } from './color.js';
import type { CommandModule, Io } from './command.js';
import { doctorDocument } from './doctor/document.js';
import { gather } from './doctor/gather.js';
import { doctorText } from './doctor/text.js';

const EXAMPLES = `
Examples:
  flow doctor                  what stands in the way of a run, and what repairs it
  flow doctor --offline        asks no server
  flow doctor --json | jq '.findings[] | select(.verdict != "ok")'

Servers are asked which models they have, with the row's key: no prompt is sent and nothing is paid.
Exit codes: 0 nothing stands in the way of a run, 1 something does, 2 misuse.`;

const READY = 0;
const NOT_READY = 1;

/** `flow doctor` (I-11). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .option('--offline', 'ask no server')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await doctor(command, io)));
  },
};

async function doctor(command: Command, io: Io): Promise<number> {
  const { json, offline, home: flag } = command.opts<{ json?: boolean; offline?: boolean; home?: string }>();
  const clock = createClock();
  const ports = {
    probe: createProbe(io.env, clock),
    findLauncher: launcherFinder(io.env),
    disk: createDisk(),
    readConfig: io.readConfig,
    clock,
    processes,
    fetch: networkFetch,
  };
  const words = { env: io.env, cwd: io.cwd, offline: offline === true, ...(flag === undefined ? {} : { flag }) };
  const facts = await gather(words, ports);
  const document = doctorDocument(facts);
  if (json === true) await io.out(documentText(document, io.redactor));
  else await io.out(io.redactor.text(doctorText(document, { width: io.width, paint: paint(io.outColor) })));
  return document.ready ? READY : NOT_READY;
}
