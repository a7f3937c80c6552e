#!/usr/bin/env node
// A stage of 2,000 turns. The conversation grows and goes out whole each turn, which nobody can avoid; what is measured is
// whether a turn costs more than that. Processor time counts, so that a busy machine does not.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { bench } from '../lib/bench.mjs';
import { newestRecord } from '../lib/bench-assembly.mjs';
import { loopback, stream } from '../lib/loopback.mjs';
import { root } from '../lib/root.mjs';
import { WIRES } from '../lib/wires.mjs';

const turns = 2_000;
const some = 200;
const wire = WIRES['openai-compatible'];

await bench({
  name: '[L-2] a stage of 2,000 turns',
  async measure(scratch) {
    const { spent, resident, bodies, url, close } = await longRun(scratch);
    const first = (spent[some * 2] - spent[some]) / some;
    const last = (spent.at(-1) - spent[turns - 1 - some]) / some;
    const bare = { first: await bareTurn(url, bodies[some]), last: await bareTurn(url, bodies[turns - 1]) };
    await close();
    const messages = (turns - 2 * some) * 2;
    return {
      figures: [
        { name: `a turn, the ${some} after the first ${some}`, value: first, unit: ' ms' },
        { name: `a turn, the last ${some}`, value: last, unit: ' ms' },
        { name: 'what a message of the conversation adds to each later turn', value: ((last - first) * 1000) / messages, unit: ' µs' },
        { name: 'the last turns against the first', value: last / first, unit: '×' },
        { name: 'the same of a bare client that keeps nothing', value: bare.last / bare.first, unit: '×' },
        {
          name: 'memory added from there to the end, against the last request',
          value: (resident[turns - 1] - resident[some]) / bodies[turns - 1].length,
          unit: '×',
        },
      ],
      beside: `bare client ${bare.first.toFixed(2)} and ${bare.last.toFixed(2)} ms a turn; the last request has ${kibibytes(bodies[turns - 1].length)} KiB; resident ${kibibytes(resident[some])} and ${kibibytes(resident[turns - 1])} KiB`,
    };
  },
});

const kibibytes = (bytes) => Math.round(bytes / 1024);

/** One run whose agent reads a file in every turn. By the number of the request: processor time spent so far, memory, body. */
async function longRun(scratch) {
  const spent = [];
  const resident = {};
  const bodies = {};
  let child = null;
  const server = await loopback(({ text }, index) => {
    spent.push(processorMs(child.pid));
    if (index === some || index === turns - 1) {
      resident[index] = residentBytes(child.pid);
      bodies[index] = text;
    }
    // The bodies of 2,000 requests are not kept.
    server.seen[index] = null;
    const call = { id: `call_${index}`, name: 'read', pieces: ['{"path": "$INPUT/request.txt"}'] };
    return stream(wire.answer(index < turns - 1 ? { text: 'Once more.', calls: [call] } : { text: 'Done.' }));
  });
  await plant(scratch, server.url);
  const env = { ...process.env, FLOW_HOME: join(scratch, 'home'), NO_COLOR: '1' };
  const command = [join(root, 'runtime/bin/flow.mjs'), 'run', '--quiet', './long', 'x'.repeat(400)];
  child = spawn(process.execPath, command, { cwd: scratch, env, stdio: 'ignore' });
  await new Promise((done) => child.on('close', done));
  const record = await newestRecord(join(scratch, 'home'));
  const taken = record.filter(({ event }) => event === 'turn').length;
  if (taken !== turns) throw new Error(`${taken} of ${turns} turns: ${record.find(({ event }) => event === 'stage_end')?.reason}`);
  return { spent, resident, bodies, url: server.url, close: server.close };
}

async function plant(scratch, url) {
  await mkdir(join(scratch, 'long'));
  await mkdir(join(scratch, 'home'));
  await writeFile(join(scratch, 'long/STAGE.md'), '---\nretries: 0\n---\nRead, again and again.\n');
  const row = `provider: openai-compatible\n    model: local-7b\n    base-url: ${url}/v1`;
  await writeFile(join(scratch, 'home/config.yaml'), `intelligences:\n  default:\n    ${row}\n`);
}

/** User and system time of a process, in milliseconds; the kernel counts in hundredths of a second. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}

/** Processor milliseconds, the server's included, for what every client has to do: the conversation becomes text and goes out. */
async function bareTurn(url, text) {
  const conversation = JSON.parse(text);
  const began = process.cpuUsage();
  for (let round = 0; round < some; round++) {
    const messages = conversation.messages.map((message) => ({ ...message }));
    await post(url, JSON.stringify({ ...conversation, messages }));
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000 / some;
}

function post(url, text) {
  return new Promise((done, fail) => {
    const sent = request(url, { method: 'POST' }, (response) => response.resume().on('end', done));
    sent.on('error', fail);
    sent.end(text);
  });
}
