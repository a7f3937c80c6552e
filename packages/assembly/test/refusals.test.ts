import { describe, expect, it } from 'vitest';
import { parseAssembly } from '../src/index.js';
import type { Planted, Tree } from './support/plant.js';
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

const table: Table = {
  '[A-1] no ASSEMBLY.md': [{ 'flows/main/FLOW.md': FLOW, 'flows/main/01-a.md': S }, ['assembly-incomplete .']],
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
  '[A-6 A-18] a number of ten digits is not a duplicate, too': [
    assembly({ '0000000001-a.md': S, '1-b.md': S, '1234567890-c.md': S, '1234567890-d.md': S }),
    ['0000000001-a.md', '1234567890-c.md', '1234567890-d.md'].map((name) => `number-invalid flows/main/${name}`),
  ],
  '[A-8 A-18] a gate file beside an empty gate folder': [
    assembly({ '01-a/STAGE.md': S, '01-a/gate.sh': sh(), '01-a/gate': { dir: true } }),
    ['gate-conflict flows/main/01-a'],
  ],
  '[A-12] a skill may be called request': [{ ...assembly({ '01-a.md': S }), 'skills/request/SKILL.md': '---\ndescription: d\n---\n' }, []],
  '[A-12] a skill with a name of 201 bytes': [
    { ...assembly({ '01-a.md': S }), [`skills/${'s'.repeat(201)}/SKILL.md`]: '---\ndescription: d\n---\n' },
    [`value-invalid skills/${'s'.repeat(201)}`],
  ],
  '[A-12] SKILL.md is a folder': [{ ...assembly({ '01-a.md': S }), 'skills/s/SKILL.md/x': 'y' }, ['skill-invalid skills/s']],
  '[A-14 G-4] an alternative that holds README.md alone': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n- `x` — do x\n- `y` — do y\n', '01-a/x/README.md': 'x', '01-a/y.md': S, '02-c.md': S }),
    ['folder-empty flows/main/01-a/x'],
  ],
  '[G-1 G-5 A-18] a checklist on a PARALLEL is one fault': [
    assembly({ '01-a/PARALLEL.md': '---\n---\n# Checklist\n\n- a\n', '01-a/x.md': S, '02-c.md': S }),
    ['container-check flows/main/01-a/PARALLEL.md'],
  ],
  '[A-6] no number': [assembly({ '01-a.md': S, 'b.md': S }), ['number-missing flows/main/b.md']],
  '[A-7] no sentinel': [assembly({ '01-a/schema.json': OBJECT, '02-b.md': S }), ['sentinel-missing flows/main/01-a']],
  '[A-7] a sentinel that is a folder': [assembly({ '01-a/STAGE.md/x': 'y', '02-b.md': S }), ['sentinel-missing flows/main/01-a']],
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

const CHOOSE = '---\n---\n- `x` — do x\n- `y` — do y\n';
const XY = { '01-a/x.md': S, '01-a/y.md': S, '02-z.md': S };
const FANOUT = '---\nitems: parts\nsubflow: each\nwidth: 4\nmax-items: 10\n---\n';
const EACH = { 'subflows/each/FLOW.md': FLOW, 'subflows/each/01-a.md': S };
const JSON_STAGE = { '01-list/STAGE.md': S, '01-list/schema.json': OBJECT };
const withFront = (front: string): Tree => ({ ...assembly({ '01-a.md': S }), 'ASSEMBLY.md': `---\n${front}---\n` });
const beside = (name: string, planted: Planted = 'x'): Tree => assembly({ '01-a/STAGE.md': S, [`01-a/${name}`]: planted });
const staged = (front: string): Tree => assembly({ '01-a.md': stage('W.', front) });
const LONG = 'n'.repeat(201);

