import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { alert } from '../src/edges/alerts.js';
import { findingsOf } from '../src/evaluate/findings.js';
import { prepare } from '../src/evaluate/prepare.js';
import { NOTHING_KNOWN } from '../src/facts.js';
import { reportOf } from '../src/report/report.js';
import { contract } from './loading.js';
import { IDENTITY, text } from './running.js';

async function report(agent: string) {
  const loaded = await contract('must_not: [contain "bad"]\non_violation: {default: halt_and_alert}\n');
  const facts = { ...NOTHING_KNOWN, output: text('bad') };
  return reportOf({ ...loaded, agent }, IDENTITY, facts, await findingsOf((await prepare(loaded)).checks, facts));
}

const root = mkdtempSync(join(tmpdir(), 'alerts-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A zombie does not. */
function lives(pid: string): boolean {
  try {
    process.kill(Number(pid.trim() || NaN), 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid.trim()}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('[C-9] an alert', () => {
  it('[C-9] brings no control sequence to a terminal, and stays one line', async () => {
    const lines: string[] = [];
    await alert(await report('a\u001b[31m\nb'), { env: {}, print: (line) => lines.push(line) });
    expect(lines).toEqual([expect.stringMatching(/^ALERT: a\\x1b\[31m\\x0ab broke must_not\[0\]/)]);
  });

  it('[C-9] whose receiver never ends its answer keeps no program from its end', async () => {
    let gone: () => void = () => {};
    const left = new Promise<void>((resolve) => (gone = resolve));
    const server = createServer((request, response) => {
      response.on('close', gone);
      response.writeHead(200).write('and so on');
      request.resume();
    });
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const lines: string[] = [];
    await alert(await report('a'), { env: {}, print: (line) => lines.push(line), webhook: `http://127.0.0.1:${port}/` });
    await left;
    server.close();
    expect(lines).toHaveLength(1);
  });

  it('[C-9] that cannot be given says so, and rejects nobody', async () => {
    const lines: string[] = [];
    const held = join(root, 'pid');
    const told = { env: process.env, print: (line: string) => lines.push(line) };
    await alert(await report('a'), { ...told, webhook: 'http://127.0.0.1:1/' });
    await alert(await report('a'), { ...told, command: `sleep 100 & echo $! > ${held}; wait`, timeoutMs: 50 });
    expect(lines.filter((line) => !line.startsWith('ALERT'))).toEqual([
      'The alert could not be posted: the webhook cannot be reached.',
      'The alert command ended with SIGKILL.',
    ]);
    // It may have been ended before it had started anything; what it has started goes with it.
    while (existsSync(held) && lives(readFileSync(held, 'utf8'))) await pause(5);
  });
});
