import { resolve } from 'node:path';
import type { Command } from 'commander';
import { escapeControls, escapeName } from '@gated-flow/text';
import { GOVERNANCE_FILE, readAssembly } from '@gated-flow/assembly';
import { BUILT_IN, keepProbe, probeDocument, SURFACES } from '../../governance/probe/kept.js';
import { probeBuiltIn } from '../../governance/probe/probe.js';
import { openMachine } from '../../io/machine.js';
import { homePath } from '../../plan/home.js';
import { openHome } from '../../record/home.js';
import { documentText } from '../../views/document.js';
import { paint } from '../color.js';
import type { Io } from '../command.js';
import { refusalText } from '../refusals.js';

interface Words {
  readonly agent?: string;
  readonly json?: boolean;
  readonly home?: string;
}

/** `flow governance probe ASSEMBLY [--agent ROW]` (V-10). Every row of models works in the one built-in loop. */
export async function probe(command: Command, io: Io, target: string): Promise<number> {
  const { agent, json, home: said } = command.optsWithGlobals<Words>();
  const { redactor } = io;
  const fail = (sentence: string): number => {
    io.err(`${escapeControls(redactor.text(sentence))}\n`);
    return 2;
  };
  const home = homePath(io, said);
  if (home === null) return fail('There is no home to keep the result in: name one with --home DIR.');
  const machine = openMachine(io.env);
  try {
    const read = await readAssembly(resolve(io.cwd, target), io.cwd);
    const config = await io.readConfig(home);
    const refusals = [...(read.ok ? [] : read.refusals), ...(config.ok ? [] : config.refusals)];
    if (refusals.length > 0 || !config.ok || !read.ok) {
      io.err(refusalText(refusals, { redactor, color: io.errColor, width: io.width }));
      return 2;
    }
    if (read.assembly.governance === undefined) return fail(`${target} has no ${GOVERNANCE_FILE}, so there is nothing to deny.`);
    const rows = [BUILT_IN, 'default', ...Object.keys(config.value.intelligences)];
    if (agent !== undefined && !rows.includes(agent)) return fail(`There is no row "${escapeName(agent)}". There are: ${rows.join(', ')}.`);
    const refusal = await openHome(home, machine);
    if (refusal !== null) return fail(refusal.message);
    const result = await probeBuiltIn(machine);
    await keepProbe(home, result, machine.disk);
    const { green, yellow } = paint(io.outColor);
    const lines = SURFACES.map(
      (name) => `  ${name.padEnd(12)} ${(result.surfaces[name] === 'observed' ? green : yellow)(result.surfaces[name])}`,
    );
    const text = `${BUILT_IN} loop, flow ${result.version}, ${result.at}\n${lines.join('\n')}\nNot seen: programs that a command starts, hooks and gates of the assembly.\n`;
    await io.out(json === true ? documentText(probeDocument(result), redactor) : text);
    return Object.values(result.surfaces).every((seen) => seen === 'observed') ? 0 : 1;
  } finally {
    machine.dispose();
  }
}