const rootTable: Table = {
  '[A-1] flows is a file': [{ 'ASSEMBLY.md': ASSEMBLY, flows: 'x' }, ['assembly-incomplete .']],
  '[A-1] ASSEMBLY.md is a folder': [
    { 'ASSEMBLY.md': { dir: true }, 'flows/main/FLOW.md': FLOW, 'flows/main/01-a.md': S },
    ['assembly-incomplete .'],
  ],
  '[A-1 A-7] a mis-cased sentinel of a lone stage': [{ 'Stage.md': S, 'gate.sh': sh() }, ['sentinel-unknown Stage.md']],
  '[A-1 A-7] a mis-cased sentinel of a lone flow': [{ 'flow.md': FLOW, '01-a.md': S }, ['sentinel-unknown flow.md']],
  '[A-1 A-7] a capitalised file alone is not one': [{ 'Notes.md': 'x' }, ['assembly-incomplete .']],
  '[A-15] folders: takes no way out of the root': [withFront('folders: [.., .]\n'), Array<string>(2).fill('value-invalid ASSEMBLY.md')],
  '[A-15] folders: takes names with white space': [{ ...withFront('folders: ["my docs"]\n'), 'my docs/x': 'y' }, []],
  '[A-1] no flows/': [{ 'ASSEMBLY.md': ASSEMBLY }, ['assembly-incomplete .']],
  '[A-1] neither': [{ 'main.py': 'x' }, ['assembly-incomplete .']],
  '[A-1] nothing at all': [{}, ['assembly-incomplete .']],
  '[A-1 A-18] what is in flows/ is judged without ASSEMBLY.md, what stands beside it is not': [
    { 'flows/main/FLOW.md': FLOW, 'flows/main/a.md': S, 'notes.txt': 'x' },
    ['assembly-incomplete .', 'number-missing flows/main/a.md'],
  ],
  '[A-1 A-7] a mis-cased ASSEMBLY.md is one fault': [
    { 'Assembly.md': ASSEMBLY, 'flows/main/FLOW.md': FLOW, 'flows/main/01-a.md': S },
    ['sentinel-unknown Assembly.md'],
  ],
  '[A-1 A-13] a link in its place is one fault': [
    { 'ASSEMBLY.md': { link: '/x' }, 'flows/main/FLOW.md': FLOW, 'flows/main/01-a.md': S },
    ['symlink ASSEMBLY.md'],
  ],
  '[A-14] flows/ without a flow': [{ 'ASSEMBLY.md': ASSEMBLY, flows: { dir: true } }, ['folder-empty flows']],
  '[A-15] an unknown file at the root': [assembly({ '01-a.md': S }, { 'notes.txt': 'x' }), ['entry-unknown notes.txt']],
  '[A-15] an unknown folder at the root is one fault, whatever is in it': [
    assembly({ '01-a.md': S }, { 'src/a': { link: '/x' }, 'src/b': 'x' }),
    ['entry-unknown src'],
  ],
  '[A-15] strict: false makes unknown entries opaque': [
    { ...withFront('strict: false\n'), 'notes.txt': 'x', 'src/a': { link: '/x' }, 'Flow.md': 'x' },
    [],
  ],
  '[A-15] folders: are opaque': [{ ...withFront('folders: [src, absent]\n'), 'src/a': { link: '/x' } }, []],
  '[A-15] folders: names no file': [{ ...withFront('folders: [src]\n'), src: 'x' }, ['entry-unknown src']],
  '[A-15] folders: names no link': [{ ...withFront('folders: [src]\n'), src: { link: '/x' } }, ['symlink src']],
  '[A-15] folders: cannot name what the assembly reads': [withFront('folders: [flows]\n'), ['value-invalid ASSEMBLY.md']],
  '[A-15] folders: names top-level folders alone': [withFront('folders: [a/b]\n'), ['value-invalid ASSEMBLY.md']],
  '[A-15] folders: is a list': [withFront('folders: src\n'), ['value-invalid ASSEMBLY.md']],
  '[A-3 A-18] a broken ASSEMBLY.md leaves unknown entries alone': [
    { ...withFront('a: [\n'), 'notes.txt': 'x' },
    ['frontmatter-invalid ASSEMBLY.md'],
  ],
  '[A-15] all keys': [
    withFront(
      'intelligence: default\ntimeout: 5\nretries: 0\nlocal-context: use\nslots:\n  repo: the repository\ntmp-max-bytes: 1\nstrict: true\nfolders: []\nunevaluated: fail\n',
    ),
    [],
  ],
  '[A-4 A-15] wrong values are each named': [
    withFront('timeout: 1.5\nretries: -1\nlocal-context: yes\ntmp-max-bytes: 0\nstrict: maybe\nunevaluated: ignore\nintelligence: [a]\n'),
    Array<string>(7).fill('value-invalid ASSEMBLY.md'),
  ],
  '[A-4] unknown keys are each named': [withFront('a: 1\nb: 2\n'), ['key-unknown ASSEMBLY.md', 'key-unknown ASSEMBLY.md']],
  '[A-4] __proto__ is an unknown key like any': [
    withFront('__proto__: 1\nconstructor: 1\n'),
    ['key-unknown ASSEMBLY.md', 'key-unknown ASSEMBLY.md'],
  ],
  '[A-15] a slot without a description': [withFront('slots:\n  repo:\n'), ['value-invalid ASSEMBLY.md']],
  '[A-8] two contracts at the root': [
    assembly({ '01-a.md': S }, { 'a.contract.yaml': 'a: 1\n', 'b.contract.json': '{}' }),
    ['contract-invalid b.contract.json'],
  ],
  '[A-8] a contract that is no map': [assembly({ '01-a.md': S }, { 'a.contract.yaml': '- 1\n' }), ['contract-invalid a.contract.yaml']],
  '[A-8] a contract that cannot be parsed': [assembly({ '01-a.md': S }, { 'a.contract.json': '{' }), ['contract-invalid a.contract.json']],
  '[A-8] a contract of bytes': [
    assembly({ '01-a.md': S }, { 'a.contract.yaml': { bytes: Buffer.from([0xff, 0xfe]) } }),
    ['contract-invalid a.contract.yaml'],
  ],
  '[A-8] governance at the root': [assembly({ '01-a.md': S }, { 'governance.contract.json': '{"contract_type":"governance"}' }), []],
  '[A-8] governance of another type': [
    assembly({ '01-a.md': S }, { 'governance.contract.json': '{"contract_type":"agent"}' }),
    ['governance-invalid governance.contract.json'],
  ],
  '[A-8] governance that is no JSON': [
    assembly({ '01-a.md': S }, { 'governance.contract.json': 'a: 1' }),
    ['governance-invalid governance.contract.json'],
  ],
  '[A-8] governance in a flow and in a stage': [
    assembly({ 'governance.contract.json': '{"contract_type":"governance"}', '01-a/STAGE.md': S, '01-a/governance.contract.json': '{}' }),
    ['governance-invalid flows/main/01-a/governance.contract.json', 'governance-invalid flows/main/governance.contract.json'],
  ],
  '[A-7] a flow sentinel beside ASSEMBLY.md': [assembly({ '01-a.md': S }, { 'FLOW.md': FLOW }), ['sentinel-unknown FLOW.md']],
  '[A-7] CHANGELOG.md looks like a sentinel': [assembly({ '01-a.md': S }, { 'CHANGELOG.md': 'x' }), ['sentinel-unknown CHANGELOG.md']],
  '[A-21] lib/ may hold anything, links excepted': [
    assembly({ '01-a.md': S, 'lib/x': 'y' }, { 'lib/STAGE.md': 'x', 'lib/deep/a~': 'x', 'lib/link': { link: '/x' } }),
    ['symlink lib/link'],
  ],
  '[A-13] dot-entries are ignored wherever they stand': [
    assembly({ '01-a/STAGE.md': S, '01-a/.fixtures/pass/a.txt': 'x', '.x': 'y' }, { '.git/HEAD': 'x' }),
    [],
  ],
  '[A-8] lib as a file': [beside('lib'), ['entry-unknown flows/main/01-a/lib']],
};

