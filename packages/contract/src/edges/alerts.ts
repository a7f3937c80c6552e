import { spawn } from 'node:child_process';
import { escapeName } from '@gated-flow/text';
import { documentOf } from '../report/json.js';
import type { ContractReport } from '../report/report.js';
import { whyNot } from './disk.js';
import { openWeb } from './web.js';
import type { Environment } from './web.js';

/** Where `halt_and_alert` is told, besides standard error (C-9). */
export interface AlertOptions {
  readonly webhook?: string;
  /** A shell command; the report is its standard input, as JSON. */
  readonly command?: string;
  readonly env: Environment;
  /** A line for standard error, without a control sequence. */
  print(line: string): void;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Tells everybody who is to be told. Never rejects: an alert that fails is a line on standard error, and hides nothing. */
export async function alert(report: ContractReport, options: AlertOptions): Promise<void> {
  const names = report.violations.filter(({ action_taken }) => action_taken === 'halt_and_alert').map(({ clause_name }) => clause_name);
  const words = `ALERT: ${report.agent} broke ${names.join(', ')} of ${report.contract} (run ${report.runId}) and is halted.`;
  options.print(escapeName(words));
  const body = JSON.stringify({
    kind: 'agentcontract.alert',
    version: 1,
    agent: report.agent,
    contract: report.contract,
    ...documentOf(report),
  });
  const told = [
    ...(options.webhook === undefined ? [] : [post(options.webhook, body, options)]),
    ...(options.command === undefined ? [] : [run(options.command, body, options)]),
  ];
  for (const failure of await Promise.all(told)) if (failure !== null) options.print(failure);
}

async function post(url: string, body: string, { env, timeoutMs = TIMEOUT_MS }: AlertOptions): Promise<string | null> {
  try {
    const fetch = await openWeb(env);
    const headers = { 'content-type': 'application/json' };
    const { ok, status, body: said } = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
    // Nobody reads it, and an answer without an end would keep the program from its own.
    await said?.cancel().catch(() => {});
    return ok ? null : `The alert could not be posted: the webhook answered ${status}.`;
  } catch {
    return 'The alert could not be posted: the webhook cannot be reached.';
  }
}

function run(command: string, body: string, { env, timeoutMs = TIMEOUT_MS }: AlertOptions): Promise<string | null> {
  return new Promise((settle) => {
    const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'ignore', 'inherit'], detached: true });
    const timer = setTimeout(() => endGroup(child.pid), timeoutMs);
    const tell = (failure: string | null): void => (clearTimeout(timer), settle(failure));
    child.on('error', (error) => tell(`The alert command could not be started: ${whyNot(error)}.`));
    child.on('close', (code, signal) => tell(code === 0 ? null : `The alert command ended with ${signal ?? `exit ${code}`}.`));
    child.stdin.on('error', () => {});
    child.stdin.end(body);
  });
}

/** The shell alone would leave what it started, which holds this program's standard error. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has just gone.
  }
}
