import { chmodSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotOf } from '@gated-flow/assembly';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../src/library/run.js';
import { openReuse } from '../../src/run/reuse/open-reuse.js';
import { filesOf, type Ingredients, neverReused, shapeOf, treesInReach } from '../../src/stage/reuse/shape.js';
import { createDisk } from '../../src/io/disk.js';
import { sh, stage, stops, wrote } from '../run/ground.js';
import { clearYards, type Yard, yard } from './yard.js';

afterAll(clearYards);

/** A stage that has one of everything. */
function everything(): Yard {
  const place = yard(
    {
      'lib/words.txt': 'flow',
      'skills/say/SKILL.md': '---\nname: say\ndescription: How to say it\n---\nLoudly.\n',
      'skills/say/list.txt': 'a b c',
      '01-word/STAGE.md': stage('Write the word.\n\n# Checklist'),
      '01-word/schema.md': '---\n---\n',
      '01-word/gate/01-look.sh': sh('true'),
      '01-word/before.sh': sh('cp "$OUTSIDE/input.txt" "$INPUT/more.txt"; cp "$OUTSIDE/tmp.txt" "$TMP/more.txt"'),
      '01-word/success.sh': sh('true'),
      '01-word/failure.sh': sh('true'),
      '01-word/lib/one.txt': 'stage',
    },
    [wrote('01-word', '---\n---\na word'), stops('01-word'), wrote('02-more', 'more'), stops('02-more')],
  );
  place.plant({
    'a/ASSEMBLY.md': '---\nslots: {notes: Where the notes are}\ntmp-max-bytes: 1000000\n---\nHelp the reader.\n',
    'a/lib/all.txt': 'root',
    'outside/input.txt': 'laid by before',
    'outside/tmp.txt': 'laid by before',
    'notes/one.txt': 'a note',
    'home/config.yaml': 'scrub: ["*_TOKEN"]\n',
    'work/.git/HEAD': 'ref: refs/heads/main\n',
    'work/.gitignore': 'dist\n',
    'work/dist/made.js': 'made',
    'work/src/run.sh': 'echo',
    'work/src/here': { link: 'run.sh' },
    'work/src/there': { link: '../../outside/linked.txt' },
    'outside/linked.txt': 'linked',
    'work/empty': { dir: true },
  });
  return place;
}

const slots = (place: Yard, folder = 'notes'): Partial<RunRequest> => ({ slots: { notes: join(place.root, folder) } });
const go = (place: Yard, request: Partial<RunRequest> = {}) =>
  place.go({ ...slots(place), ...request }, { OUTSIDE: join(place.root, 'outside') });

type Change = (place: Yard) => Partial<RunRequest> | void;
const write =
  (path: string, text = 'another'): Change =>
  (place) =>
    place.plant({ [path]: text });
const config = (text: string): Change => write('home/config.yaml', text);

