// Trees on a disk: made at random, and made from a valid one by one change.
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join, relative } from 'node:path';

/** The tree as nested maps, as the second grammar reads it. */
export function treeOf(folder) {
  const tree = new Map();
  for (const name of readdirSync(folder, { encoding: 'latin1' })) {
    const path = Buffer.from(`${folder}/${Buffer.from(name, 'latin1').toString()}`);
    let standing;
    try {
      standing = lstatSync(path);
    } catch {
      tree.set(name, { odd: 'a name that is not UTF-8' });
      continue;
    }
    if (standing.isDirectory()) tree.set(name, treeOf(path.toString()));
    else if (standing.isFile()) tree.set(name, { text: readFileSync(path, 'latin1'), executable: (standing.mode & 0o111) !== 0 });
    else tree.set(name, { odd: 'no file' });
  }
  return tree;
}

/** A tree that stands on the disk; `put` brings it back to what it was. */
export function openGround(from, folder) {
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  const kept = files.map((path) => ({ path, bytes: readFileSync(join(from, path)), mode: lstatSync(join(from, path)).mode & 0o777 }));
  const folders = [...new Set(files.map((path) => dirname(path)))];
  const put = () => {
    rmSync(folder, { recursive: true, force: true });
    for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
    for (const { path, bytes, mode } of kept) writeFileSync(join(folder, path), bytes, { mode });
  };
  put();
  return { folder, files, put };
}

const pick = (random, list) => list[Math.floor(random() * list.length)];
const at = (ground, path) => join(ground.folder, path);
const text = (ground, path) => readFileSync(at(ground, path), 'utf8');
const front = (line) => (old) => old.replace('---\n', `---\n${line}\n`);

function edit(ground, path, change) {
  writeFileSync(at(ground, path), change(text(ground, path)));
  return path;
}

const STAGES = [
  'flows/review/01-read.md',
  'flows/review/04-join.md',
  'flows/review/08-report.md',
  'flows/review/02-list/STAGE.md',
  'flows/review/06-draft/01-write/STAGE.md',
];
STAGES.push(
  'flows/review/05-look/cost.md',
  'flows/review/07-judge/fix.md',
  'subflows/review-file/01-read.md',
  'subflows/oracle/01-answer.md',
);
const SENTINELS = [...STAGES, 'ASSEMBLY.md', 'flows/review/FLOW.md', 'flows/review/05-look/PARALLEL.md', 'flows/review/06-draft/LOOP.md'];
const PROGRAMS = ['flows/review/02-list/before.sh', 'flows/review/02-list/gate/01-not-empty.sh'];
const CLOSED = [
  '',
  'flows/',
  'flows/review/',
  'flows/review/02-list/',
  'flows/review/02-list/gate/',
  'flows/review/03-each/',
  'flows/review/05-look/',
];
CLOSED.push(
  'flows/review/05-look/risk/',
  'flows/review/06-draft/',
  'flows/review/07-judge/',
  'flows/review/skills/',
  'subflows/',
  'subflows/oracle/',
);
const STRANGERS = ['zz.txt', 'notes.bak', 'gate.sh~', 'x.yaml', 'Makefile', 'a b', 'schema.yaml', 'stage.md.orig', '#x#', 'index.js'];
const CASES = ['Stage.md', 'LOOPS.md', 'Flow.md', 'STAGES.md'];

