import { readFileSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventsOf, runsOf, startFlow } from './knocks-run.mjs';
import { loopback, proxy, status } from './loopback.mjs';
import { FLOW, KEY, repliesOf } from './provider-trouble.mjs';

/** A run in which nothing is wrong: what the others are compared with. */
export async function untroubled(wire, place) {
  const ran = await run({ wire, trouble: {}, at: 0, place });
  if (ran.code !== 0) throw new Error(`${wire.provider} without trouble: exit ${ran.code}\n${ran.err}`);
  return ran;
}

/** One run with one trouble: `{ended, retries, violations}`. */
export async function knockAt({ trouble, wire, at, clean, place }) {
  const ran = await run({ wire, trouble, at, place });
  return { ended: ran.end?.cause ?? 'nothing', retries: ran.retried.length, violations: [...judged(ran, { trouble, wire, clean })] };
}

async function run({ wire, trouble, at, place }) {
  const replies = repliesOf(wire, trouble, at);
  const server = await loopback((_request, index) => replies[index] ?? status(400, wire.error('some_kind', 'One request too many.')));
  const between = trouble.proxy ? await proxy(trouble.proxy) : null;
  await plant({ wire, url: server.url, timeout: trouble.timeout ?? 60, place });
  const env = { THE_KEY: KEY, ...(between ? { HTTPS_PROXY: between.url, HTTP_PROXY: between.url } : {}) };
  const { ended } = startFlow(['run', '--quiet', './word', 'a word'], { place, env });
  const { code, out, err, hung } = await ended;
  await Promise.all([server.close(), between?.close()]);
  const [name] = runsOf(join(place, 'home'));
  const folder = join(place, 'home/runs', name ?? 'none');
  const events = name === undefined ? [] : eventsOf(folder);
  return {
    ...{ code, out, err, hung, folder, events, seen: server.seen },
    end: events.find(({ event }) => event === 'stage_end'),
    retried: events.filter(({ event }) => event === 'provider_retry'),
    session: linesOf(join(folder, 'stages/word/1/session.jsonl')),
  };
}

async function plant({ wire, url, timeout, place }) {
  const stage = join(place, 'word');
  await mkdir(join(place, 'home'), { recursive: true });
  await mkdir(stage);
  await writeFile(join(stage, 'STAGE.md'), FLOW['STAGE.md'](timeout));
  await writeFile(join(stage, 'gate.sh'), FLOW['gate.sh']);
  await chmod(join(stage, 'gate.sh'), 0o755);
  const address = wire.provider === 'openai-compatible' ? `${url}/v1` : url;
  const row = [`provider: ${wire.provider}`, `model: ${wire.model}`, `base-url: ${address}`, 'api-key-env: THE_KEY', 'reasoning: low'];
  await writeFile(join(place, 'home/config.yaml'), `intelligences:\n  default:\n${row.map((line) => `    ${line}\n`).join('')}`);
}

/** What must hold, whatever the trouble was; a sentence for each that does not. */
function* judged(ran, { trouble, wire, clean }) {
  const { code, events, end, retried, hung } = ran;
  if (hung) return yield 'it hung';
  if (events.at(-1)?.event !== 'run_end') return yield `the record does not end: exit ${code}: ${ran.err}`;
  for (const file of filesBelow(ran.folder)) if (readFileSync(file).includes(KEY)) yield `the key stands in ${file}`;
  if (`${ran.out}${ran.err}`.includes(KEY)) yield 'the key was printed';
  if (retried.some(({ delay_ms, attempt }) => !Number.isInteger(delay_ms) || delay_ms < 0 || !(attempt >= 1 && attempt <= 8)))
    yield `a retry is recorded as ${JSON.stringify(retried)}`;
  yield* trouble.ends ? endedBadly(ran, { trouble, wire, clean }) : wentOn(ran, { trouble, wire, clean });
  if (end.attempts > (trouble.attempts ?? clean.end.attempts)) yield `${end.attempts} attempts were counted`;
}

function* wentOn({ code, end, events, retried, session, seen }, { trouble, wire, clean }) {
  const expected = typeof trouble.retries === 'function' ? trouble.retries(wire) : trouble.retries;
  if (code !== 0 || end.cause !== 'success') return yield `it ended as ${end.cause}, exit ${code}: ${end.reason}`;
  if (retried.length !== expected) yield `${retried.length} retries, not ${expected}`;
  if (trouble.status !== undefined && retried.some((retry) => retry.status !== trouble.status))
    yield 'a retry is recorded without its status';
  const [least, most] = trouble.delay ?? [0, Infinity];
  if (retried.some(({ delay_ms }) => delay_ms < least || delay_ms > most))
    yield `a retry waited ${retried.map(({ delay_ms }) => delay_ms)} ms`;
  if (end.attempts !== (trouble.attempts ?? clean.end.attempts)) yield `${end.attempts} attempts, not ${clean.end.attempts}`;
  const moved = retried.findIndex((_, index) => index > 0 && seen[index].text === undefined);
  if (moved !== -1) yield 'a request is missing';
  if (trouble.more) return;
  if (session.join('\n') !== clean.session.join('\n')) yield 'the session is not the one of a run without trouble';
  if (shape(events) !== shape(clean.events)) yield `the record is not the one of a run without trouble: ${shape(events)}`;
  const asked = [...new Set(seen.map(({ text }) => text))];
  if (asked.join('\n') !== clean.seen.map(({ text }) => text).join('\n')) yield 'a try asked something else than the one before it';
}

function* endedBadly({ code, end, events, retried, session }, { trouble, wire, clean }) {
  const { cause, exit, says, retries = 0, some = false } = trouble.ends;
  if (end.cause !== cause || code !== exit) yield `it ended as ${end.cause}, exit ${code}: ${end.reason}`;
  if (!says.test(end.reason)) yield `its reason is: ${end.reason}`;
  if (Buffer.byteLength(end.reason) > 2_300) yield `its reason has ${Buffer.byteLength(end.reason)} bytes`;
  if (cause === 'fault' && !/cut off/.test(end.reason) && !end.reason.includes(`${wire.provider}/${wire.model}`))
    yield `its reason names no model: ${end.reason}`;
  if (some ? retried.length === 0 : retried.length !== retries) yield `${retried.length} retries, not ${some ? 'some' : retries}`;
  const checks = events.filter(({ event }) => event === 'check').length;
  if (checks > 2) yield `${checks} checks were made of work that was not there`;
  if (/cut off/.test(end.reason)) return;
  if (session.join('\n') !== clean.session.slice(0, session.length).join('\n')) yield 'something of the trouble stands in the session';
}

/** The events that are left when retries and all times and hashes are taken out. */
function shape(events) {
  const kept = events.filter(({ event }) => event !== 'provider_retry');
  return kept
    .map(({ event, retry, check, exit, stop, input, output, cause, attempts }) =>
      JSON.stringify([event, retry, check, exit, stop, input, event === 'turn' ? output : 0, cause, attempts]),
    )
    .join('\n');
}

/** The session's lines without their times. */
function linesOf(file) {
  try {
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^\{"ts":"[^"]*",/, '{'));
  } catch {
    return [];
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