const changes: readonly (readonly [string, Change])[] = [
  ['the instructions of the stage', write('a/flows/main/01-word/STAGE.md', stage('Write another word.'))],
  ['its checklist', write('a/flows/main/01-word/STAGE.md', stage('Write the word.\n\n# Checklist\n'.concat('\nnone')))],
  ['its schema', write('a/flows/main/01-word/schema.md', '---\n---\nMore.\n')],
  ['a gate', (place) => place.plant({ 'a/flows/main/01-word/gate/01-look.sh': sh('test 1') })],
  ['one more gate', (place) => place.plant({ 'a/flows/main/01-word/gate/02-more.sh': sh('true') })],
  [
    'its before',
    (place) =>
      place.plant({
        'a/flows/main/01-word/before.sh': sh('cp "$OUTSIDE/input.txt" "$INPUT/more.txt";cp "$OUTSIDE/tmp.txt" "$TMP/more.txt"'),
      }),
  ],
  ['its success', (place) => place.plant({ 'a/flows/main/01-word/success.sh': sh('test 1') })],
  ['its failure', (place) => place.plant({ 'a/flows/main/01-word/failure.sh': sh('test 1') })],
  ['its lib', write('a/flows/main/01-word/lib/one.txt')],
  ['the mode of a file of its lib', ({ root }) => chmodSync(join(root, 'a/flows/main/01-word/lib/one.txt'), 0o755)],
  ['the lib of the flow', write('a/flows/main/lib/words.txt')],
  ['the lib of the assembly', write('a/lib/all.txt')],
  ['a new file in a lib', write('a/lib/new.txt')],
  ['the request', () => ({ request: 'another request' })],
  ['what before lays into $INPUT', write('outside/input.txt')],
  ['what before lays into $TMP', write('outside/tmp.txt')],
  ['timeout', () => ({ options: { timeout: '77' } })],
  ['retries', () => ({ options: { retries: '7' } })],
  ['local-context', () => ({ options: { localContext: 'announce' } })],
  [
    'the script that answers for the model',
    (place) =>
      place.script([wrote('01-word', '---\n---\na word'), stops('01-word'), wrote('02-more', 'more'), stops('02-more'), stops('none')]),
  ],
  ['the model: none', () => ({ models: { kind: 'rehearsal', choose: [] } })],
  ['the purpose', write('a/ASSEMBLY.md', '---\nslots: {notes: Where the notes are}\ntmp-max-bytes: 1000000\n---\nHelp the writer.\n')],
  ['the words for a slot', write('a/ASSEMBLY.md', '---\nslots: {notes: Where notes are}\ntmp-max-bytes: 1000000\n---\nHelp the reader.\n')],
  ['tmp-max-bytes', write('a/ASSEMBLY.md', '---\nslots: {notes: Where the notes are}\ntmp-max-bytes: 1000001\n---\nHelp the reader.\n')],
  ['the procedure', write('a/flows/main/FLOW.md', '---\ndescription: A flow for a test\n---\nSlowly.\n')],
  ['the number of steps', write('a/flows/main/02-more.md', stage('More.'))],
  ['a skill', write('a/flows/main/skills/say/SKILL.md', '---\nname: say\ndescription: How to say it\n---\nSoftly.\n')],
  ['a file of a skill', write('a/flows/main/skills/say/list.txt', 'a b')],
  ['a file in a slot', write('notes/one.txt')],
  [
    'the place of a slot',
    (place) => {
      place.plant({ 'notes2/one.txt': 'a note' });
      return slots(place, 'notes2');
    },
  ],
  ['a file in the working tree', write('work/src/run.sh', 'echo 1')],
  ['its mode', ({ root }) => chmodSync(join(root, 'work/src/run.sh'), 0o755)],
  ['a new file in the working tree', write('work/src/new.sh')],
  ['a file that git ignores', write('work/dist/made.js')],
  ['what git has checked out', write('work/.git/HEAD', 'ref: refs/heads/other\n')],
  ['a file that is gone', (place) => place.remove('work/src/run.sh')],
  ['an empty folder that is gone', (place) => place.remove('work/empty')],
  [
    'where a link leads',
    ({ root }) => {
      unlinkSync(join(root, 'work/src/here'));
      symlinkSync('../dist/made.js', join(root, 'work/src/here'));
    },
  ],
  ['what a link leads to, outside', write('outside/linked.txt')],
  [
    'the place of the working tree',
    (place) => {
      place.plant({ 'work2/x': '' });
      return { in: join(place.root, 'work2') };
    },
  ],
  ['scrub', config('scrub: ["*_KEY"]\n')],
  ['agent-env', config('scrub: ["*_TOKEN"]\nagent-env: [A_TOKEN]\n')],
];