const sequenceTable: Table = {
  '[A-6] numbers compare as numbers, and gaps are fine': [assembly({ '9-a.md': S, '10-b.md': S, '999999999-c.md': S }), []],
  '[A-6] three equal numbers are two refusals': [
    assembly({ '001-a.md': S, '01-b.md': S, '1-c.md': S }),
    ['number-duplicate flows/main/01-b.md', 'number-duplicate flows/main/1-c.md'],
  ],
  '[A-6] a file and a folder of one number': [assembly({ '01-a.md': S, '01-a/STAGE.md': S }), ['number-duplicate flows/main/01-a.md']],
  '[A-6] a number without a hyphen is none': [
    assembly({ '01_a.md': S, '02.md': S }),
    ['number-missing flows/main/01_a.md', 'number-missing flows/main/02.md'],
  ],
  '[A-6] an unnumbered stage in a folder': [assembly({ '01-a.md': S, 'b/STAGE.md': S }), ['number-missing flows/main/b']],
  '[A-6 A-18] an unnumbered stage is read all the same': [
    assembly({ '01-a.md': S, 'b.md': '---\n---\n' }),
    ['body-missing flows/main/b.md', 'number-missing flows/main/b.md'],
  ],
  '[A-6] a name that is too long': [assembly({ [`01-${LONG}.md`]: S }), [`value-invalid flows/main/01-${LONG}.md`]],
  '[A-6] 200 bytes are allowed': [assembly({ [`01-${'é'.repeat(100)}.md`]: S }), []],
  '[A-6] 201 bytes of 101 characters are not': [
    assembly({ [`01-${'é'.repeat(100)}x.md`]: S }),
    [`value-invalid flows/main/01-${'é'.repeat(100)}x.md`],
  ],
  '[A-6] an empty name': [assembly({ '01-.md': S }), ['value-invalid flows/main/01-.md']],
  '[A-6] the name request': [
    assembly({ '01-request.md': S, '02-request/STAGE.md': S }),
    ['value-invalid flows/main/01-request.md', 'value-invalid flows/main/02-request'],
  ],
  '[A-6] a control character': [assembly({ '01-a\u0007.md': S }), ['value-invalid flows/main/01-a\u0007.md']],
  '[A-6 A-19] a line feed that would forge a line of the hash': [
    assembly({ '01-a.md': S }, { 'lib/a:0\nlib/b': 'x' }),
    ['value-invalid lib/a:0\nlib'],
  ],
  '[A-6] digits that are not ASCII are no number': [assembly({ '٠١-a.md': S }), ['number-missing flows/main/٠١-a.md']],
  '[A-7] a lower-case name is no sentinel of the folder': [
    assembly({ '01-a/stage.md': S, '02-b.md': S }),
    ['sentinel-unknown flows/main/01-a/stage.md'],
  ],
  '[A-7] FLOW.md in the place of STAGE.md': [
    assembly({ '01-a/FLOW.md': FLOW, '02-b.md': S }),
    ['sentinel-unknown flows/main/01-a/FLOW.md'],
  ],
  '[A-7] LOOPS.md': [assembly({ '01-a/LOOPS.md': LOOP, '02-b.md': S }), ['sentinel-unknown flows/main/01-a/LOOPS.md']],
  '[A-7] STAGE.md in the place of FLOW.md': [
    { 'ASSEMBLY.md': ASSEMBLY, 'flows/main/STAGE.md': S, 'flows/main/01-a.md': S },
    ['sentinel-unknown flows/main/STAGE.md'],
  ],
  '[A-7] a flow without a sentinel': [{ 'ASSEMBLY.md': ASSEMBLY, 'flows/main/01-a.md': S }, ['sentinel-missing flows/main']],
  '[A-7] a flow with two': [
    assembly({ '01-a.md': S, 'DESCEND.md': '---\ndescription: d\nmax-depth: 2\n---\n' }),
    ['sentinel-duplicate flows/main'],
  ],
  '[A-7] a numbered folder of numbered stages is no step of a sequence': [
    assembly({ '01-a/01-x.md': S, '02-b.md': S }),
    ['sentinel-missing flows/main/01-a'],
  ],
  '[A-7] README.md is inert': [
    assembly(
      {
        '01-a/STAGE.md': S,
        '01-a/README.md': 'x',
        'README.md': 'x',
        '02-l/LOOP.md': LOOP,
        '02-l/README.md': 'x',
        '02-l/01-b.md': S,
        '03-c.md': S,
      },
      { 'flows/README.md': 'x', 'README.md': 'x', LICENSE: 'x' },
    ),
    [],
  ],
  '[A-7] Readme.md is not': [assembly({ '01-a.md': S, 'Readme.md': 'x' }), ['sentinel-unknown flows/main/Readme.md']],
  '[A-7] LICENSE only at the root': [assembly({ '01-a.md': S, LICENSE: 'x' }), ['entry-unknown flows/main/LICENSE']],
  '[A-8] a numbered file that is no markdown': [assembly({ '01-a.md': S, '02-b.txt': 'x' }), ['entry-unknown flows/main/02-b.txt']],
  '[A-9] a left-over beside a stage': [
    assembly({ '01-a.md': S, '01-a.md~': 'x', '01-a.md.orig': 'x' }),
    ['entry-unknown flows/main/01-a.md.orig', 'entry-unknown flows/main/01-a.md~'],
  ],
  '[A-14] a flow of nothing': [{ 'ASSEMBLY.md': ASSEMBLY, 'flows/main': { dir: true } }, ['folder-empty flows/main']],
  '[A-15] a file in flows/': [assembly({ '01-a.md': S }, { 'flows/other.md': S }), ['entry-unknown flows/other.md']],
  '[A-15] FLOW.md takes no key of a stage': [
    { ...assembly({ '01-a.md': S }), 'flows/main/FLOW.md': '---\ndescription: d\nworkdir: a\n---\n' },
    ['key-unknown flows/main/FLOW.md'],
  ],
  '[A-15] a description of two lines': [
    { ...assembly({ '01-a.md': S }), 'flows/main/FLOW.md': '---\ndescription: |\n  a\n  b\n---\n' },
    ['value-invalid flows/main/FLOW.md'],
  ],
  '[A-15] a description without a value': [
    { ...assembly({ '01-a.md': S }), 'flows/main/FLOW.md': '---\ndescription:\n---\n' },
    ['value-invalid flows/main/FLOW.md'],
  ],
  '[A-3] white space before the fence': [assembly({ '01-a.md': `\n${S}` }), ['frontmatter-invalid flows/main/01-a.md']],
  '[A-3] a fence that never closes': [assembly({ '01-a.md': '---\nretries: 1\n' }), ['frontmatter-invalid flows/main/01-a.md']],
  '[A-3] front matter that is a list': [assembly({ '01-a.md': '---\n- a\n---\nx\n' }), ['frontmatter-invalid flows/main/01-a.md']],
  '[A-3] front matter that would execute': [
    assembly({ '01-a.md': '---js\n{a: process.exit(3)}\n---\nx\n' }),
    ['frontmatter-invalid flows/main/01-a.md'],
  ],
  '[A-3] front matter that is no UTF-8': [
    assembly({ '01-a.md': { bytes: Buffer.concat([Buffer.from('---\nintelligence: '), Buffer.from([0xff]), Buffer.from('\n---\nx\n')]) } }),
    ['frontmatter-invalid flows/main/01-a.md'],
  ],
  '[A-3] a body that is no UTF-8 is decoded with replacement': [
    assembly({ '01-a.md': { bytes: Buffer.concat([Buffer.from('---\n---\nx'), Buffer.from([0xff])]) } }),
    [],
  ],
  '[A-3] Windows line ends': [assembly({ '01-a.md': '---\r\nretries: 1\r\n---\r\nWrite.\r\n' }), []],
  '[A-3] an empty file': [assembly({ '01-a.md': '' }), ['frontmatter-invalid flows/main/01-a.md']],
  '[A-20] more than 4 MiB': [assembly({ '01-a.md': stage('x'.repeat(4 * 1024 * 1024)) }), ['value-invalid flows/main/01-a.md']],
  '[A-20] a large body within the bound': [assembly({ '01-a.md': stage('x'.repeat(4 * 1024 * 1024 - 100)) }), []],
  '[A-5 A-20] markdown nested too deeply': [
    assembly({ '01-a.md': stage(`${'> '.repeat(5_000)}<!-- x -->`) }),
    ['value-invalid flows/main/01-a.md'],
  ],
  '[K-4 A-20] a checklist nested too deeply is refused, not lost': [
    assembly({ '01-a.md': stage(`# Checklist\n${'- '.repeat(5_000)}x`) }),
    ['value-invalid flows/main/01-a.md'],
  ],
};

