import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { escapeControls, escapeName, type Redactor } from '@gated-flow/text';
import { HOST_FORMS, reportOf } from '@gated-flow/governance';
import type { GovernanceContract, GovernanceReport } from '@gated-flow/governance';
import { readContractFile } from '../../governance/host/find.js';
import { keepValidation, readValidation } from '../../governance/validation.js';
import { createClock } from '../../io/clock.js';
import { createDisk } from '../../io/disk.js';
import { openMachine } from '../../io/machine.js';
import { homePath } from '../../plan/home.js';
import { openHome } from '../../record/home.js';
import { documentText } from '../../views/document.js';
import { type Denials, governanceText } from '../../views/governance-text.js';
import { paint } from '../color.js';
import type { Io } from '../command.js';
import { surfacesHere } from './surfaces.js';

interface Words {
  readonly accept?: boolean;
  readonly json?: boolean;
  readonly home?: string;
}

/** `flow governance check FILE` (V-13). */
export async function check(command: Command, io: Io, file: string): Promise<number> {
  const { accept, json, home: said } = command.optsWithGlobals<Words>();
  const disk = createDisk();
  const path = resolve(io.cwd, file);
  const { redactor } = io;
  const found = await readContractFile(path, disk);
  if (!found.ok) {
    if (json === true) await io.out(documentText({ ...ABOUT, contract: null, message: found.message }, redactor));
    else io.err(escapeControls(redactor.text(`governance-invalid\n${found.message}\n`)));
    return 2;
  }
  const home = homePath(io, said);
  const asked = { contract: found.contract, path: found.file, home, redactor };
  const passed = accept === true ? await acceptance(asked, io) : true;
  const validation = await readValidation(home, sumOf(found.contract), disk);
  const report = reportOf(found.contract, { surfaces: await surfacesHere(home, io), ...(validation && { validation }) });
  await io.out(
    json === true ? documentText(documentOf(report), redactor) : redactor.text(governanceText(report, DENIALS, paint(io.outColor))),
  );
  return passed ? 0 : 1;
}

const ABOUT = { kind: 'flow.governance', version: 1 };

const DENIALS: readonly Denials[] = Object.values(HOST_FORMS).map(({ host, denialSchema, blockedExitCode, approval, bypassSurfaces }) => ({
  ...{ host, denial_payload_schema: denialSchema, blocked_exit_code: blockedExitCode, approval, bypass_surfaces: bypassSurfaces },
}));

function sumOf({ files: [first] }: GovernanceContract): string {
  return first?.sha256 ?? '';
}

function documentOf({ notEnforced, expiresSeconds, toolNames, ...report }: GovernanceReport): object {
  return {
    ...ABOUT,
    ...report,
    ...{ not_enforced: notEnforced, expires_seconds: expiresSeconds, tool_names: toolNames, denials: DENIALS },
  };
}

interface Accepting {
  readonly contract: GovernanceContract;
  /** Absolute; its commands run in its folder. */
  readonly path: string;
  readonly home: string | null;
  readonly redactor: Redactor;
}

const SECONDS = 600;

/** Runs each command as it stands there, in the contract's folder; whether all of them ended with 0. What they print is theirs and goes to standard error. */
async function acceptance({ contract, path, home, redactor }: Accepting, io: Io): Promise<boolean> {
  if (contract.acceptance.length === 0) return fail('There is nothing to run: "acceptance" is empty.');
  if (home === null) return fail('There is no home to remember it in: name one with --home DIR.');
  const machine = openMachine(io.env);
  const programs = machine.programs(() => {});
  const scratch = join(machine.temporary, `flow-acceptance-${machine.ids.hex(12)}`);
  try {
    await machine.disk.makeFolder(scratch);
    for (const { id, command } of contract.acceptance) {
      const capture = join(scratch, 'capture');
      const { end } = await programs.run({
        ...{ file: '/bin/sh', args: ['-c', command], cwd: dirname(path), env: present(io.env), capture },
        ...{ limitBytes: 64 * 1024 * 1024, timeoutMs: SECONDS * 1_000, stop: machine.signals.signal, owner: scratch },
      });
      if (end.ended === 'exited' && end.code === 0) {
        io.err(`passed  ${escapeName(id)}\n`);
        continue;
      }
      const said = Buffer.from(await machine.disk.readHead(capture, 4_096)).toString('utf8');
      io.err(escapeControls(redactor.text(said.endsWith('\n') || said === '' ? said : `${said}\n`)));
      return fail(`failed  ${id} (${end.ended === 'exited' ? `exit ${end.code}` : end.ended}): ${command}`);
    }
    const refusal = await openHome(home, machine);
    if (refusal !== null) return fail(refusal.message);
    const at = new Date(createClock().now()).toISOString();
    await keepValidation(home, { at, sha256: sumOf(contract) }, machine.disk);
    return true;
  } finally {
    await programs.sweep(scratch);
    await machine.disk.remove(scratch);
    machine.dispose();
  }

  function fail(sentence: string): false {
    io.err(`${escapeControls(redactor.text(sentence))}\n`);
    return false;
  }
}

function present(env: Io['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
