import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { escapeControls } from '@gated-flow/text';
import type { Verdict } from '../evaluate/check.js';
import { PASSED, violated } from '../evaluate/check.js';
import type { PluginCall, Plugins } from '../evaluate/ports.js';
import { isFields } from '../read/values.js';
import type { Environment } from './web.js';
import { isFile } from './disk.js';

export interface PluginOptions {
  readonly env: Environment;
  /** Where what a plugin prints goes. */
  print(text: string): void;
  readonly timeoutMs?: number;
}

export interface RunningPlugins extends Plugins {
  /** Ends the workers. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** Of what a plugin says about a run, in characters. */
const LONGEST_WORDS = 2000;

const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const words = (error) => String(error && error.message || error);
import(workerData).then((module) => {
  const validate = module.validate ?? module.default?.validate;
  if (typeof validate !== 'function') throw new Error('it exports no function named validate');
  parentPort.on('message', async ({ context, assertion }) => {
    try { parentPort.postMessage({ answer: await validate(context, assertion) }); }
    catch (error) { parentPort.postMessage({ crash: words(error) }); }
  });
  parentPort.postMessage({ ready: true });
}).catch((error) => parentPort.postMessage({ crash: words(error) }));
`;

/** Plugins in workers of their own, one for each, asked one thing at a time (C-8). A worker that crashed or hung is replaced. */
export function pluginWorkers(options: PluginOptions): RunningPlugins {
  const workers = new Map<string, Worker>();
  const queues = new Map<string, Promise<unknown>>();

  return {
    validate(call) {
      const name = `${dirname(call.from)}\n${call.plugin}`;
      const turn = (queues.get(name) ?? Promise.resolve()).then(() => validateIn(name, call));
      queues.set(name, turn);
      return turn;
    },
    async close() {
      await Promise.all([...workers.values()].map((worker) => worker.terminate()));
      workers.clear();
    },
  };

  async function validateIn(name: string, call: PluginCall): Promise<Verdict> {
    const file = await findPlugin(call.plugin, call.from);
    if (file === null) return violated(`the plugin ${call.plugin} cannot be found`);
    const known = workers.get(name);
    const worker = known ?? start(file);
    workers.set(name, worker);
    const message = await answerOf(worker, call, known === undefined);
    if (message.is === 'answered') return verdictOf(call.plugin, message.value);
    workers.delete(name);
    await worker.terminate();
    // What an error says may quote the output, and no audit may.
    return violated(`the plugin ${call.plugin} ${message.why}`, message.said);
  }

  function start(file: string): Worker {
    const { AGENTCONTRACT_AUDIT_KEY: _, ...env } = options.env;
    const worker = new Worker(PROGRAM, { eval: true, workerData: pathToFileURL(file).href, env, stdout: true, stderr: true });
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on('data', (bytes: Uint8Array) => options.print(escapeControls(Buffer.from(bytes).toString('utf8'))));
    }
    // Between calls nobody listens for it, and it must not end the program.
    worker.on('error', () => {});
    worker.unref();
    return worker;
  }

  async function answerOf(worker: Worker, { context, assertion }: PluginCall, fresh: boolean): Promise<PluginMessage> {
    const began = fresh ? await nextMessage(worker, options.timeoutMs ?? TIMEOUT_MS) : ({ is: 'answered', value: true } as const);
    if (began.is !== 'answered') return began;
    try {
      worker.postMessage({ context, assertion });
    } catch (error) {
      return { is: 'failed', why: 'cannot be told', said: error instanceof Error ? error.message : '' };
    }
    return nextMessage(worker, options.timeoutMs ?? TIMEOUT_MS);
  }
}

type PluginMessage =
  { readonly is: 'answered'; readonly value: unknown } | { readonly is: 'failed'; readonly why: string; readonly said?: string };

function nextMessage(worker: Worker, timeoutMs: number): Promise<PluginMessage> {
  return new Promise((settle) => {
    const finish = (message: PluginMessage): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
      settle(message);
    };
    const onMessage = (value: unknown): void => {
      const message = isFields(value) ? value : {};
      if (typeof message['crash'] === 'string') finish({ is: 'failed', why: 'failed', said: message['crash'].slice(0, LONGEST_WORDS) });
      else finish({ is: 'answered', value: message['answer'] });
    };
    const onError = (error: Error): void => finish({ is: 'failed', why: 'crashed', said: error.message.slice(0, LONGEST_WORDS) });
    const onExit = (code: number): void => finish({ is: 'failed', why: `ended itself (exit ${code})` });
    const timer = setTimeout(() => finish({ is: 'failed', why: `did not answer within ${timeoutMs / 1000} seconds` }), timeoutMs);
    worker.ref();
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function verdictOf(plugin: string, answer: unknown): Verdict {
  const pass = isFields(answer) ? answer['pass'] : answer;
  const details = isFields(answer) && typeof answer['details'] === 'string' ? answer['details'].slice(0, LONGEST_WORDS) : undefined;
  if (pass === true) return PASSED;
  if (pass === false) return violated(`the plugin ${plugin} says no`, details);
  return violated(`the plugin ${plugin} answered neither true nor false, nor {pass: …}`);
}

/** The file of a plugin: beside its contract, or of a package installed where the contract lies. Null: there is none. */
export async function findPlugin(plugin: string, from: string): Promise<string | null> {
  if (/^https:/.test(from)) return null;
  if (/^\.{0,2}\//.test(plugin)) {
    const path = resolve(dirname(from), plugin);
    return (await isFile(path)) ? path : null;
  }
  try {
    return createRequire(from).resolve(plugin);
  } catch {
    return packageEntry(plugin, dirname(from));
  }
}

/** A package that can only be imported: what its `exports` or `main` name. */
async function packageEntry(plugin: string, folder: string): Promise<string | null> {
  const home = join(folder, 'node_modules', plugin);
  const text = await readFile(join(home, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return dirname(folder) === folder ? null : packageEntry(plugin, dirname(folder));
  const entry = entryOf(JSON.parse(text));
  const path = resolve(home, entry);
  return (await isFile(path)) ? path : null;
}

function entryOf(manifest: unknown): string {
  if (!isFields(manifest)) return 'index.js';
  const target = (value: unknown): string | undefined => {
    if (typeof value === 'string') return value;
    if (!isFields(value)) return undefined;
    return target(value['.']) ?? target(value['node']) ?? target(value['import']) ?? target(value['default']);
  };
  return target(manifest['exports']) ?? target(manifest['main']) ?? 'index.js';
}