const stageTable: Table = {
  '[A-15] all keys of a stage': [
    staged(
      'intelligence: a\ntimeout: 2147483\nretries: 0\nlocal-context: announce\nworkdir: a/b\naccess: {read: [INPUT, pwd], bash: [git]}\n',
    ),
    [],
  ],
  '[O-4] a timeout beyond what a clock holds': [staged('timeout: 2147484\n'), ['value-invalid flows/main/01-a.md']],
  '[O-4] a timeout in words': [staged('timeout: "60"\n'), ['value-invalid flows/main/01-a.md']],
  '[A-15] a workdir that climbs': [staged('workdir: a/../../b\n'), ['value-invalid flows/main/01-a.md']],
  '[A-15] an absolute workdir': [staged('workdir: /etc\n'), ['value-invalid flows/main/01-a.md']],
  '[A-15] an empty workdir': [staged('workdir: ""\n'), ['value-invalid flows/main/01-a.md']],
  '[A-16] access that denies all': [staged('access: {}\n'), []],
  '[A-16] access without a value': [staged('access:\n'), ['value-invalid flows/main/01-a.md']],
  '[A-16] access as a list': [staged('access: [read]\n'), ['value-invalid flows/main/01-a.md']],
  '[A-16] an operation nobody knows': [staged('access: {reed: [INPUT]}\n'), ['key-unknown flows/main/01-a.md']],
  '[A-16] an operation without a list': [staged('access: {read: INPUT}\n'), ['value-invalid flows/main/01-a.md']],
  '[A-16] a slot nobody declared': [staged('access: {read: [REPO]}\n'), ['value-invalid flows/main/01-a.md']],
  '[A-16 A-15] a declared slot': [
    { ...staged('access: {read: [repo], edit: [REPO]}\n'), 'ASSEMBLY.md': '---\nslots: {Repo: the repository}\n---\n' },
    [],
  ],
  '[A-8] everything a stage may hold': [
    assembly({
      '01-a/STAGE.md': S,
      '01-a/schema.json': OBJECT,
      '01-a/gate/01-lint.sh': sh(),
      '01-a/gate/tests': sh(),
      '01-a/before.sh': sh(),
      '01-a/success.check.py': sh(),
      '01-a/failure': sh(),
      '01-a/a.contract.yaml': 'a: 1\n',
      '01-a/lib/words.txt': 'x',
      '01-a/skills/s/SKILL.md': '---\ndescription: d\n---\n',
      '01-a/subflows/f/FLOW.md': FLOW,
      '01-a/subflows/f/01-x.md': S,
    }),
    [],
  ],
  '[A-8] schema.yaml': [beside('schema.yaml'), ['entry-unknown flows/main/01-a/schema.yaml']],
  '[A-8] schema.v2.json': [beside('schema.v2.json', OBJECT), ['entry-unknown flows/main/01-a/schema.v2.json']],
  '[A-8] a schema folder': [beside('schema.json', { dir: true }), ['entry-unknown flows/main/01-a/schema.json']],
  '[A-8] a hook folder': [beside('before', { dir: true }), ['entry-unknown flows/main/01-a/before']],
  '[A-8] a gate folder with an extension': [beside('gate.d', { dir: true }), ['entry-unknown flows/main/01-a/gate.d']],
  '[A-8] the contract ending wins over the first name': [beside('gate.contract.yaml', 'a: 1\n'), []],
  '[A-8] a contract with another ending': [beside('a.contract.yml', 'a: 1\n'), ['entry-unknown flows/main/01-a/a.contract.yml']],
  '[A-8] two contracts in a stage': [
    assembly({ '01-a/STAGE.md': S, '01-a/a.contract.yaml': 'a: 1\n', '01-a/b.contract.yaml': 'a: 1\n' }),
    ['contract-invalid flows/main/01-a/b.contract.yaml'],
  ],
  '[A-8] two gate files': [assembly({ '01-a/STAGE.md': S, '01-a/gate.sh': sh(), '01-a/gate.py': sh() }), ['gate-conflict flows/main/01-a']],
  '[A-8] two pairs of hooks': [
    assembly({ '01-a/STAGE.md': S, '01-a/before': sh(), '01-a/before.py': sh(), '01-a/failure': sh(), '01-a/failure.py': sh() }),
    ['hook-duplicate flows/main/01-a', 'hook-duplicate flows/main/01-a'],
  ],
  '[A-8] a mis-cased gate': [beside('Gate.sh', sh()), ['entry-unknown flows/main/01-a/Gate.sh']],
  '[A-8] a stage in a stage': [beside('01-b.md', S), ['entry-unknown flows/main/01-a/01-b.md']],
  '[A-9] left-overs, even executable': [
    assembly({
      '01-a/STAGE.md': S,
      '01-a/gate.sh': sh(),
      '01-a/gate.sh~': sh(),
      '01-a/before.sh.bak': sh(),
      '01-a/x.swp': 'x',
      '01-a/#STAGE.md#': 'x',
    }),
    [
      'entry-unknown flows/main/01-a/#STAGE.md#',
      'entry-unknown flows/main/01-a/before.sh.bak',
      'entry-unknown flows/main/01-a/gate.sh~',
      'entry-unknown flows/main/01-a/x.swp',
    ],
  ],
  '[A-8] left-overs in gate/': [
    assembly({ '01-a/STAGE.md': S, '01-a/gate/01.sh': sh(), '01-a/gate/01.sh~': sh(), '01-a/gate/01.sh.orig': sh() }),
    ['entry-unknown flows/main/01-a/gate/01.sh.orig', 'entry-unknown flows/main/01-a/gate/01.sh~'],
  ],
  '[A-8] a folder in gate/': [
    assembly({ '01-a/STAGE.md': S, '01-a/gate/01.sh': sh(), '01-a/gate/more/x.sh': sh() }),
    ['entry-unknown flows/main/01-a/gate/more'],
  ],
  '[A-7 A-8] README.md in gate/ is a gate': [
    assembly({ '01-a/STAGE.md': S, '01-a/gate/01.sh': sh(), '01-a/gate/README.md': 'x' }),
    ['not-runnable flows/main/01-a/gate/README.md'],
  ],
  '[A-8] gate/ with dot-entries alone is empty': [
    assembly({ '01-a/STAGE.md': S, '01-a/gate': { dir: true }, '01-a/gate/.keep': 'x' }),
    ['folder-empty flows/main/01-a/gate'],
  ],
  '[A-9] Windows line ends in a shebang': [beside('gate.sh', { x: '#!/bin/sh\r\nexit 0\r\n' }), ['not-runnable flows/main/01-a/gate.sh']],
  '[A-9] a byte-order mark before the shebang': [beside('gate.sh', { x: '\ufeff#!/bin/sh\n' }), ['not-runnable flows/main/01-a/gate.sh']],
  '[A-9] a shebang of nothing': [beside('gate.sh', { x: '#!  \n' }), ['not-runnable flows/main/01-a/gate.sh']],
  '[A-9] a shebang without a path': [beside('gate.sh', { x: '#!sh\n' }), ['not-runnable flows/main/01-a/gate.sh']],
  '[A-9] an empty program': [beside('gate.sh', { x: '' }), ['not-runnable flows/main/01-a/gate.sh']],
  '[A-9] a compiled program': [beside('gate', { bytes: Buffer.from('7f454c4602010100', 'hex'), x: true }), []],
  '[A-9] one without the bit': [beside('gate', { bytes: Buffer.from('7f454c4602010100', 'hex') }), ['not-runnable flows/main/01-a/gate']],
  '[A-9] neither bit nor shebang is one fault': [beside('gate.sh', 'exit 0\n'), ['not-runnable flows/main/01-a/gate.sh']],
  '[A-11] a schema that is no JSON': [beside('schema.json', '{'), ['schema-invalid flows/main/01-a/schema.json']],
  '[A-11] a schema that is no UTF-8': [
    beside('schema.json', { bytes: Buffer.from([0x22, 0xff, 0x22]) }),
    ['schema-invalid flows/main/01-a/schema.json'],
  ],
  '[A-11] an invalid schema': [beside('schema.json', '{"type":"text"}'), ['schema-invalid flows/main/01-a/schema.json']],
  '[A-11] a remote reference': [beside('schema.json', '{"$ref":"https://example.com/x"}'), ['schema-invalid flows/main/01-a/schema.json']],
  '[A-11 A-20] a schema over 4 MiB': [
    beside('schema.json', JSON.stringify('x'.repeat(4 * 1024 * 1024))),
    ['value-invalid flows/main/01-a/schema.json'],
  ],
  '[A-3 A-11] a template without fences': [beside('schema.md', '## What\n'), []],
  '[A-11] a template with every type and none': [
    beside('schema.md', '---\na: str\nb: int\nc: float\nd: bool\ne: list\nf: date\ng:\n---\n'),
    [],
  ],
  '[A-11] a template with a type nobody knows': [
    beside('schema.md', '---\na: string\nb: [str]\n---\n'),
    ['schema-invalid flows/main/01-a/schema.md', 'schema-invalid flows/main/01-a/schema.md'],
  ],
  '[A-3 A-11] a template with broken front matter': [
    beside('schema.md', '---\na: [\n---\n'),
    ['frontmatter-invalid flows/main/01-a/schema.md'],
  ],
  '[A-12] a skill without SKILL.md': [assembly({ '01-a.md': S }, { 'skills/s/notes.md': 'x' }), ['skill-invalid skills/s']],
  '[A-12] a description of two lines': [
    assembly({ '01-a.md': S }, { 'skills/s/SKILL.md': '---\ndescription: |\n  a\n  b\n---\n' }),
    ['skill-invalid skills/s/SKILL.md'],
  ],
  '[A-12] other keys are ignored, a folded description is one line': [
    assembly(
      { '01-a.md': S },
      {
        'skills/s/SKILL.md': '---\nname: s\nallowed-tools: [a]\ndescription: >\n  a\n  b\n---\n',
        'skills/s/Any.md': 'x',
        'skills/s/run.sh~': 'x',
      },
    ),
    [],
  ],
  '[A-12] a file in skills/': [
    assembly({ '01-a.md': S }, { 'skills/s/SKILL.md': '---\ndescription: d\n---\n', 'skills/t.md': 'x' }),
    ['entry-unknown skills/t.md'],
  ],
  '[A-14] empty skills/ and subflows/': [
    assembly({ '01-a.md': S, skills: { dir: true } }, { subflows: { dir: true } }),
    ['folder-empty flows/main/skills', 'folder-empty subflows'],
  ],
  '[A-13] a link among skills': [assembly({ '01-a.md': S }, { 'skills/s': { link: '/x' } }), ['symlink skills/s']],
  '[A-13] a link in the place of a sentinel is one fault': [
    assembly({ '01-a/STAGE.md': { link: '/x' }, '02-b.md': S }),
    ['symlink flows/main/01-a/STAGE.md'],
  ],
  '[G-7 A-18] subflows are read at any depth': [
    assembly({
      '01-a/STAGE.md': S,
      '01-a/subflows/f/FLOW.md': FLOW,
      '01-a/subflows/f/01-x/STAGE.md': S,
      '01-a/subflows/f/01-x/subflows/g/FLOW.md': FLOW,
      '01-a/subflows/f/01-x/subflows/g/01-y.md': '---\n---\n',
    }),
    ['body-missing flows/main/01-a/subflows/f/01-x/subflows/g/01-y.md'],
  ],
  '[G-8] DESCEND needs a depth': [
    { ...assembly({ '01-a.md': S }), 'subflows/d/DESCEND.md': FLOW, 'subflows/d/01-a.md': S },
    ['key-missing subflows/d/DESCEND.md'],
  ],
  '[G-8] a depth of twelve': [
    { ...assembly({ '01-a.md': S }), 'subflows/d/DESCEND.md': '---\ndescription: d\nmax-depth: 12\n---\n', 'subflows/d/01-a.md': S },
    ['value-invalid subflows/d/DESCEND.md'],
  ],
  '[G-8] max-depth is no key of FLOW.md': [
    { ...assembly({ '01-a.md': S }), 'flows/main/FLOW.md': '---\ndescription: d\nmax-depth: 2\n---\n' },
    ['key-unknown flows/main/FLOW.md'],
  ],
};

