import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepare } from '../../src/plan/prepare.js';
import { readShebang } from '../../src/plan/warnings/shebang.js';
import { assembly, ground, invocation, plant, sh, stage, type Planted, type Tree } from './ground.js';

/** The warnings of a check, without the ones that a test is not about. */
async function warnings(tree: Tree, about: RegExp, more: Tree = {}): Promise<readonly string[]> {
  const at = ground(tree);
  plant(join(at.root, 'a'), more);
  const outcome = await prepare(invocation({ models: 'rehearsal' }), at.ports);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusals));
  return outcome.plan.warnings.filter(({ message }) => about.test(message)).map(({ path, message }) => `${path}: ${message}`);
}

const gated = (gate: Planted, more: Tree = {}): Tree => assembly({ '01-a/STAGE.md': stage(), '01-a/gate.sh': gate, ...more });
const GATE = 'flows/main/01-a/gate.sh';

it('[I-6] a carriage return in the shebang of a helper script; a gate with one is refused before (A-9)', async () => {
  const helper = (text: string) => assembly({ '01-a/STAGE.md': stage(), '01-a/lib/words.sh': { x: text } });
  expect(await warnings(helper('#!/bin/sh\r\necho\r\n'), /carriage return/)).toEqual([
    expect.stringContaining('flows/main/01-a/lib/words.sh: '),
  ]);
  expect(await warnings(helper('#!/bin/sh\necho\r\n'), /carriage return/)).toEqual([]);
});

it.each([
  ['#!/usr/bin/env no-such-program\n', [expect.stringContaining('no-such-program is not on PATH here')]],
  ['#!/usr/bin/env -S no-such-program -x\n', [expect.stringContaining('no-such-program is not on PATH here')]],
  ['#!/no/such/program\n', [expect.stringContaining('/no/such/program does not exist here')]],
  ['#!/bin/sh\n', []],
  ['#!/usr/bin/env sh\n', []],
])('[I-6] an interpreter that is not here: %j', async (first, expected) => {
  expect(await warnings(gated({ x: `${first}cat "$1"\n` }), /interpreter/)).toEqual(expected);
});

it.each([
  ['#!/usr/bin/env node\n', { spelled: 'node', byPath: true }],
  ['#!/usr/bin/env -S A=1 deno run\n', { spelled: 'deno', byPath: true }],
  ['#! /bin/sh -e\n', { spelled: '/bin/sh', byPath: false }],
  ['#!\n', null],
])('[I-6] the interpreter of %j', (text, interpreter) => {
  expect(readShebang(Buffer.from(text))).toEqual({ interpreter, carriageReturn: false });
});

it('[I-6] bytes that are no script have no interpreter', () => {
  expect(readShebang(Buffer.from('\u007fELF'))).toBeNull();
  expect(readShebang(new Uint8Array())).toBeNull();
});

it.each([
  ['echo no > /dev/stderr', 1],
  ['echo no >/dev/stdout', 1],
  ['echo no > "/proc/self/fd/2"', 1],
  ['echo no >> /dev/stderr', 0],
  ['echo no >&2', 0],
  ['echo no | tee -a /dev/stderr', 0],
  ['# echo no > /dev/stderr', 0],
])('[I-6 K-7] what empties the capture: %s', async (line, count) => {
  expect(await warnings(gated({ x: `#!/bin/sh\n${line}\ncat "$1"\n` }), /throws away/)).toHaveLength(count);
});

const string = { type: 'string' };
it.each([
  [true, 'It accepts anything'],
  [{}, 'It accepts anything'],
  [{ title: 'x', description: 'y' }, 'It accepts anything'],
  [{ type: 'object' }, 'It accepts any object'],
  [{ type: 'object', required: ['notes'], properties: { notes: string } }, '"notes" accepts any string'],
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'object', required: ['b'], properties: { b: {} } } } },
    '"b" accepts anything',
  ],
  [{ type: 'array', items: { type: 'object', required: ['a'], properties: { a: string } } }, '"a" accepts any string'],
  [{ type: 'object', required: ['a'], properties: { a: string, b: string, c: string, d: string, e: string } }, 'and 2 more like these'],
])('[I-6] a schema that accepts too much: %j', async (schema, message) => {
  const found = await warnings(assembly({ '01-a/STAGE.md': stage(), '01-a/schema.json': JSON.stringify(schema) }), /accepts/);
  expect(found).toEqual([expect.stringContaining(message)]);
});

it('[I-6] a schema that judges each property is fine', async () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string', minLength: 1 }, b: { enum: [1] }, c: { type: 'integer' } },
  };
  expect(await warnings(assembly({ '01-a/STAGE.md': stage(), '01-a/schema.json': JSON.stringify(schema) }), /accepts/)).toEqual([]);
});

