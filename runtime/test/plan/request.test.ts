import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RequestWords } from '../../src/plan/invocation.js';
import { readRequest } from '../../src/plan/request/read.js';
import { ground, input, plant } from './ground.js';

const LIMIT = 4 * 1024 * 1024;

function words(more: Partial<RequestWords> = {}): RequestWords {
  return { words: [], none: false, ...more };
}

async function read(typed: Partial<RequestWords>, at = ground({}), purpose: 'run' | 'check' = 'run') {
  const outcome = await readRequest(words(typed), purpose, at.ports);
  if (!outcome.ok) return outcome.refusals.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  const { request, task } = outcome.value;
  return { text: Buffer.from(request.bytes).toString(), extension: request.extension, from: request.from, task };
}

it.each([
  ['an argument', 'do it', { text: 'do it', extension: '.txt', from: 'argument', task: {} }],
  ['a doubled @ is a text', '@@team look', { text: '@team look', extension: '.txt', from: 'argument', task: {} }],
  ['a file', '@in.log', { text: 'x: 1\n', extension: '.log', from: 'file', task: {} }],
  ['a file is never parsed', '@in.md', { text: '---\nretries: 9\n---\nhi\n', extension: '.md', from: 'file', task: {} }],
  ['a file without an extension', '@in', { text: 'x', extension: '.txt', from: 'file', task: {} }],
  ['an extension that is not letters and digits', '@in.a-b', { text: 'x', extension: '.txt', from: 'file', task: {} }],
  ['a link to a file', '@link.txt', { text: 'x', extension: '.txt', from: 'file', task: {} }],
])('[O-3] %s', async (_, word, expected) => {
  const at = ground({});
  plant(join(at.root, 'work'), {
    'in.log': 'x: 1\n',
    'in.md': '---\nretries: 9\n---\nhi\n',
    in: 'x',
    'in.a-b': 'x',
    'link.txt': { link: 'in' },
  });
  expect(await read({ words: [word] }, at)).toEqual(expected);
});

it('[O-3] a file arrives byte for byte', async () => {
  const at = ground({});
  const bytes = Uint8Array.from([0xff, 0x00, 0xfe, 0x0d, 0x0a]);
  plant(join(at.root, 'work'), { 'in.bin': bytes });
  const outcome = await readRequest(words({ words: ['@in.bin'] }), 'run', at.ports);
  expect(outcome.ok && [...outcome.value.request.bytes]).toEqual([...bytes]);
});

it('[O-3] --no-request is an empty request', async () => {
  expect(await read({ none: true })).toEqual({ text: '', extension: '.txt', from: 'none', task: {} });
});

it('[O-3] with an argument, standard input is never read', async () => {
  const stdin = input('other');
  expect(await read({ words: ['mine'] }, ground({}, { stdin }))).toMatchObject({ text: 'mine', from: 'argument' });
  expect(await read({ none: true }, ground({}, { stdin }))).toMatchObject({ from: 'none' });
  expect(stdin.reads).toEqual([]);
});

it('[O-3] standard input that is no terminal is the request when nothing else is, and a silent one is spoken of', async () => {
  const stdin = input('from the pipe');
  expect(await read({}, ground({}, { stdin }))).toEqual({ text: 'from the pipe', extension: '.txt', from: 'stdin', task: {} });
  expect(await read({ words: ['-'] }, ground({}, { stdin }))).toMatchObject({ from: 'stdin' });
  expect(stdin.said).toEqual(Array.from({ length: 2 }, () => 'Waiting for the request on standard input.'));
});

it('[O-3] a check without a request leaves standard input alone', async () => {
  const stdin = input('bytes');
  expect(await read({}, ground({}, { stdin }), 'check')).toMatchObject({ from: 'none' });
  expect(stdin.reads).toEqual([]);
});

