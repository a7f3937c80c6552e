import { resolve } from 'node:path';
import type { Inheritable } from '@gated-flow/assembly';
import type { Invocation, RequestWords } from '../invocation.js';
import type { PreparePorts } from '../prepare.js';
import type { Request } from '../plan.js';
import { found, refused, requestInvalid, type Resolved } from '../refusal.js';
import { REQUEST_MAX_BYTES, extensionOf, readRequestFile, tooLarge } from './file.js';
import { readTask } from './task.js';

/** The request, and what its front matter says about the options when it is a task (O-3). */
export interface ReadRequest {
  readonly request: Request;
  readonly task: Inheritable;
}

const EMPTY: Request = { bytes: new Uint8Array(), extension: '.txt', from: 'none' };

type Ports = Pick<PreparePorts, 'cwd' | 'disk' | 'stdin'>;

/** Reads the request from the one way it was given. A check may have none, and then leaves standard input alone. */
export async function readRequest(words: RequestWords, purpose: 'run' | 'check', ports: Ports): Promise<Resolved<ReadRequest>> {
  if (words.kept !== undefined) return found(words.kept);
  const clash = twoWays(words);
  if (clash !== null) return refused(requestInvalid(clash));
  if (words.none) return plain(EMPTY);
  if (words.task !== undefined) return readTask(words.task, ports);
  const [word] = words.words;
  if (word === undefined) return purpose === 'check' ? plain(EMPTY) : readUnasked(ports);
  if (word === '-') return readInput(ports, 'Standard input was empty.');
  if (word.startsWith('@') && !word.startsWith('@@')) return fromFile(word.slice(1), ports);
  await noticeFile(word, ports);
  return fromArgument(word.startsWith('@@') ? word.slice(1) : word);
}

const LONGEST_NAME = 200;

/** A forgotten `@` would run with the file's name for a request. */
async function noticeFile(word: string, { cwd, disk, stdin }: Ports): Promise<void> {
  if (word.length > LONGEST_NAME || /[\s\0]/.test(word)) return;
  const path = await disk.real(resolve(cwd, word)).catch(() => null);
  if (path !== null)
    stdin.notice(`The request is the text ${JSON.stringify(word)}. A file of that name is here: @${word} would give what is in it.`);
}

/** Whether reading the request means waiting for standard input. */
export function readsInput({ purpose, request }: Invocation, { stdin }: Ports): boolean {
  if (request.kept !== undefined || request.none || request.task !== undefined || request.words.length > 1) return false;
  const [word] = request.words;
  return word === '-' || (word === undefined && purpose === 'run' && !stdin.isTerminal);
}

function twoWays({ words, task, none }: RequestWords): string | null {
  if (words.length > 1) return `The request is one argument; there are ${words.length}. Put it in quotes.`;
  const ways = [
    ...(words.length === 1 ? ['an argument'] : []),
    ...(task === undefined ? [] : ['--task']),
    ...(none ? ['--no-request'] : []),
  ];
  return ways.length > 1 ? `The request was given twice: by ${ways.join(' and by ')}. Keep one.` : null;
}

function plain(request: Request): Resolved<ReadRequest> {
  return found({ request, task: {} });
}

function fromArgument(text: string): Resolved<ReadRequest> {
  if (text === '') return refused(requestInvalid('The request is empty. Say what is wanted, or --no-request to run without one.'));
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > REQUEST_MAX_BYTES) return refused(tooLarge('The request'));
  return plain({ bytes, extension: '.txt', from: 'argument' });
}

async function fromFile(name: string, ports: Ports): Promise<Resolved<ReadRequest>> {
  const file = await readRequestFile(name, ports);
  return file.ok ? plain({ bytes: file.value, extension: extensionOf(name), from: 'file' }) : file;
}

const WAYS = 'Give it as an argument, @FILE, --task FILE, or - for standard input; --no-request runs without one.';

async function readUnasked(ports: Ports): Promise<Resolved<ReadRequest>> {
  if (ports.stdin.isTerminal) return refused(requestInvalid(`There is no request. ${WAYS}`));
  return readInput(ports, `There is no request, and standard input was empty. ${WAYS}`);
}

async function readInput({ stdin }: Ports, whenEmpty: string): Promise<Resolved<ReadRequest>> {
  const bytes = await stdin.read(REQUEST_MAX_BYTES, () => {
    stdin.notice(`Waiting for the request on standard input${stdin.isTerminal ? ' (Ctrl-D ends it)' : ''}.`);
  });
  if (bytes.length === 0) return refused(requestInvalid(whenEmpty));
  if (bytes.length > REQUEST_MAX_BYTES) return refused(tooLarge('Standard input'));
  return plain({ bytes, extension: '.txt', from: 'stdin' });
}