const graphTable: Table = {
  '[G-1] a container may have skills': [
    assembly({ '01-a/LOOP.md': LOOP, '01-a/01-b.md': S, '01-a/skills/s/SKILL.md': '---\ndescription: d\n---\n', '02-z.md': S }),
    [],
  ],
  '[G-1] a schema, a hook and a contract on a LOOP': [
    assembly({
      '01-a/LOOP.md': LOOP,
      '01-a/01-b.md': S,
      '01-a/schema.json': OBJECT,
      '01-a/before.sh': sh(),
      '01-a/a.contract.yaml': 'a: 1\n',
      '02-z.md': S,
    }),
    [
      'container-check flows/main/01-a/a.contract.yaml',
      'container-check flows/main/01-a/before.sh',
      'container-check flows/main/01-a/schema.json',
    ],
  ],
  '[G-1] a gate folder on a CHOOSE': [
    assembly({ '01-a/CHOOSE.md': CHOOSE, ...XY, '01-a/gate/01.sh': sh() }),
    ['container-check flows/main/01-a/gate'],
  ],
  '[G-1 K-4] a checklist in a question': [
    assembly({ '01-a/LOOP.md': `${LOOP}Ready?\n\n# Checklist\n- a\n`, '01-a/01-b.md': S, '02-z.md': S }),
    ['container-check flows/main/01-a/LOOP.md'],
  ],
  '[G-1] a gate beside FLOW.md': [assembly({ '01-a.md': S, 'gate.sh': sh() }), ['container-check flows/main/gate.sh']],
  '[G-1] a contract beside FLOW.md is fine': [assembly({ '01-a.md': S, 'a.contract.yaml': 'a: 1\n' }), []],
  '[G-2] a PARALLEL is directly a branch': [
    assembly({
      '01-a/PARALLEL.md': PARALLEL,
      '01-a/x/PARALLEL.md': PARALLEL,
      '01-a/x/u.md': S,
      '01-a/x/v.md': S,
      '01-a/y.md': S,
      '02-z.md': S,
    }),
    ['tail-container flows/main/01-a/x'],
  ],
  '[G-2] a LOOP and a CHOOSE may be one': [
    assembly({
      '01-a/PARALLEL.md': PARALLEL,
      '01-a/x/LOOP.md': LOOP,
      '01-a/x/01-b.md': S,
      '01-a/y/CHOOSE.md': CHOOSE,
      '01-a/y/x.md': S,
      '01-a/y/y.md': S,
      '02-z.md': S,
    }),
    [],
  ],
  '[G-2] a container last in a branch of numbered stages': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/x/01-b/LOOP.md': LOOP, '01-a/x/01-b/01-c.md': S, '01-a/y.md': S, '02-z.md': S }),
    ['tail-container flows/main/01-a/x/01-b'],
  ],
  '[G-2 A-18] what follows a container counts even when it is refused': [
    assembly({ '01-a/LOOP.md': LOOP, '01-a/01-b.md': S, '02-z/x': 'y' }),
    ['sentinel-missing flows/main/02-z'],
  ],
  '[G-2 A-18] an unnumbered stage after a container is one fault': [
    assembly({ '01-a/LOOP.md': LOOP, '01-a/01-b.md': S, 'z.md': S }),
    ['number-missing flows/main/z.md'],
  ],
  '[G-2 A-13] a link after a container is one fault': [
    assembly({ '01-a/LOOP.md': LOOP, '01-a/01-b.md': S, '02-z.md': { link: '/x' } }),
    ['symlink flows/main/02-z.md'],
  ],
  '[G-6 A-13] a linked schema before a FANOUT is one fault': [
    assembly({ '01-list/STAGE.md': S, '01-list/schema.json': { link: '/x' }, '02-f/FANOUT.md': FANOUT, '03-z.md': S }, EACH),
    ['symlink flows/main/01-list/schema.json'],
  ],
  '[G-2] a loop in a choice in a loop': [
    assembly({
      '01-a/LOOP.md': LOOP,
      '01-a/01-c/CHOOSE.md': CHOOSE,
      '01-a/01-c/x.md': S,
      '01-a/01-c/y/LOOP.md': LOOP,
      '01-a/01-c/y/01-d.md': S,
      '01-a/02-e.md': S,
      '02-z.md': S,
    }),
    ['loop-nested flows/main/01-a/01-c/y'],
  ],
  '[G-3] repeat of zero': [
    assembly({ '01-a/LOOP.md': '---\nrepeat: 0\n---\n', '01-a/01-b.md': S, '02-z.md': S }),
    ['value-invalid flows/main/01-a/LOOP.md'],
  ],
  '[G-3 A-14] a loop of nothing': [assembly({ '01-a/LOOP.md': LOOP, '02-z.md': S }), ['folder-empty flows/main/01-a']],
  '[G-3 A-6] an unnumbered stage in a loop': [
    assembly({ '01-a/LOOP.md': LOOP, '01-a/01-b.md': S, '01-a/c.md': S, '02-z.md': S }),
    ['number-missing flows/main/01-a/c.md'],
  ],
  '[G-4] a choice': [assembly({ '01-a/CHOOSE.md': CHOOSE, ...XY }), []],
  '[G-4] a choice without a text': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n<!-- x -->\n', ...XY }),
    ['body-missing flows/main/01-a/CHOOSE.md'],
  ],
  '[G-4 A-14] a choice of nothing': [assembly({ '01-a/CHOOSE.md': CHOOSE, '02-z.md': S }), ['folder-empty flows/main/01-a']],
  '[G-4] an alternative nobody lists': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n- `x` — do x\n', ...XY }),
    ['alternative-mismatch flows/main/01-a/CHOOSE.md'],
  ],
  '[G-4] one listed twice': [
    assembly({ '01-a/CHOOSE.md': `${CHOOSE}- \`x\` again\n`, ...XY }),
    ['alternative-mismatch flows/main/01-a/CHOOSE.md'],
  ],
  '[G-4] a file and a folder of one name': [
    assembly({ '01-a/CHOOSE.md': CHOOSE, ...XY, '01-a/x/STAGE.md': S }),
    ['alternative-mismatch flows/main/01-a/CHOOSE.md'],
  ],
  '[G-4] names are compared as they are': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n- `X` — do x\n- `y` — do y\n', ...XY }),
    ['alternative-mismatch flows/main/01-a/CHOOSE.md'],
  ],
  '[G-4 A-18] a refused alternative is not missed as well': [
    assembly({ '01-a/CHOOSE.md': CHOOSE, '01-a/x.md': S, '01-a/y.txt': 'y', '02-z.md': S }),
    ['entry-unknown flows/main/01-a/y.txt'],
  ],
  '[G-4] a numbered alternative': [
    assembly({ '01-a/CHOOSE.md': CHOOSE, '01-a/01-x.md': S, '01-a/y.md': S, '02-z.md': S }),
    ['branch-numbered flows/main/01-a/01-x.md'],
  ],
  '[A-6 G-4] an alternative of digits': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n- `1`\n- `y`\n', '01-a/1.md': S, '01-a/y.md': S, '02-z.md': S }),
    ['branch-numbered flows/main/01-a/1.md'],
  ],
  '[A-6 G-4] the name request': [
    assembly({ '01-a/CHOOSE.md': '---\n---\n- `request`\n- `y`\n', '01-a/request.md': S, '01-a/y.md': S, '02-z.md': S }),
    ['value-invalid flows/main/01-a/request.md'],
  ],
  '[A-14 G-4] an empty alternative': [
    assembly({ '01-a/CHOOSE.md': CHOOSE, '01-a/x': { dir: true }, '01-a/y.md': S, '02-z.md': S }),
    ['folder-empty flows/main/01-a/x'],
  ],
  '[A-7 G-4] an alternative of unnumbered stages': [
    assembly({ '01-a/CHOOSE.md': CHOOSE, '01-a/x/b.md': S, '01-a/y.md': S, '02-z.md': S }),
    ['sentinel-missing flows/main/01-a/x'],
  ],
  '[G-4] an alternative of numbered stages': [
    assembly({ '01-a/CHOOSE.md': CHOOSE, '01-a/x/01-b.md': S, '01-a/x/02-c.md': S, '01-a/x/README.md': 'r', '01-a/y.md': S, '02-z.md': S }),
    [],
  ],
  '[G-4 A-20] a choice nested too deeply to be read': [
    assembly({ '01-a/CHOOSE.md': `---\n---\n${'> '.repeat(5_000)}x\n`, ...XY }),
    ['value-invalid flows/main/01-a/CHOOSE.md'],
  ],
  '[A-7 G-5] a capitalised branch': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/Loop.md': S, '01-a/y.md': S, '02-z.md': S }),
    ['sentinel-unknown flows/main/01-a/Loop.md'],
  ],
  '[G-5] branches may be called like sentinels, in lower case': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/loop.md': S, '01-a/stage.md': S, '02-z.md': S }),
    [],
  ],
  '[G-5] a width of 33': [assembly({ '01-a/PARALLEL.md': '---\nwidth: 33\n---\n', ...XY }), ['value-invalid flows/main/01-a/PARALLEL.md']],
  '[G-5 A-14] no branches': [assembly({ '01-a/PARALLEL.md': PARALLEL, '02-z.md': S }), ['folder-empty flows/main/01-a']],
  '[G-1] lib/ and subflows/ in a container': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, ...XY, '01-a/lib/x': 'y', '01-a/subflows/f/FLOW.md': FLOW, '01-a/subflows/f/01-a.md': S }),
    ['entry-unknown flows/main/01-a/lib', 'entry-unknown flows/main/01-a/subflows'],
  ],
  '[S-3] two branches that differ in case': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/x.md': S, '01-a/xY.md': S, '01-a/xy/STAGE.md': S, '02-z.md': S }),
    ['input-collision flows/main/01-a/xy'],
  ],
  '[S-3] a file and a folder of one branch': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/x.md': S, '01-a/x/STAGE.md': S, '02-z.md': S }),
    ['input-collision flows/main/01-a/x.md'],
  ],
  "[S-3 G-3] a loop's last stage called like what stands before it": [
    assembly({ '01-draft.md': S, '02-l/LOOP.md': LOOP, '02-l/01-a.md': S, '02-l/02-Draft.md': S, '03-z.md': S }),
    ['input-collision flows/main/02-l/02-Draft.md'],
  ],
  '[S-3 G-3] a loop of one repeat has no such input': [
    assembly({ '01-draft.md': S, '02-l/LOOP.md': '---\nrepeat: 1\n---\n', '02-l/01-draft.md': S, '03-z.md': S }),
    [],
  ],
  '[S-3 G-3] a loop after branches': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/x.md': S, '01-a/y.md': S, '02-l/LOOP.md': LOOP, '02-l/01-y.md': S, '03-z.md': S }),
    ['input-collision flows/main/02-l/01-y.md'],
  ],
  "[S-3 G-3] a loop at the start meets the request's name": [
    assembly({ '01-l/LOOP.md': LOOP, '01-l/01-Request.md': S, '03-z.md': S }),
    ['input-collision flows/main/01-l/01-Request.md'],
  ],
  '[A-18 S-3] collisions are looked for only when the structure is sound': [
    assembly({ '01-a/PARALLEL.md': PARALLEL, '01-a/x.md': S, '01-a/x/STAGE.md': S, '02-z.md': '---\n---\n' }),
    ['body-missing flows/main/02-z.md'],
  ],
  '[G-6] a FANOUT': [assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT, '03-z.md': S }, EACH), []],
  '[G-6] a subflow of the flow': [assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT, '03-z.md': S, ...EACH }), []],
  '[G-6] all keys are required': [
    assembly({ ...JSON_STAGE, '02-f/FANOUT.md': '---\n---\n', '03-z.md': S }, EACH),
    Array<string>(4).fill('key-missing flows/main/02-f/FANOUT.md'),
  ],
  '[G-6] a width above max-items': [
    assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT.replace('width: 4', 'width: 11'), '03-z.md': S }, EACH),
    ['value-invalid flows/main/02-f/FANOUT.md'],
  ],
  '[G-6] more than 1,000 items': [
    assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT.replace('items: 10', 'items: 1001'), '03-z.md': S }, EACH),
    ['value-invalid flows/main/02-f/FANOUT.md'],
  ],
  '[G-6] a body': [
    assembly({ ...JSON_STAGE, '02-f/FANOUT.md': `${FANOUT}Hello\n`, '03-z.md': S }, EACH),
    ['body-unexpected flows/main/02-f/FANOUT.md'],
  ],
  '[G-6] stages inside': [
    assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT, '02-f/01-x.md': S, '03-z.md': S }, EACH),
    ['entry-unknown flows/main/02-f/01-x.md'],
  ],
  '[G-6] first in the flow': [assembly({ '02-f/FANOUT.md': FANOUT, '03-z.md': S }, EACH), ['value-invalid flows/main/02-f/FANOUT.md']],
  '[G-6] after a stage without JSON': [
    assembly({ '01-a.md': S, '02-f/FANOUT.md': FANOUT, '03-z.md': S }, EACH),
    ['value-invalid flows/main/02-f/FANOUT.md'],
  ],
  '[G-6] last in the flow': [assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT }, EACH), ['tail-container flows/main/02-f']],
  '[G-6] before a container': [
    assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT, '03-l/LOOP.md': LOOP, '03-l/01-b.md': S, '04-z.md': S }, EACH),
    ['tail-container flows/main/02-f'],
  ],
  '[G-6] inside a loop': [
    assembly(
      {
        '01-l/LOOP.md': LOOP,
        '01-l/01-list/STAGE.md': S,
        '01-l/01-list/schema.json': OBJECT,
        '01-l/02-f/FANOUT.md': FANOUT,
        '01-l/03-y.md': S,
        '02-z.md': S,
      },
      EACH,
    ),
    ['sentinel-unknown flows/main/01-l/02-f/FANOUT.md'],
  ],
  '[G-6] in a subflow': [
    assembly(
      { '01-a.md': S },
      {
        ...EACH,
        'subflows/s/FLOW.md': FLOW,
        'subflows/s/01-list/STAGE.md': S,
        'subflows/s/01-list/schema.json': OBJECT,
        'subflows/s/02-f/FANOUT.md': FANOUT,
        'subflows/s/03-z.md': S,
      },
    ),
    ['sentinel-unknown subflows/s/02-f/FANOUT.md'],
  ],
  '[G-6] a subflow nobody knows': [
    assembly({ ...JSON_STAGE, '02-f/FANOUT.md': FANOUT, '03-z.md': S }),
    ['flow-unknown flows/main/02-f/FANOUT.md'],
  ],
};