/** Each run differs from one that went before it in one thing: what is changed stays so. */
describe('what shaped an output', () => {
  const place = everything();
  beforeAll(async () => void (await go(place)));

  it('[G-12] has not changed: its work is taken over', async () => {
    const again = await go(place);
    expect([again.outcome.ending.cause, again.reused(), again.turns()]).toEqual(['success', ['01-word'], 0]);
  });

  it.each(changes)('[G-12] has changed in %s: the agent works', async (_name, change) => {
    const again = await go(place, change(place) ?? {});
    expect([again.outcome.ending.cause, again.reused()]).toEqual(['success', []]);
    expect(again.told('prompt').some(({ stage: of }) => of === '01-word')).toBe(true);
  });

  it('[G-12] is not what is told of the run, of whoever called it, or of another flow', async () => {
    await go(place);
    place.plant({
      'a/flows/other/FLOW.md': '---\ndescription: Another\n---\n',
      'a/flows/other/01-x.md': stage('X.'),
      'a/README.md': 'read',
    });
    const again = await go(place, { target: join(place.root, 'a/main'), deadline: 100, wishes: { reuse: true, correlation: 'x' } });
    expect(again.reused()).toContain('01-word');
  });
});

const BASE: Ingredients = {
  record: 1,
  runtime: '1.0.0',
  model: { source: 'provider', provider: 'p', model: 'm' },
  agent: { flow: 'f', stage: 's', repeat: null, item: null },
  options: { timeout: 1 },
  system: 's',
  firstTurn: 'f',
  tools: [{ name: 'read', description: 'd', parameters: {} }],
  files: [['a', 'x', false]],
  laidOut: { INPUT: 'x' },
  trees: [['PWD', '/w', 'x']],
  withheld: { scrub: [], agentEnv: [] },
  tmpMaxBytes: 1,
};

const variants: readonly (readonly [string, Partial<Ingredients>])[] = [
  ['the version of this program', { runtime: '1.0.1' }],
  ['the model', { model: { source: 'provider', provider: 'p', model: 'n' } }],
  ['the provider', { model: { source: 'provider', provider: 'q', model: 'm' } }],
  ['reasoning', { model: { source: 'provider', provider: 'p', model: 'm', reasoning: 'high' } }],
  ['where the provider is', { model: { source: 'provider', provider: 'p', model: 'm', baseUrl: 'http://x' } }],
  ['the largest answer', { model: { source: 'provider', provider: 'p', model: 'm', maxOutputTokens: 1 } }],
  ['a script', { model: { source: 'scripted', script: 'x' } }],
  ['a rehearsal', { model: { source: 'rehearsal', fixture: null } }],
  ['what it writes', { model: { source: 'rehearsal', fixture: 'x' } }],
  ['the flow', { agent: { ...BASE.agent, flow: 'g' } }],
  ['the stage', { agent: { ...BASE.agent, stage: 't' } }],
  ['the repeat', { agent: { ...BASE.agent, repeat: 1 } }],
  ['the item', { agent: { ...BASE.agent, item: 'i' } }],
  ['an option', { options: { timeout: 2 } }],
  ['the system prompt', { system: 't' }],
  ['the first turn', { firstTurn: 'g' }],
  ['the words for a tool', { tools: [{ name: 'read', description: 'e', parameters: {} }] }],
  ['what a tool takes', { tools: [{ name: 'read', description: 'd', parameters: { type: 'object' } }] }],
  ['the name of a file', { files: [['b', 'x', false]] }],
  ['the bytes of a file', { files: [['a', 'y', false]] }],
  ['the mode of a file', { files: [['a', 'x', true]] }],
  [
    'one file more',
    {
      files: [
        ['a', 'x', false],
        ['b', 'x', false],
      ],
    },
  ],
  ['$INPUT', { laidOut: { INPUT: 'y' } }],
  ['$SKILLS', { laidOut: { INPUT: 'x', SKILLS: 'x' } }],
  ['a tree', { trees: [['PWD', '/w', 'y']] }],
  ['where a tree is', { trees: [['PWD', '/v', 'x']] }],
  ['no tree', { trees: [] }],
  ['what is scrubbed', { withheld: { scrub: ['A'], agentEnv: [] } }],
  ['what is let in', { withheld: { scrub: [], agentEnv: ['A'] } }],
  ['the bound of $TMP', { tmpMaxBytes: 2 }],
];

