import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compareGiven } from '../../src/given/expected.js';
import { documentIn } from '../cli/documents.js';
import { atHome } from '../readings/at-home.js';

const removals: (() => void)[] = [];
afterAll(() => removals.splice(0).forEach((remove) => remove()));

const stage = (text = 'Write it.', keys = ''): string => `---\n${keys}---\n${text}\n`;
/** Keeps what it was given in the working tree, name and bytes. */
const SEES = '#!/bin/sh\n: "$1"\nfor f in "$INPUT"/*; do printf "%s=" "${f##*/}"; cat "$f"; done > "$PWD/seen"\n';

const FILES: Readonly<Record<string, string>> = {
  'ASSEMBLY.md': '---\nslots:\n  repo: where it is\n---\n',
  'flows/f/FLOW.md': '---\ndescription: d\n---\n',
  'flows/f/01-a.md': stage(),
  'flows/f/02-l/LOOP.md': '---\nrepeat: 2\n---\n',
  'flows/f/02-l/01-pass/STAGE.md': stage(),
  'flows/f/02-l/01-pass/gate.sh': SEES,
  'flows/f/03-p/PARALLEL.md': '---\nwidth: 2\n---\n',
  'flows/f/03-p/left.md': stage(),
  'flows/f/03-p/right.md': stage(),
  'flows/f/04-j/STAGE.md': stage(),
  'flows/f/04-j/schema.json':
    '{"type":"object","required":["items"],"properties":{"items":{"type":"array","minItems":2,"items":{"type":"object","required":["id","input"],"properties":{"id":{"type":"string"},"input":{"type":"object"}}}}}}',
  'flows/f/04-j/.fixtures/pass/x.json': '{"items":[{"id":"j1","input":{}},{"id":"j2","input":{}}]}',
  'flows/f/04-j/gate.sh': SEES,
  'flows/f/05-map/FANOUT.md': '---\nitems: items\nsubflow: part\nwidth: 1\nmax-items: 5\n---\n',
  'flows/f/06-end/STAGE.md': stage(),
  'flows/f/06-end/gate.sh': SEES,
  'subflows/part/FLOW.md': '---\ndescription: d\n---\n',
  'subflows/part/01-say/STAGE.md': stage(),
  'subflows/part/01-say/gate.sh': SEES,
};