it.each([
  ['## checklist\n\n- a\n', ['flows/main/01-a.md: Its heading "checklist" is not read as a checklist. Spell it exactly: ## Checklist']],
  ['## Checklist:\n\n- a\n', [expect.stringContaining('"Checklist:"')]],
  ['# CHECKLIST #\n', [expect.stringContaining('"CHECKLIST"')]],
  ['Check list\n------\n\n- a\n', [expect.stringContaining('"Check list"')]],
  ['## Checklist\n\nBe careful.\n', [expect.stringContaining('has no list under it')]],
  ['## Checklist\n\n- a\n', []],
  ['```\n## checklist\n```\n', []],
  ['Follow the checklist.\n', []],
])('[I-6] a heading that is no checklist: %j', async (body, expected) => {
  expect(await warnings(assembly({ '01-a.md': stage(`Write.\n\n${body}`) }), /heading/)).toEqual(expected);
});

it.each([
  ['grep -q x "$1"', false],
  ['grep -q x "${1}"', false],
  ['for f in "$@"; do :; done', false],
  ['test -s "$OUTPUT"', false],
  ['exit 0', true],
  ['# reads "$1"\nexit 0', true],
  ['npm test', true],
])('[I-6] a gate of %j ignores the output: %s', async (text, ignores) => {
  expect(await warnings(gated(sh(text)), /reads neither/)).toHaveLength(ignores ? 1 : 0);
});

it('[I-6] a gate in another language reads its arguments its own way; a binary is not judged', async () => {
  expect(await warnings(gated({ x: '#!/usr/bin/env python3\nimport sys\nopen(sys.argv[1])\n' }), /reads neither/)).toEqual([]);
  for (const text of ['#!/usr/bin/awk -f\n{ print }\n', '#!/usr/bin/env -S jq -ef\n.a\n', '#!/usr/bin/env python3\nimport argparse\n'])
    expect(await warnings(gated({ x: text }), /reads neither/)).toEqual([]);
  expect(await warnings(gated({ x: '#!/bin/sh -e\necho "the output is bad"\n' }), /reads neither/)).toHaveLength(1);
  expect(await warnings(gated({ x: '\u007fELF\u0002\u0001\u0001' }), /reads neither/)).toEqual([]);
});

it('[I-6] a skill that nothing names', async () => {
  const skill = '---\ndescription: d\n---\nx\n';
  const tree = assembly(
    { '01-a.md': stage('Use the house-style skill.') },
    { 'skills/house-style/SKILL.md': skill, 'skills/lonely/SKILL.md': skill },
  );
  expect(await warnings(tree, /names the skill/)).toEqual([expect.stringContaining('skills/lonely: ')]);
});

it('[I-6] a gate that was never shown to fail, until a fixture shows it', async () => {
  const tree = gated(sh('cat "$1"'));
  const found = [expect.stringContaining(`${GATE}: Never shown to fail`)];
  expect(await warnings(tree, /Never shown/)).toEqual(found);
  expect(await warnings(tree, /Never shown/, { 'flows/main/01-a/.fixtures/pass/a.txt': 'x' })).toEqual(found);
  expect(await warnings(tree, /Never shown/, { 'flows/main/01-a/.fixtures/fail': { dir: true } })).toEqual(found);
  expect(await warnings(tree, /Never shown/, { 'flows/main/01-a/.fixtures/fail': 'a file' })).toEqual(found);
  expect(await warnings(tree, /Never shown/, { 'flows/main/01-a/.fixtures/fail/a.txt': 'x' })).toEqual([]);
});

it('[I-6] a sound assembly has no warning', async () => {
  const tree = gated(sh('grep -q x "$1"'));
  expect(await warnings(tree, /./, { 'flows/main/01-a/.fixtures/fail/a.txt': 'y' })).toEqual([]);
});

it('[I-6 G-6] what a FANOUT says for what stands inside it, where nothing does', async () => {
  const fanned = (front: string, more: Tree = {}): Tree =>
    assembly(
      {
        '01-a/STAGE.md': stage(),
        '01-a/schema.json': '{"type": "object"}',
        '02-f/FANOUT.md': `---\nitems: xs\nsubflow: one\nwidth: 1\nmax-items: 3\n${front}---\n`,
        '03-e.md': stage(),
        ...more,
      },
      { 'subflows/one/FLOW.md': '---\ndescription: One item\n---\n', 'subflows/one/01-do.md': stage() },
    );
  expect(await warnings(fanned(''), /reaches nobody/)).toEqual([]);
  const skill = { '02-f/skills/tone/SKILL.md': '---\ndescription: How to say it\n---\nPlainly.\n' };
  expect(await warnings(fanned('retries: 9\nlocal-context: use\n', skill), /reaches nobody/)).toEqual([
    expect.stringMatching(/^flows\/main\/02-f\/FANOUT\.md: "retries" .* one says\. Say it there\.$/),
    expect.stringMatching(/^flows\/main\/02-f\/FANOUT\.md: "local-context" /),
    expect.stringMatching(/^flows\/main\/02-f\/skills\/tone: "tone" /),
  ]);
});