describe('the shape', () => {
  it('[G-12] is the same for the same', () => {
    expect(shapeOf(structuredClone(BASE))).toBe(shapeOf(BASE));
    expect(shapeOf(BASE)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each(variants)('[G-12] is another with another %s', (_name, change) => {
    expect(shapeOf({ ...BASE, ...change })).not.toBe(shapeOf(BASE));
  });

  it('[G-12] takes in the contracts over a stage, its libs and its skills, and nothing of its neighbours', () => {
    const file = (path: string) => ({
      kind: 'file' as const,
      path,
      size: 1,
      executable: false,
      sha256: `of ${path}`,
      head: new Uint8Array(),
    });
    const paths = ['ASSEMBLY.md', 'all.contract.yaml', 'governance.contract.json', 'lib/a', 'f/FLOW.md', 'f/contract.yaml', 'f/lib/b'];
    const own = [
      'f/01-s/STAGE.md',
      'f/01-s/contract.yaml',
      'f/01-s/lib/c',
      'f/skills/k/SKILL.md',
      'f/skills/j/SKILL.md',
      'f/01-st/STAGE.md',
    ];
    const snapshot = snapshotOf('/a', [...paths, ...own].map(file));
    const place = { name: 's', path: '01-s', entry: 'f/01-s', sentinel: 'f/01-s/STAGE.md', options: {}, skills: [] };
    const files = filesOf(
      { snapshot, contract: 'all.contract.yaml', governance: 'governance.contract.json', lib: 'lib' },
      {
        stage: { ...place, type: 'STAGE', body: 'b', checklist: [], gates: [], hooks: {}, subflows: [], contract: 'f/01-s/contract.yaml' },
        flow: { contract: 'f/contract.yaml', lib: 'f/lib' },
        row: { skills: [{ name: 'k', description: 'd', path: 'f/skills/k' }] },
      },
    );
    expect(files.map(([path]) => path)).toEqual([
      ...['all.contract.yaml', 'f/01-s/STAGE.md', 'f/01-s/contract.yaml', 'f/01-s/lib/c'],
      ...['f/contract.yaml', 'f/lib/b', 'f/skills/k/SKILL.md', 'governance.contract.json', 'lib/a'],
    ]);
  });

  it('[G-12 A-16] counts the trees that an agent can reach', () => {
    const names = ['NOTES', 'PWD'];
    expect(treesInReach(undefined, names)).toEqual(names);
    expect(treesInReach({ bash: ['ls'] }, names)).toEqual(names);
    expect(treesInReach({ bash: [], read: ['PWD'] }, names)).toEqual(['PWD']);
    expect(treesInReach({ edit: ['notes'], read: ['INPUT'] }, names)).toEqual(['NOTES']);
    expect(treesInReach({ write: ['OUTPUT'] }, names)).toEqual([]);
    expect(treesInReach({}, names)).toEqual([]);
  });

  it('[G-12] is not made where nothing tells the model from another', () => {
    const place = { home: '/h', run: 'r', child: null, runtime: '1', stop: new AbortController().signal, disk: createDisk() };
    const model = (source: 'provider' | 'scripted' | 'replay' | 'agent') =>
      openReuse({ ...place, source, fingerprints: { of: async () => ({ print: 'none', why: '' }) } }).modelOf(null, null);
    expect([model('provider'), model('scripted'), model('replay'), model('agent')]).toEqual([null, null, null, null]);
  });

  it('[G-12] says why a stage is never reused', () => {
    const plain = { select: undefined, question: undefined, flow: { tmp: 'stage' as const } };
    expect(neverReused(plain)).toBeNull();
    expect(neverReused({ ...plain, select: ['a'] })).toMatch(/choice/);
    expect(neverReused({ ...plain, question: 'more?' })).toMatch(/asked/);
    expect(neverReused({ ...plain, flow: { tmp: 'flow' } })).toMatch(/TMP/);
  });
});