function place(more: Readonly<Record<string, string>> = {}) {
  const home = atHome();
  removals.push(home.done);
  const work = join(home.root, 'work');
  mkdirSync(join(work, 'repo'), { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.root, FLOW_HOME: home.home, XDG_CACHE_HOME: join(home.root, 'cache') };
  const put = (path: string, text: string): void => {
    const at = join(work, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
    if (text.startsWith('#!')) chmodSync(at, 0o755);
  };
  for (const [path, text] of Object.entries({ ...FILES, ...more })) put(`a/${path}`, text);
  const flow = (...words: string[]) => home.flow(words, { cwd: work, env });
  return {
    ...{ home: home.home, root: home.root, work, put, flow },
    async run(): Promise<string> {
      const { out, err, code } = await flow('run', './a', 'the request', '--repo', './repo', '--rehearse', '--json');
      expect(code, err).toBe(0);
      return JSON.parse(out).run;
    },
    async stage(target: string, ...words: string[]) {
      const { out, err, code } = await flow('stage', target, '--rehearse', '--json', ...words);
      const { run, refusals = [] } = await documentIn(out);
      if (run !== null) await documentIn((await flow('show', run, '--json')).out);
      return { code, err, run, why: refusals.map(({ message }: { message: string }) => message).join('\n') };
    },
    seen: (): string => readFileSync(join(work, 'seen'), 'utf8'),
    events: (run: string) =>
      readFileSync(join(home.home, 'runs', run, 'record.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

describe('[I-1] what a past run gave a stage', () => {
  it('[I-1 R-9 R-8] the same bytes again, with its slots and in its tree; the new record is whole without the old one', async () => {
    const at = place();
    const donor = await at.run();
    const { code, run, err } = await at.stage('./a/f/04-j', '--from', donor);
    expect(code, err).toBe(0);
    expect(at.seen()).toMatch(/^left\.txt=.*right\.txt=/s);
    const [start, begun] = at.events(run);
    expect(start).toMatchObject({ event: 'run_start', asked: { stage: '04-j', given: donor, slots: { REPO: join(at.work, 'repo') } } });
    const then = at.events(donor).find(({ event, stage: path }) => event === 'stage_start' && path === '04-j').received;
    expect(begun.received.map(({ name, sha256 }: { name: string; sha256: string }) => [name, sha256])).toEqual(
      then.map(({ name, sha256 }: { name: string; sha256: string }) => [name, sha256]),
    );
    expect(begun.received.map(({ path }: { path: string }) => path)).toEqual(['given/left.txt', 'given/right.txt']);
    renameSync(join(at.home, 'runs', donor), join(at.root, 'elsewhere'));
    expect((await at.flow('verify', run)).code).toBe(0);
    expect((await at.flow('show', run)).out).toContain(`one stage on what ${donor} gave it`);
  });

  it('[I-1 G-3] a stage in a loop: the last repeat, or the one that is said', async () => {
    const at = place();
    const donor = await at.run();
    expect((await at.stage('./a/flows/f/02-l/01-pass', '--from', donor)).code).toBe(0);
    expect(at.seen()).toContain('pass.txt=');
    expect((await at.stage('./a/flows/f/02-l/01-pass', '--from', donor, '--at', '02-l/01-pass@1')).code).toBe(0);
    expect(at.seen()).not.toContain('pass.txt=');
    expect((await at.stage('./a/flows/f/02-l/01-pass', '--from', donor, '--at', '02-l/01-pass@7')).why).toContain('no repeat 7');
  });

  it('[I-1 G-6] a stage of a subflow: in which child run is asked, and is said by --at', async () => {
    const at = place();
    const donor = await at.run();
    expect((await at.stage('./a/subflows/part/01-say', '--from', donor)).why).toContain('--at: 05-map/j1/01-say, 05-map/j2/01-say');
    const { code, run } = await at.stage('./a/subflows/part/01-say', '--from', donor, '--at', '05-map/j2/01-say');
    expect(code).toBe(0);
    expect(at.seen()).toContain('"j2"');
    expect((await at.flow('verify', run)).code).toBe(0);
  });

  it('[I-1] once more from its own run, which is not resumed but run again', async () => {
    const at = place();
    const donor = await at.run();
    const first = await at.stage('./a/f/06-end', '--from', donor);
    const again = await at.stage('./a/f/06-end', '--from', first.run);
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(at.events(again.run)[0].asked.given).toBe(first.run);
    at.put('a/flows/f/06-end/gate.sh', '#!/bin/sh\n: "$1"\nexit 1\n');
    const failed = await at.flow('stage', './a/f/06-end', '--rehearse', '--from', donor);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/flow stage DIR --from \S+ --rehearse/);
    const resumed = await at.flow('resume', 'latest', '--rehearse');
    expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining('flow stage DIR --from 20')]);
  });

  it('[I-1 M-7] its attempts can be judged again', async () => {
    const at = place();
    const { run } = await at.stage('./a/f/06-end', '--from', await at.run());
    expect((await at.flow('replay', run)).code).toBe(0);
  });

  it('[I-1] a run that is damaged gives nothing: 5', async () => {
    const at = place();
    const donor = await at.run();
    const [{ path }] = at.events(donor).find(({ event, stage: name }) => event === 'stage_start' && name === '06-end').received;
    appendFileSync(join(at.home, 'runs', donor, path), 'x');
    const { code, err } = await at.flow('stage', './a/f/06-end', '--rehearse', '--from', donor);
    expect([code, err]).toEqual([5, expect.stringContaining(path)]);
    expect(readdirSync(join(at.home, 'runs'))).toEqual([donor]);
  });

  it('[I-1] a run that did not get there, no such run, two ways at once', async () => {
    const at = place();
    at.put('a/flows/f/01-a/x', '');
    const early = place({ 'flows/f/04-j/gate.sh': '#!/bin/sh\n: "$1"\nexit 1\n' });
    const { out } = await early.flow('run', './a', 'x', '--repo', './repo', '--rehearse', '--json');
    const { why } = await early.stage('./a/f/06-end', '--from', JSON.parse(out).run);
    expect(why).toMatch(/did not get to 06-end.*01-a, 02-l\/01-pass/);
    expect((await early.stage('./a/f/06-end', '--from', 'zzz')).why).toContain('no run "zzz"');
    expect((await early.stage('./a/f/06-end', '--from', 'latest', '--input', '.')).why).toContain('Keep one');
    expect((await early.stage('./a/f/06-end', '--at', 'x')).why).toContain('--from');
  });
});

describe('[I-1] files of one’s own', () => {
  it('[I-1] from a folder, links followed, dot files left; the record says so', async () => {
    const at = place();
    at.put('in/left.txt', 'L');
    at.put('in/.hidden', 'no');
    at.put('far/r', 'R');
    symlinkSync('../far/r', join(at.work, 'in/right.txt'));
    const { code, run, err } = await at.stage('./a/f/04-j', '--input', 'in', '--repo', 'repo');
    expect([code, err]).toEqual([0, expect.not.stringContaining('nothing before it')]);
    expect(at.seen()).toBe('left.txt=Lright.txt=R');
    expect(at.events(run)[0].asked.given).toBe('files');
    expect((await at.flow('show', run)).out).toContain('one stage on given files');
  });

  it('[I-1] what is missing is named, and what is too much is told', async () => {
    const at = place();
    at.put('in/left.txt', 'L');
    expect((await at.stage('./a/f/04-j', '--input', 'in', '--repo', 'repo')).why).toContain(
      '04-j is missing right.txt. in does not hold it.',
    );
    expect((await at.stage('./a/f/04-j', '--repo', 'repo')).why).toContain('missing left.txt and right.txt');
    expect((await at.stage('./a/f/01-a.md', '--repo', 'repo')).why).toContain('missing request.txt');
    for (const name of ['in/right.txt', 'in/more.txt']) at.put(name, 'x');
    const { code, err } = await at.stage('./a/f/04-j', '--input', 'in', '--repo', 'repo');
    expect([code, err]).toEqual([0, expect.stringContaining('is given more.txt, which nothing before it')]);
  });

  it('[I-1] what stands in its .fixtures/input/, when nothing is said', async () => {
    const at = place({ 'flows/f/04-j/.fixtures/input/left.txt': 'l', 'flows/f/04-j/.fixtures/input/right.txt': 'r' });
    const { code, err } = await at.stage('./a/f/04-j', '--repo', 'repo');
    expect([code, err]).toEqual([0, expect.stringContaining('.fixtures/input/')]);
    expect(at.seen()).toBe('left.txt=lright.txt=r');
  });

  it('[I-1] a folder in it, no folder at all, several stages: refused, and no run is born', async () => {
    const at = place();
    at.put('in/deep/x', '');
    expect((await at.stage('./a/f/04-j', '--input', 'in', '--repo', 'repo')).why).toContain('"deep", which is a folder');
    expect((await at.stage('./a/f/04-j', '--input', 'gone', '--repo', 'repo')).why).toContain('There is no folder gone.');
    expect((await at.stage('./a', '--input', 'in', '--repo', 'repo')).why).toContain('Name one: flows/f/01-a.md');
    expect(readdirSync(join(at.home, 'runs'))).toEqual([]);
  });

  it('[I-1 A-2] a stage that stands alone is given a request', async () => {
    const at = place();
    at.put('lone/STAGE.md', stage());
    at.put('in/request.md', 'x');
    expect((await at.stage('./lone', '--input', 'in')).code).toBe(0);
  });
});

it.each([
  ['a choice: one of its ways is enough', [[['a', '.txt']], [['b', '.md']]], ['b.md'], [], []],
  [
    'branches: all of them',
    [
      [
        ['a', '.txt'],
        ['b', '.txt'],
      ],
    ],
    ['a.txt'],
    ['b.txt'],
    [],
  ],
  ['another extension', [[['a', '.json']]], ['a.txt'], ['a.json'], ['a.txt']],
  ['the items of a fan-out', [[['<id>', '.txt']]], ['j1.txt', 'j2.txt'], [], []],
  ['a request under any extension', [[['request', '.*']]], ['request.pdf'], [], []],
] as const)('[S-3] %s', (...[, ways, names, missing, unexpected]) => {
  const arrival = ways.map((way) => way.map(([stem, extension]) => ({ stem, extensions: [extension] })));
  expect(compareGiven(arrival, names)).toEqual({ missing, unexpected });
});
