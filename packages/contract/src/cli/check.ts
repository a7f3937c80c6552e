import type { Contract, ContractFault } from '../contract.js';
import { prepare } from '../evaluate/prepare.js';
import type { HostFact } from '../evaluate/ports.js';
import { loadContract } from '../edges/load-contract.js';
import { escapeName } from '@gated-flow/text';
import type { CommandModule } from './command.js';
import { choiceOf, contractPath, faultLine, hostFacts } from './reading.js';

/** 0: usable. 1: usable, with a warning that --strict or --warnings-fail do not let pass. 2: unusable. */
export const check: CommandModule = {
  async run(given, io) {
    const format = choiceOf(given, 'format', ['text', 'json', 'github']);
    const facts = hostFacts(given);
    const paths = given.words.length > 0 ? given.words : [await contractPath(undefined, io)];
    const all: Checked[] = [];
    for (const path of paths) {
      const result = await loadContract(path, { cwd: io.cwd, allowRemote: given.flag('allow-remote'), env: io.env });
      const faults = result.ok ? [...result.warnings, ...(await unevaluatedClauses(result.contract, facts))] : result.faults;
      all.push({ path, ok: result.ok, faults, ...(result.ok ? { contract: result.contract } : {}) });
    }
    await io.out(FORMATS[format]?.(all) ?? '');
    if (all.some(({ ok }) => !ok)) return 2;
    const strict = given.flag('strict') && all.some(({ faults }) => faults.some(({ message }) => message.startsWith(NOBODY)));
    const warned = given.flag('warnings-fail') && all.some(({ faults }) => faults.length > 0);
    return strict || warned ? 1 : 0;
  },
};

interface Checked {
  readonly path: string;
  readonly ok: boolean;
  readonly faults: readonly ContractFault[];
  readonly contract?: Contract;
}

const NOBODY = 'Nobody can evaluate';

/** A clause that would pass in silence, if reports did not list it. */
async function unevaluatedClauses(contract: Contract, facts: readonly HostFact[]): Promise<ContractFault[]> {
  const { checks } = await prepare(contract, { facts });
  return checks.flatMap(({ clause, when, note }) => {
    if (when !== 'never') return [];
    const { file, line, column } = clause.origin;
    const message = `${NOBODY} ${clause.name}, "${clause.text}". ${note ?? ''}`;
    return [{ severity: 'warning' as const, file, line, column, message }];
  });
}

const FORMATS: Readonly<Record<string, (all: readonly Checked[]) => string>> = {
  text: (all) => all.map(({ path, ok, faults, contract }) => faults.map(faultLine).join('') + summaryOf(path, ok, contract)).join(''),
  json: (all) =>
    `${JSON.stringify({
      kind: 'agentcontract.check',
      version: 1,
      contracts: all.map(({ path, ok, faults, contract }) => ({ path, ok, faults, ...(contract ? { files: contract.files } : {}) })),
    })}\n`,
  github: (all) => all.flatMap(({ faults }) => faults.map(annotation)).join(''),
};

function summaryOf(path: string, ok: boolean, contract: Contract | undefined): string {
  if (!ok || !contract) return `${escapeName(path)}: cannot be used\n`;
  const { agent, version, clauses, files } = contract;
  const inherited = files.length > 1 ? `, ${files.length} files` : '';
  return `${escapeName(`${path}: ${agent} ${version}`)}: ${clauses.length} ${clauses.length === 1 ? 'clause' : 'clauses'}${inherited}\n`;
}

function annotation({ severity, file, line, column, message, fix }: ContractFault): string {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${severity} file=${property(file)},line=${line},col=${column}::${data(fix === undefined ? message : `${message} Write: ${fix}`)}\n`;
}
