import { describe, expect, it } from 'vitest';
import { parseAssembly } from '../src/index.js';
import type { Tree } from './support/plant.js';
import { ASSEMBLY, FLOW, S, assembly, sh, snapshot, stage } from './support/plant.js';

/** As `code path`, in the order they are reported. */
export async function refusalsOf(tree: Tree): Promise<readonly string[]> {
  const parsed = await parseAssembly(snapshot(tree));
  return parsed.ok ? [] : parsed.refusals.map(({ code, path }) => `${code} ${path}`);
}

const OBJECT = '{"type":"object","properties":{"a":{"type":"string"}}}';
const LOOP = '---\nrepeat: 2\n---\n';
const PARALLEL = '---\n---\n';

type Table = Readonly<Record<string, readonly [tree: Tree, refusals: readonly string[]]>>;

const root: Table = {
  '[A-1] no ASSEMBLY.md': [{ 'flows/main/FLOW.md': FLOW, 'flows/main/01-a.md': S }, ['assembly-incomplete .']],
};
const table: Table = {
  ...root,
  '[A-10] empty body': [assembly({ '01-a.md': '---\n---\n\n' }), ['body-missing flows/main/01-a.md']],
  '[A-5 A-10] a body that is only a comment': [assembly({ '01-a.md': '---\n---\n<!-- later -->\n' }), ['body-missing flows/main/01-a.md']],
  '[A-3] unfenced': [assembly({ '01-a.md': 'Write.\n' }), ['frontmatter-invalid flows/main/01-a.md']],
  '[A-3] duplicate key': [assembly({ '01-a.md': stage('W.', 'retries: 1\nretries: 2\n') }), ['frontmatter-invalid flows/main/01-a.md']],
  '[A-3] byte-order mark': [
    assembly({ '01-a.md': { bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(S)]) } }),
    ['frontmatter-invalid flows/main/01-a.md'],
  ],
  '[A-4] unknown key': [assembly({ '01-a.md': stage('W.', 'model: x\n') }), ['key-unknown flows/main/01-a.md']],
  '[A-4 A-15] no description': [{ ...assembly({ '01-a.md': S }), 'flows/main/FLOW.md': '---\n---\n' }, ['key-missing flows/main/FLOW.md']],
  '[A-4 O-4] timeout of zero': [assembly({ '01-a.md': stage('W.', 'timeout: 0\n') }), ['value-invalid flows/main/01-a.md']],
  '[A-6] two equal numbers': [assembly({ '01-a.md': S, '1-b.md': S }), ['number-duplicate flows/main/1-b.md']],
  '[A-6] ten digits': [assembly({ '0000000001-a.md': S }), ['number-invalid flows/main/0000000001-a.md']],
  '[A-6] no number': [assembly({ '01-a.md': S, 'b.md': S }), ['number-missing flows/main/b.md']],
  '[A-7] no sentinel': [assembly({ '01-a/schema.json': OBJECT, '02-b.md': S }), ['sentinel-missing flows/main/01-a']],
  '[A-7] two sentinels': [assembly({ '01-a/STAGE.md': S, '01-a/LOOP.md': LOOP, '02-b.md': S }), ['sentinel-duplicate flows/main/01-a']],
  '[A-7] sentinel in the wrong case': [assembly({ '01-a/STAGE.md': S, '01-a/Stage.md': S }), ['sentinel-unknown flows/main/01-a/Stage.md']],
  '[A-8] two schemas': [
    assembly({ '01-a/STAGE.md': S, '01-a/schema.json': OBJECT, '01-a/schema.md': '---\n---\nx\n' }),
    ['schema-duplicate flows/main/01-a'],
  ],
  '[A-11] another dialect': [
    assembly({ '01-a/STAGE.md': S, '01-a/schema.json': '{"$schema":"http://json-schema.org/draft-07/schema#"}' }),
    ['schema-invalid flows/main/01-a/schema.json'],
  ],
  '[A-8] gate file and folder': [
    assembly({ '01-a/STAGE.md': S, '01-a/gate.sh': sh(), '01-a/gate/01.sh': sh() }),
    ['gate-conflict flows/main/01-a'],
  ],
  '[A-9] hook without run bit': [
    assembly({ '01-a/STAGE.md': S, '01-a/before.sh': '#!/bin/sh\n' }),
    ['not-runnable flows/main/01-a/before.sh'],
  ],
  '[A-9] gate without shebang': [assembly({ '01-a/STAGE.md': S, '01-a/gate': { x: 'exit 0\n' } }), ['not-runnable flows/main/01-a/gate']],
  '[A-8] reserved name in gate/': [
    assembly({ '01-a/STAGE.md': S, '01-a/gate/before.sh': sh() }),
    ['entry-unknown flows/main/01-a/gate/before.sh'],
  ],
  '[A-8] two hooks of a kind': [
    assembly({ '01-a/STAGE.md': S, '01-a/before.sh': sh(''), '01-a/before.py': sh('') }),
    ['hook-duplicate flows/main/01-a'],
  ],
  '[A-8] unknown file': [assembly({ '01-a/STAGE.md': S, '01-a/notes.txt': 'x' }), ['entry-unknown flows/main/01-a/notes.txt']],
  '[A-13] symbolic link': [
    assembly({ '01-a/STAGE.md': S, '01-a/schema.json': { link: '/etc/hostname' } }),
    ['symlink flows/main/01-a/schema.json'],
  ],
  '[A-8 A-14] empty gate folder': [assembly({ '01-a/STAGE.md': S, '01-a/gate': { dir: true } }), ['folder-empty flows/main/01-a/gate']],
  '[A-14] empty flow': [{ 'ASSEMBLY.md': ASSEMBLY, 'flows/main/FLOW.md': FLOW }, ['folder-empty flows/main']],
  '[G-2] container last': [assembly({ '01-a/LOOP.md': LOOP, '01-a/01-b.md': S }), ['tail-container flows/main/01-a']],
  '[G-3] loop without repeat': [
    assembly({ '01-a/LOOP.md': '---\n---\n', '01-a/01-b.md': S, '02-c.md': S }),
    ['key-missing flows/main/01-a/LOOP.md'],
  ],
  '[G-2] loop in a loop': [
    assembly({ '01-a/LOOP.md': LOOP, '01-a/01-b/LOOP.md': LOOP, '01-a/01-b/01-c.md': S, '01-a/02-d.md': S, '02-e.md': S }),
    ['loop-nested flows/main/01-a/01-b'],
  ],
  '[G-4] choice of one': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n- `x` — do x\n', '01-a/x.md': S, '02-c.md': S }),
    ['chooser-invalid flows/main/01-a/CHOOSE.md'],
  ],
  '[G-4] listed but absent': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n- `x` — do x\n- `y` — do y\n- `z` — do z\n', '01-a/x.md': S, '01-a/y.md': S, '02-c.md': S }),
    ['alternative-mismatch flows/main/01-a/CHOOSE.md'],
  ],
  '[G-5] numbered branch': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/01-x.md': S, '01-a/y.md': S, '02-c.md': S }),
    ['branch-numbered flows/main/01-a/01-x.md'],
  ],
  '[G-5] a body on PARALLEL': [
    assembly({ '01-a/PARALLEL.md': '---\n---\nHello\n', '01-a/x.md': S, '01-a/y.md': S, '02-c.md': S }),
    ['body-unexpected flows/main/01-a/PARALLEL.md'],
  ],
  '[G-1] a gate on a container': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/x.md': S, '01-a/y.md': S, '01-a/gate.sh': sh(), '02-c.md': S }),
    ['container-check flows/main/01-a/gate.sh'],
  ],
  '[A-12] skill without description': [
    { ...assembly({ '01-a.md': S }), 'skills/s/SKILL.md': '---\nname: s\n---\nx\n' },
    ['key-missing skills/s/SKILL.md'],
  ],
  '[A-17] slot named like a variable': [
    { ...assembly({ '01-a.md': S }), 'ASSEMBLY.md': '---\nslots:\n  path: p\n---\nx\n' },
    ['slot-reserved ASSEMBLY.md'],
  ],
  '[A-18] several faults at once': [
    assembly({ '01-a.md': '---\n---\n', 'b.md': S, '03-c/STAGE.md': S, '03-c/x': 'y' }),
    ['body-missing flows/main/01-a.md', 'entry-unknown flows/main/03-c/x', 'number-missing flows/main/b.md'],
  ],
};

describe('a tree and its refusals', () => {
  for (const [name, [tree, expected]] of Object.entries(table)) {
    it(name, async () => {
      expect(await refusalsOf(tree)).toEqual(expected);
    });
  }
});