const slotNames = (names: readonly string[]): Tree =>
  withFront(`slots:\n${names.map((name) => `  ${JSON.stringify(name)}: d\n`).join('')}`);
const slotTable: Table = Object.fromEntries([
  ...['input', 'Output', 'TMP', 'skills', 'pwd', 'subflows', 'HOME', 'lang', 'Shell', 'cause', 'TMPDIR', 'a-b', '1a', 'é', ''].map(
    (name) => [`[A-17] the slot ${JSON.stringify(name)}`, [slotNames([name]), ['slot-reserved ASSEMBLY.md']] as const],
  ),
  ['[A-17] two slots that are one variable', [slotNames(['repo', 'Repo']), ['slot-reserved ASSEMBLY.md']] as const],
  ['[A-17] free names', [slotNames(['repo', '_x', 'A1']), []] as const],
]);

const loneTable: Table = {
  '[A-2] a lone flow': [
    { 'FLOW.md': FLOW, '01-a.md': S, LICENSE: 'x', 'README.md': 'x', 'lib/x': 'y', 'skills/s/SKILL.md': '---\ndescription: d\n---\n' },
    [],
  ],
  '[A-2] a lone DESCEND': [{ 'DESCEND.md': '---\ndescription: d\nmax-depth: 3\n---\n', '01-a.md': S }, []],
  '[A-2] a lone stage': [{ 'STAGE.md': S, 'gate.sh': sh(), 'schema.json': OBJECT, LICENSE: 'x' }, []],
  '[A-2 A-10] a lone stage without a body': [{ 'STAGE.md': '---\n---\n' }, ['body-missing STAGE.md']],
  '[A-2 A-8] a stranger in a lone stage': [{ 'STAGE.md': S, 'node_modules/a': { link: '/x' } }, ['entry-unknown node_modules']],
  '[A-2 A-7] a lone flow that is a stage, too': [{ 'FLOW.md': FLOW, 'STAGE.md': S, '01-a.md': S }, ['sentinel-unknown STAGE.md']],
  '[A-2 A-14] a lone flow of nothing': [{ 'FLOW.md': FLOW }, ['folder-empty .']],
  '[A-2 A-8] hooks at the paths of a lone stage': [{ 'STAGE.md': S, before: sh(), 'before.py': sh() }, ['hook-duplicate .']],
};

