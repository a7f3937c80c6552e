import type { CommandEntry, Option } from './command.js';

export function generalHelp(commands: readonly CommandEntry[]): string {
  const rows = commands.map(({ name, takes, summary }) => [`${name} ${takes}`.trim(), summary] as const);
  const lines = rows.map(([left, right]) => `  ${left.padEnd(30)}${right}`);
  return [
    'agentcontract judges what agents did against behavioural contracts (AgentContract 0.1.0).',
    '',
    ...lines,
    '',
    'Without a contract, the one that package.json, pyproject.toml or .agentcontract/ names is taken.',
    'Exit 0: pass. 1: a violation that blocks. 2: something cannot be used.',
    'agentcontract COMMAND --help shows the options.',
    '',
  ].join('\n');
}

export function commandHelp({ name, takes, summary, options }: CommandEntry): string {
  const rows = Object.entries(options).map(([option, about]) => [spelled(option, about), about.about] as const);
  const width = Math.max(0, ...rows.map(([left]) => left.length)) + 2;
  return [
    `agentcontract ${name} ${takes}`.trim(),
    '',
    `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`,
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`),
    '',
  ].join('\n');
}

function spelled(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
