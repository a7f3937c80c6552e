import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseArguments, wrappingArguments } from '../../src/sandbox/arguments.js';
import { allowsOf } from '../../src/sandbox/confinement.js';
import { credentialPaths } from '../../src/sandbox/credentials.js';
import { neutralPlaces, neutralReason } from '../../src/sandbox/neutral.js';
import { arrange, type Place, placeOver, type Sight } from '../../src/sandbox/places.js';
import { readSandboxWords, sandboxPhrase, sandboxWords } from '../../src/sandbox/wish.js';

const folder = (path: string, sight: Sight): Place => ({ path, kind: 'folder', sight });
const lines = (places: readonly Place[]): string[] => arrange(places).map(({ path, sight }) => `${sight} ${path}`);

describe('the places of a sandbox', () => {
  it.each<[string, Place[], string[]]>([
    [
      'parents come first',
      [folder('/w/a/b', 'hidden'), folder('/w', 'hidden'), folder('/w/a', 'writable')],
      ['hidden /w', 'writable /w/a', 'hidden /w/a/b'],
    ],
    ['of one path the last one said counts', [folder('/w', 'hidden'), folder('/w', 'writable')], ['writable /w']],
    ['what is empty is not emptied again', [folder('/tmp', 'private'), folder('/tmp/x/home', 'hidden')], ['private /tmp']],
    ['what is readable anyway is left out', [folder('/usr', 'readable')], []],
    ['a name that begins alike is another one', [folder('/w', 'hidden'), folder('/wide', 'writable')], ['hidden /w', 'writable /wide']],
    [
      'the folders on the way to something hidden are held fast',
      [folder('/w', 'writable'), folder('/w/a/b/c', 'hidden')],
      ['writable /w', 'writable /w/a', 'writable /w/a/b', 'hidden /w/a/b/c'],
    ],
    [
      'and so is the folder of what git obeys',
      [folder('/w', 'writable'), { path: '/w/.git/config', kind: 'file', sight: 'readable' }],
      ['writable /w', 'writable /w/.git', 'readable /w/.git/config'],
    ],
  ])('[I-13] %s', (_, places, expected) => {
    expect(lines(places)).toEqual(expected);
  });

  it('[I-13] whatever is said, every path is seen as its nearest place says, and no place is laid over what stands in it', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`);
    const sight = fc.constantFrom<Sight>('hidden', 'private', 'readable', 'writable');
    const place = fc.tuple(path, sight).map(([at, seen]) => folder(at, seen));
    fc.assert(
      fc.property(fc.array(place, { maxLength: 8 }), path, (places, asked) => {
        const arranged = arrange(places);
        const wanted = placeOver([...new Map(places.map((one) => [one.path, one])).values()], asked)?.sight ?? 'readable';
        const got = placeOver(arranged, asked)?.sight ?? 'readable';
        const empty = (seen: Sight): boolean => seen === 'hidden' || seen === 'private';
        expect(got === wanted || (empty(got) && empty(wanted))).toBe(true);
        for (const [index, one] of arranged.entries()) {
          expect(arranged.slice(0, index).every((earlier) => !earlier.path.startsWith(`${one.path}/`))).toBe(true);
        }
      }),
    );
  });
});

describe("bubblewrap's arguments", () => {
  it('[I-13] the namespaces and the root that only reads come first, the network only when it is wished', () => {
    const words = baseArguments(false).join(' ');
    expect(words).toMatch(/--unshare-pid.*--die-with-parent.*--cap-drop ALL.*--ro-bind \/ \/ --proc \/proc --dev \/dev/);
    expect(words).toContain('--unshare-net');
    expect(baseArguments(true)).not.toContain('--unshare-net');
  });

  it('[I-13] a place becomes a mount, and what is hidden cannot be written either', () => {
    const places: Place[] = [
      folder('/h', 'hidden'),
      folder('/t', 'private'),
      folder('/h/w', 'writable'),
      { path: '/n', kind: 'file', sight: 'hidden' },
      { path: '/run/w/g', kind: 'file', sight: 'readable', from: '/h/g', optional: true },
    ];
    const words = wrappingArguments({ places, network: true, emptyFile: '/e', cwd: '/h/w' });
    expect(words.slice(baseArguments(true).length).join(' ')).toBe(
      '--tmpfs /h --tmpfs /t --bind /h/w /h/w --ro-bind /e /n --ro-bind-try /h/g /run/w/g --remount-ro /h --chdir /h/w',
    );
  });
});

describe('what the file tools may use', () => {
  const places = arrange([
    folder('/u', 'hidden'),
    folder('/u/tree', 'writable'),
    { path: '/u/tree/.git/config', kind: 'file', sight: 'readable' },
    folder('/u/tree/assembly', 'hidden'),
    folder('/u/docs', 'readable'),
  ]);
  const allows = allowsOf({ roots: ['/u/tree', '/u/docs', '/nest/out/output.txt'], places });
  it.each([
    ['/u/tree/a', true, true],
    ['/u/docs/a', true, true],
    ['/nest/out/output.txt', true, true],
    ['/u/tree/.git/config', true, false],
    ['/u/tree/.git/index', true, true],
    ['/u/tree/assembly/STAGE.md', false, false],
    ['/u/secret', false, false],
    ['/u/treeless', false, false],
    ['/etc/passwd', false, false],
  ])('[I-13] %s: read %s, write %s', (path, reads, writes) => {
    expect([allows(path, false), allows(path, true)]).toEqual([reads, writes]);
  });
});

describe('where secrets stand', () => {
  it('[I-13] in each home, on the machine, and where a variable says; but never a whole home', () => {
    const paths = credentialPaths(
      { KUBECONFIG: '/k/one:/k/two', GNUPGHOME: '/home/u', NETRC: 'relative', DOCKER_HOST: 'unix:///d/sock', XDG_CONFIG_HOME: '/' },
      ['/home/u', '/srv/v'],
    );
    expect(paths).toEqual(
      expect.arrayContaining(['/home/u/.ssh', '/srv/v/.ssh', '/home/u/.npmrc', '/etc/shadow', '/k/one', '/k/two', '/d/sock']),
    );
    for (const wrong of ['/home/u', '/', 'relative', '/home']) expect(paths).not.toContain(wrong);
  });
});

describe('where gates and hooks stand inside', () => {
  it('[I-13 A-21] at a path that tells nothing, with each lib as far above as it is', () => {
    const gate = { path: 'flows/f/01-s/gate/a.sh', name: 'gate/a.sh', sha256: '', libs: ['flows/f/01-s/lib', 'flows/f/lib', 'lib'] };
    const { file, places } = neutralPlaces(gate, '/copy');
    expect(file).toBe('/run/w/1/2/3/4/a.sh');
    expect(places.map(({ path, from }) => [path, from])).toEqual([
      ['/run/w/1/2/3/4/a.sh', '/copy/flows/f/01-s/gate/a.sh'],
      ['/run/w/1/2/3/lib', '/copy/flows/f/01-s/lib'],
      ['/run/w/1/2/lib', '/copy/flows/f/lib'],
      ['/run/w/lib', '/copy/lib'],
    ]);
  });

  it('[I-13 K-12] the capture that a failure hook is told of is shown elsewhere', () => {
    expect(neutralReason({ REASON: '/home/runs/r/c.txt', A: 'b' })).toMatchObject({
      env: { REASON: '/run/w/reason.txt', A: 'b' },
      places: [{ from: '/home/runs/r/c.txt' }],
    });
    expect(neutralReason({ A: 'b' })).toEqual({ env: { A: 'b' }, places: [] });
  });
});

describe('the words', () => {
  it.each([
    [{}, { ok: true, sandbox: null }],
    [{ sandbox: 'none' }, { ok: true, sandbox: null }],
    [{ sandbox: 'agent' }, { ok: true, sandbox: { covers: 'agent', network: false } }],
    [
      { sandbox: 'all', sandboxNet: true },
      { ok: true, sandbox: { covers: 'all', network: true } },
    ],
    [{ sandboxNet: true }, { ok: false }],
    [{ sandbox: 'gates' }, { ok: false }],
  ])('[I-13] %j', (words, expected) => {
    expect(readSandboxWords(words)).toMatchObject(expected);
  });

  it('[I-13] what is said again is the same', () => {
    for (const sandbox of [
      { covers: 'agent', network: true },
      { covers: 'all', network: false },
    ] as const) {
      expect(readSandboxWords(sandboxWords(sandbox))).toEqual({ ok: true, sandbox });
    }
    expect(sandboxWords(undefined)).toEqual({});
    expect(sandboxPhrase({ covers: 'all', network: true })).toBe('sandbox: agent, hooks and gates, with network');
  });
});