describe.each([
  ['from the acceptance list', table],
  ['root', rootTable],
  ['sequence', sequenceTable],
  ['stage', stageTable],
  ['graph', graphTable],
  ['slots', slotTable],
  ['lone', loneTable],
])('a tree and its refusals: %s', (_, rows) => {
  for (const [name, [tree, expected]] of Object.entries(rows)) {
    it(name, async () => {
      expect(await refusalsOf(tree)).toEqual(expected);
    });
  }
});

describe('fixes', () => {
  const fixOf = async (gate: Planted): Promise<unknown> => {
    const parsed = await parseAssembly(snapshot(assembly({ '01-a/STAGE.md': S, '01-a/gate.sh': gate })), './a');
    return parsed.ok ? null : parsed.refusals[0];
  };
  const CHMOD = 'chmod +x ./a/flows/main/01-a/gate.sh';

  it('[A-9] a missing executable bit always gives the chmod line, whatever else is wrong', async () => {
    expect(await fixOf('#!/bin/sh\n')).toMatchObject({ fix: CHMOD, message: expect.stringContaining('chmod +x') });
    expect(await fixOf('exit 0\n')).toMatchObject({ fix: CHMOD, message: expect.stringContaining('no shebang') });
    expect(await fixOf('#!/bin/sh\r\n')).toMatchObject({ fix: `${CHMOD} && sed -i 's/\\r$//' ./a/flows/main/01-a/gate.sh` });
  });
});

describe('hostile text in messages', () => {
  it('[A-18 A-6] names and values from files are escaped and cut', async () => {
    const parsed = await parseAssembly(
      snapshot(assembly({ '01-a.md': stage('W.', `"\\e[31mx\\u202e": 1\nworkdir: "${'y'.repeat(5_000)}/.."\n`), 'z\u202e.txt': 'x' })),
    );
    const messages = parsed.ok ? [] : parsed.refusals.map(({ message }) => message);
    expect(messages).toHaveLength(3);
    for (const message of messages) expect(message).toMatch(/^[^\p{Cc}\u202e]{20,700}$/u);
    expect(messages.join()).toContain('"\\x1b[31mx\\u202e"');
  });
});