/** Changes that must be refused. Each makes its change and answers the codes of which one has to be said. */
export const FORBIDDEN = {
  'a stranger': (g, r) =>
    plant(g, pick(r, CLOSED) + pick(r, STRANGERS), 'x', [
      'entry-unknown',
      'hook-duplicate',
      'gate-conflict',
      'not-runnable',
      'skill-invalid',
      'sentinel-unknown',
      'number-missing',
      'branch-numbered',
      'container-check',
    ]),
  'a link': (g, r) => {
    const path = pick(r, g.files);
    rmSync(at(g, path));
    symlinkSync(pick(r, ['/etc/passwd', '.', 'nowhere', '../../..']), at(g, path));
    // What begins with a dot is no part of the assembly, and docs/ is opaque here.
    return path.startsWith('docs/') || /(?:^|\/)\./.test(path) ? null : ['symlink'];
  },
  'a pipe': (g, r) => {
    spawnSync('mkfifo', [at(g, `${pick(r, CLOSED)}pipe`)]);
    return ['entry-unknown'];
  },
  'a name that is not UTF-8': (g, r) => {
    writeFileSync(Buffer.concat([Buffer.from(at(g, pick(r, CLOSED.slice(1)))), Buffer.from([0xff, 0xfe])]), 'x');
    return ['entry-unknown'];
  },
  'a program without its bit': (g, r) => (chmodSync(at(g, pick(r, PROGRAMS)), 0o644), ['not-runnable']),
  'a program without a shebang': (g, r) => (edit(g, pick(r, PROGRAMS), () => pick(r, ['', 'exit 0\n', ' #!/bin/sh\n'])), ['not-runnable']),
  'no fences': (g, r) => (edit(g, pick(r, SENTINELS), (old) => old.replace('---\n', '')), ['frontmatter-invalid']),
  'a fence never closed': (g, r) => (edit(g, pick(r, SENTINELS), (old) => old.replace(/\n---\n/, '\n')), ['frontmatter-invalid']),
  'a byte-order mark': (g, r) => (edit(g, pick(r, SENTINELS), (old) => `\ufeff${old}`), ['frontmatter-invalid']),
  'an unknown key': (g, r) => (
    edit(g, pick(r, SENTINELS), front(pick(r, ['extra: 1', 'Timeout: 5', 'retry: 2', '__proto__: {}', 'constructor: 1']))),
    ['key-unknown']
  ),
  'a key twice': (g, r) => (edit(g, pick(r, SENTINELS), front('retries: 1\nretries: 2')), ['frontmatter-invalid']),
  'YAML that is none': (g, r) => (
    edit(g, pick(r, SENTINELS), front(pick(r, ['a: [', '\t: x', 'a: b: c', '&a [*a]', '"', '- x\n- y']))),
    ['frontmatter-invalid', 'key-unknown']
  ),
  'a wrong value': (g, r) => (
    edit(
      g,
      pick(
        r,
        STAGES.filter((path) => !path.includes('02-list')),
      ),
      front(pick(r, ['timeout: 0', 'timeout: soon', 'retries: -1', 'retries: 1.5', 'local-context: maybe', 'timeout: 1e400'])),
    ),
    ['value-invalid']
  ),
  'a working directory outside': (g, r) => (
    edit(g, pick(r, STAGES), front(`workdir: ${pick(r, ['../x', '/etc', 'a/../../b'])}`)),
    ['value-invalid']
  ),
  'an empty body': (g, r) => (
    edit(g, pick(r, STAGES), (old) => `${old.slice(0, old.indexOf('---\n', 4) + 4)}${pick(r, ['', '\n\n', '<!-- only this -->\n'])}`),
    ['body-missing']
  ),
  'a number twice': (g, r) =>
    plant(g, `flows/review/${pick(r, ['1-again.md', '004-again.md', '8-again.md'])}`, '---\n---\nx\n', ['number-duplicate']),
  'a number too long': (g) => plant(g, 'flows/review/0000000012-x.md', '---\n---\nx\n', ['number-invalid']),
  'a stage without a number': (g, r) => plant(g, `flows/review/${pick(r, ['again.md', 'x.md'])}`, '---\n---\nx\n', ['number-missing']),
  'a second sentinel': (g, r) =>
    plant(g, `${pick(r, ['flows/review/02-list', 'flows/review/06-draft/01-write'])}/LOOP.md`, '---\nrepeat: 2\n---\n', [
      'sentinel-duplicate',
    ]),
  'no sentinel': (g, r) => (
    rmSync(at(g, pick(r, ['flows/review/02-list/STAGE.md', 'flows/review/06-draft/LOOP.md', 'flows/review/FLOW.md']))),
    ['sentinel-missing']
  ),
  'a sentinel mis-cased': (g, r) =>
    plant(g, `flows/review/02-list/${pick(r, CASES)}`, '---\n---\nx\n', ['sentinel-unknown', 'sentinel-duplicate']),
  'no ASSEMBLY.md': (g) => (rmSync(at(g, 'ASSEMBLY.md')), ['assembly-incomplete']),
  'no flows': (g) => (rmSync(at(g, 'flows'), { recursive: true }), ['assembly-incomplete']),
  'a schema that is none': (g, r) => (
    edit(g, 'flows/review/02-list/schema.json', () =>
      pick(r, [
        '',
        '{',
        '[]',
        '{"type":"objec"}',
        '{"$ref":"https://x.example/y.json"}',
        '{"$schema":"http://json-schema.org/draft-07/schema#"}',
        '{"pattern":"("}',
      ]),
    ),
    ['schema-invalid']
  ),
  'two schemas': (g) => plant(g, 'flows/review/02-list/schema.md', '# X\n', ['schema-duplicate']),
  'a gate beside gates': (g) => plant(g, 'flows/review/02-list/gate.sh', '#!/bin/sh\n', ['gate-conflict'], 0o755),
  'two hooks of a kind': (g) => plant(g, 'flows/review/02-list/before.py', '#!/bin/sh\n', ['hook-duplicate'], 0o755),
  'an empty gate folder': (g) => (rmSync(at(g, PROGRAMS[1])), ['folder-empty']),
  'a check on a container': (g, r) =>
    plant(
      g,
      `flows/review/${pick(r, ['05-look', '06-draft', '07-judge'])}/${pick(r, ['gate.sh', 'schema.json', 'before.sh'])}`,
      '#!/bin/sh\n',
      ['container-check'],
      0o755,
    ),
  'a loop in a loop': (g) => {
    mkdirSync(at(g, 'flows/review/06-draft/02-again'));
    plant(g, 'flows/review/06-draft/02-again/01-x.md', '---\n---\nx\n');
    return plant(g, 'flows/review/06-draft/02-again/LOOP.md', '---\nrepeat: 2\n---\n', ['loop-nested']);
  },
  'a container last': (g) => (rmSync(at(g, 'flows/review/08-report.md')), ['tail-container']),
  'an alternative that is not there': (g) => (rmSync(at(g, 'flows/review/07-judge/fix.md')), ['alternative-mismatch', 'chooser-invalid']),
  'a branch with a number': (g) => plant(g, 'flows/review/05-look/01-x.md', '---\n---\nx\n', ['branch-numbered']),
  'a reserved slot': (g, r) => (
    edit(g, 'ASSEMBLY.md', (old) =>
      old.replace(/slots:.*\n(?: .*\n)*/, '').replace('---\n', `---\nslots: {${pick(r, ['PATH', 'input', 'Home', 'tmp'])}: x}\n`),
    ),
    ['slot-reserved']
  ),
  'a key that is missing': (g, r) => (
    edit(g, 'flows/review/03-each/FANOUT.md', (old) =>
      old.replace(new RegExp(`^${pick(r, ['items', 'subflow', 'width', 'max-items'])}:.*\\n`, 'm'), ''),
    ),
    ['key-missing']
  ),
  'a control character in a name': (g) => (
    renameSync(at(g, 'flows/review/04-join.md'), at(g, 'flows/review/04-jo\u0007in.md')),
    ['value-invalid']
  ),
};