it.each([
  ['none, at a terminal', {}, 'There is no request.'],
  ['an empty argument', { words: [''] }, 'The request is empty.'],
  ['two arguments', { words: ['fix', 'it'] }, 'Put it in quotes.'],
  ['an argument and a task', { words: ['x'], task: 'task.md' }, 'given twice: by an argument and by --task'],
  ['an argument and none', { words: ['x'], none: true }, 'given twice: by an argument and by --no-request'],
  ['a task and none', { task: 'task.md', none: true }, 'given twice: by --task and by --no-request'],
  ['a file that is not there', { words: ['@gone.txt'] }, 'There is no file gone.txt.'],
  ['a folder', { words: ['@folder'] }, 'folder is a folder'],
  ['no name', { words: ['@'] }, 'There is no file name after @.'],
  ['a task that is not there', { task: 'gone.md' }, 'There is no file gone.md.'],
  ['a task without a body', { task: 'bare.md' }, 'bare.md has no body'],
] as const)('[O-3] refused: %s', async (_, typed, message) => {
  const at = ground({});
  plant(join(at.root, 'work'), { folder: { dir: true }, 'bare.md': '---\nretries: 1\n---\n\n', 'task.md': 'x' });
  const outcome = await read(typed, at);
  expect(outcome).toEqual([expect.stringMatching(/^request-invalid request: /)]);
  expect(JSON.stringify(outcome)).toContain(message);
});

it('[O-3] empty standard input is no request', async () => {
  expect(await read({}, ground({}, { stdin: input('') }))).toEqual([expect.stringContaining('standard input was empty')]);
  expect(await read({ words: ['-'] }, ground({}, { stdin: input('') }))).toEqual(['request-invalid request: Standard input was empty.']);
});

it('[O-3] at most 4 MiB, by every way', async () => {
  const at = ground({});
  mkdirSync(join(at.root, 'work'), { recursive: true });
  writeFileSync(join(at.root, 'work/full.txt'), Buffer.alloc(LIMIT, 'a'));
  writeFileSync(join(at.root, 'work/over.txt'), Buffer.alloc(LIMIT + 1, 'a'));
  expect(await read({ words: ['@full.txt'] }, at)).toMatchObject({ from: 'file' });
  expect(await read({ words: ['@over.txt'] }, at)).toEqual([expect.stringContaining('larger than 4 MiB')]);
  expect(await read({ task: 'over.txt' }, at)).toEqual([expect.stringContaining('larger than 4 MiB')]);
  expect(await read({ words: ['é'.repeat(LIMIT / 2 + 1)] }, at)).toEqual([expect.stringContaining('larger than 4 MiB')]);
  expect(await read({}, ground({}, { stdin: input(Buffer.alloc(LIMIT + 1, 'a')) }))).toEqual([
    expect.stringContaining('larger than 4 MiB'),
  ]);
});

it('[O-3 O-4] a task may set the inheritable keys; its body is the request, byte for byte', async () => {
  const at = ground({});
  plant(join(at.root, 'work'), {
    'task.md': '---\nretries: 0\ntimeout: 60\nintelligence: fast\nlocal-context: use\n---\nDo it.\n',
    'plain.md': 'Just do it.\n',
  });
  expect(await read({ task: 'task.md' }, at)).toEqual({
    text: 'Do it.\n',
    extension: '.md',
    from: 'task',
    task: { retries: 0, timeout: 60, intelligence: 'fast', localContext: 'use' },
  });
  expect(await read({ task: 'plain.md' }, at)).toMatchObject({ text: 'Just do it.\n', task: {} });
});

it.each([
  ['retrys: 1', 'key-unknown', 'Did you mean retries?'],
  ['workdir: x', 'key-unknown', 'The keys are'],
  ['retries: -1', 'value-invalid', 'retries must be'],
  ['timeout: 2147484', 'value-invalid', 'timeout must be'],
  ['retries: 1\nretries: 2', 'frontmatter-invalid', 'task.md, line'],
])('[O-3 O-4] a task with %j is refused as %s', async (front, code, message) => {
  const at = ground({});
  plant(join(at.root, 'work'), { 'task.md': `---\n${front}\n---\nDo it.\n` });
  const outcome = await read({ task: 'task.md' }, at);
  expect(JSON.stringify(outcome)).toContain(`${code} request: task.md, line`);
  expect(JSON.stringify(outcome)).toContain(message);
});
