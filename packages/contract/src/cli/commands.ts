import type { CommandEntry, Option } from './command.js';

const allowRemote: Option = { type: 'boolean', about: 'fetch what the contract extends over https' };
const strict: Option = { type: 'boolean', about: 'the same as --unevaluated fail' };
const fact: Option = {
  type: 'string',
  multiple: true,
  value: 'TEXT=true|false',
  about: 'decide a sentence nobody else can; may be repeated',
};
const keyFile: Option = { type: 'string', value: 'FILE', about: 'the key of the signatures (or $AGENTCONTRACT_AUDIT_KEY)' };

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'check',
    takes: '[contract…]',
    summary: 'read contracts, and say what is wrong with them or likely wrong',
    options: {
      'allow-remote': allowRemote,
      fact,
      strict: { type: 'boolean', about: 'a clause nobody can evaluate fails' },
      'warnings-fail': { type: 'boolean', about: 'any warning fails' },
      format: { type: 'string', value: 'text|json|github', about: 'how it is said' },
    },
    load: () => import('./check.js').then(({ check }) => check),
  },
  {
    name: 'validate',
    takes: '[contract] <run-log>',
    summary: 'judge the runs of a log, one JSON object a line ("-" reads standard input)',
    options: {
      format: { type: 'string', value: 'text|json|junit|github|sarif', about: 'how it is said' },
      audit: { type: 'string', value: 'FILE', about: 'append an audit entry for each run' },
      'key-file': keyFile,
      fact,
      unevaluated: { type: 'string', value: 'report|fail', about: 'what becomes of a clause nobody can evaluate' },
      strict,
      judge: { type: 'string', value: 'PROVIDER/MODEL', about: 'who judges sentences with "judge: llm" (or $AGENTCONTRACT_JUDGE)' },
      'judge-url': { type: 'string', value: 'URL', about: 'the server of the judge (or $AGENTCONTRACT_JUDGE_URL)' },
      'judge-errors': { type: 'string', value: 'fail|warn', about: 'what becomes of a clause whose judge cannot be asked' },
      'judge-cache': { type: 'string', value: 'DIR', about: 'keep what the judge said' },
      'no-judge': { type: 'boolean', about: 'ask no judge, whatever keys are set' },
      'agent-model': { type: 'string', value: 'PROVIDER/MODEL', about: 'the model that did the work, which may not judge it' },
      'allow-remote': allowRemote,
    },
    load: () => import('./validate.js').then(({ validate }) => validate),
  },
  {
    name: 'info',
    takes: '[contract]',
    summary: 'show a contract with what it inherits, and who judges each clause',
    options: { 'allow-remote': allowRemote, fact, format: { type: 'string', value: 'text|json', about: 'how it is said' } },
    load: () => import('./info.js').then(({ info }) => info),
  },
  {
    name: 'audit',
    takes: 'verify <file>',
    summary: 'say which entries of an audit file were altered, are unsigned, missing or out of order',
    options: { 'key-file': keyFile, format: { type: 'string', value: 'text|json', about: 'how it is said' } },
    load: () => import('./audit.js').then(({ audit }) => audit),
  },
  {
    name: 'schema',
    takes: '',
    summary: 'print the JSON Schema of contract files',
    options: {},
    load: () => import('./schema.js').then(({ schema }) => schema),
  },
];