function plant(ground, path, content, codes, mode = 0o644) {
  writeFileSync(at(ground, path), content, { mode });
  chmodSync(at(ground, path), mode);
  return codes;
}

/** Changes of which nobody knows what they lead to: a byte, a cut, a removal, a swap of two files, a name. */
export const ANY = [
  (g, r) => bytesOf(g, r, (bytes) => ((bytes[Math.floor(r() * bytes.length)] ^= 1 << Math.floor(r() * 8)), bytes)),
  (g, r) => bytesOf(g, r, (bytes) => bytes.subarray(0, Math.floor(r() * bytes.length))),
  (g, r) => bytesOf(g, r, (bytes) => Buffer.concat([bytes, bytes])),
  (g, r) =>
    bytesOf(g, r, (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.from([Math.floor(r() * 256), 0, 255, 10]), bytes.subarray(4)])),
  (g, r) => rmSync(at(g, pick(r, g.files)), { force: true }),
  (g, r) => rmSync(dirname(at(g, pick(r, g.files))), { recursive: true, force: true }),
  (g, r) => swap(at(g, pick(r, g.files)), at(g, pick(r, g.files))),
  (g, r) => move(at(g, pick(r, g.files)), join(dirname(at(g, pick(r, g.files))), pick(r, NAMES))),
];

