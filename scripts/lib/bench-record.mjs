import { createHash, hash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the folder of a run that succeeded, chained and sealed as the runtime leaves it: `stages` stages of `eventsOf` events each,
 * with an output, a session, a prompt and a first turn of their own.
 */
export function makeRecord(folder, { stages, eventsOf }) {
  const files = [];
  const file = (path, bytes) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    const written = { path, sha256: hash('sha256', bytes), bytes: bytes.length };
    files.push(written);
    return written;
  };
  mkdirSync(folder, { recursive: true });
  const request = file('request.txt', 'Make it large.\n');
  const assembly = file('assembly/ASSEMBLY.md', '---\n---\nLarge.\n');
  const record = openChain(join(folder, 'record.jsonl'));
  record.add('run_start', {
    record: 1,
    runtime: { name: 'gated-flow', version: '0.0.0', node: process.version },
    run: '2026-01-01T00-00-00-0000',
    assembly: '/assembly',
    assembly_hash: hash('sha256', `ASSEMBLY.md:${assembly.sha256}\n`),
    flow: 'large',
    request: { ...request, from: 'argument' },
    workdir: '/work',
    model_source: 'provider',
  });
  for (let n = 1; n <= stages; n++) addStage(`${String(n).padStart(6, '0')}-stage`, { record, file, eventsOf });
  const manifest = [...files]
    .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .join('');
  writeFileSync(join(folder, 'manifest.sha256'), manifest);
  record.add('run_end', { exit: 0, cause: 'success', manifest: hash('sha256', manifest) });
  writeFileSync(join(folder, 'record.sha256'), `${record.close()}  record.jsonl\n`);
}

const options = Object.fromEntries(
  Object.entries({ provider: 'anthropic', model: 'one', timeout: 3600, retries: 2 }).map(([name, value]) => [
    name,
    { value, from: 'default' },
  ]),
);

function addStage(stage, { record, file, eventsOf }) {
  const place = `stages/${stage}/1`;
  const session = file(`${place}/session.jsonl`, '{"role":"user"}\n');
  const output = file(`${place}/1/output.txt`, `${stage}\n`);
  const tools = ['read', 'write', 'edit', 'bash', 'mark', 'refuse', 'fault', 'clean-temp'];
  record.add('stage_start', { stage, received: [], options, slots: ['PWD', 'INPUT', 'OUTPUT'], workdir: '/work', tools, skills: [] });
  for (let n = 0; n < eventsOf - 2; n++) {
    if (n % 3 === 2) record.add('tool_call', { stage, retry: 1, tool: 'mark', decision: 'done', item: 1, evidence: `line ${n} of it` });
    else {
      const tokens = { input: 1200 + n, output: 80, cache_read: 1100, cache_write: 0 };
      record.add('turn', { stage, retry: 1, provider: 'anthropic', model: 'one', ...tokens, cost_usd: 0.0125, stop: 'calls', ms: 950 });
    }
  }
  const end = { exit: 0, cause: 'success', output, sealed: true, judged: true, attempts: 1 };
  record.add('stage_end', { stage, ...end, session: { sha256: session.sha256, lines: 1 } });
}

function openChain(path) {
  const fd = openSync(path, 'w');
  const sum = createHash('sha256');
  let [prev, at] = [hash('sha256', ''), Date.UTC(2026, 0, 1)];
  return {
    add(event, fields) {
      const line = JSON.stringify({ ts: new Date((at += 250)).toISOString(), event, ...fields, prev });
      writeSync(fd, `${line}\n`);
      sum.update(`${line}\n`);
      prev = hash('sha256', line);
    },
    close() {
      closeSync(fd);
      return sum.digest('hex');
    },
  };
}
