import { escapeName } from '@gated-flow/text';
import type { Check, When } from '../evaluate/check.js';
import { prepare } from '../evaluate/prepare.js';
import type { Contract } from '../contract.js';
import type { CommandModule } from './command.js';
import { choiceOf, contractOf, contractPath, hostFacts } from './reading.js';

/** A contract with everything it inherits, each clause with its action, its place, and who judges it (C-4). */
export const info: CommandModule = {
  async run(given, io) {
    const format = choiceOf(given, 'format', ['text', 'json']);
    const contract = await contractOf(await contractPath(given.words[0], io), given, io);
    if (contract === null) return 2;
    const { checks } = await prepare(contract, { facts: hostFacts(given) });
    await io.out(format === 'json' ? documentOf(contract, checks) : pageOf(contract, checks));
    return 0;
  },
};

const WHEN: Readonly<Record<When, string>> = {
  before: 'before the run',
  live: 'live',
  after: 'afterwards',
  judge: 'by a judge',
  plugin: 'by a plugin',
  fact: 'by a fact of the host',
  never: 'unevaluated',
};

function pageOf(contract: Contract, checks: readonly Check[]): string {
  const { agent, version, path, specVersion, description, files, can } = contract;
  const head = [
    `${agent} ${version}   ${path}   AgentContract ${specVersion}`,
    ...(description === undefined ? [] : [description]),
    ...files.slice(1).map((file) => `extends ${file.path}`),
  ];
  const width = Math.max(0, ...checks.map(({ clause }) => clause.name.length)) + 2;
  const lines = checks.map(({ clause, when }) => {
    const left = `  ${clause.name.padEnd(width)}${clause.severity.padEnd(15)} ${WHEN[when].padEnd(22)}`;
    return `${left} ${escapeName(clause.text)}   (${escapeName(clause.origin.file)}:${clause.origin.line})`;
  });
  const notes = checks.flatMap(({ clause, when, note }) => (when === 'never' ? [`  ${clause.name}: ${note ?? ''}`] : []));
  return [
    ...head.map(escapeName),
    '',
    ...lines,
    ...(can.length === 0 ? [] : ['', 'can (shown, never evaluated):', ...can.map((each) => `  ${escapeName(each)}`)]),
    ...(notes.length === 0 ? [] : ['', 'Nobody can evaluate:', ...notes.map(escapeName)]),
    '',
  ].join('\n');
}

function documentOf(contract: Contract, checks: readonly Check[]): string {
  const { agent, version, path, specVersion, description, author, created, tags, can, files } = contract;
  const clauses = checks.map(({ clause, when, note }) => ({
    name: clause.name,
    type: clause.type,
    text: clause.text,
    description: clause.description,
    severity: clause.severity,
    judged: WHEN[when],
    note,
    file: clause.origin.file,
    line: clause.origin.line,
  }));
  const about = { agent, version, path, spec_version: specVersion, description, author, created, tags, files, can };
  return `${JSON.stringify({ kind: 'agentcontract.info', version: 1, contract: about, clauses })}\n`;
}