function bytesOf(ground, random, change) {
  const path = at(ground, pick(random, ground.files));
  try {
    writeFileSync(path, change(readFileSync(path)));
  } catch {
    // An earlier change took it away.
  }
}

function swap(a, b) {
  move(a, `${a}.swapped`);
  move(b, a);
  move(`${a}.swapped`, b);
}

function move(from, to) {
  try {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  } catch {
    // Nothing stands there any more, or something in the way does.
  }
}

const NAMES = [
  'ASSEMBLY.md',
  'FLOW.md',
  'DESCEND.md',
  'STAGE.md',
  'LOOP.md',
  'CHOOSE.md',
  'PARALLEL.md',
  'FANOUT.md',
  'SKILL.md',
  'README.md',
  'flows',
  'main',
];
NAMES.push(
  'subflows',
  'skills',
  'lib',
  'gate',
  'gate.sh',
  'schema.json',
  'schema.md',
  'before.sh',
  'success',
  'a.contract.yaml',
  'governance.contract.json',
);
NAMES.push('01-a', '01-a.md', '2-b.md', '02-c', '3-d', 'x', 'x.md', 'y.md', 'Stage.md', 'x~', 'LICENSE', '.hidden', 'contracts');
const BODIES = [
  '---\n---\nWrite.\n',
  '---\ndescription: x\n---\n',
  '',
  '---\n---\n',
  '---\nrepeat: 2\n---\nReady?\n',
  '---\n---\n- `x` y\n- `y` z\n',
  '#!/bin/sh\n',
];
BODIES.push(
  '---\nitems: a\nsubflow: x\nwidth: 1\nmax-items: 2\n---\n',
  '{"type":"object"}',
  '<!-- x',
  '\ufeff',
  '{"contract_type":"governance"}',
  '---\ndescription: x\n---\nGo.\n',
);

/** A random tree that begins like an assembly, so that some are valid. */
export function plantRandom(folder, random) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (random() < 0.9) {
    writeFileSync(join(folder, 'ASSEMBLY.md'), '---\n---\nHelp.\n');
    mkdirSync(join(folder, 'flows/main'), { recursive: true });
    writeFileSync(join(folder, 'flows/main/FLOW.md'), '---\ndescription: x\n---\n');
  }
  for (let left = 1 + Math.floor(random() * 8); left > 0; left--) {
    const below = random() < 0.7 ? ['flows', 'main'] : [];
    const path = join(folder, ...below, ...Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, NAMES)));
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, pick(random, BODIES), { mode: random() < 0.3 ? 0o755 : 0o644 });
      if (random() < 0.02) symlinkSync('/x', `${path}-link`);
    } catch {
      // A file stands where a folder was wanted, or the other way round.
    }
  }
}
