import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../src/index.js';
import { FLOW, repliesOf } from '../../../scripts/lib/provider-trouble.mjs';
import { WIRES } from '../../../scripts/lib/wires.mjs';
import { answering, status } from '../models/loopback.js';
import { stage, stops, wrote } from '../run/ground.js';
import { carriedOf, clear, eventsOf, FIVE, forge, ground, NAMES, refusalOf, stateOf, work } from './ground.js';

afterAll(clear);

function outcomeOf(result: Awaited<ReturnType<ReturnType<typeof ground>['resume']>>) {
  if (!result.ok || result.outcome === null) throw new Error(JSON.stringify(result));
  return result.outcome;
}

describe('[G-11] what a resumed run carries', () => {
  it.each(NAMES.map((name, index) => [name, index] as const))(
    '[G-11] everything before %s, which failed, and nothing of it again',
    async (name, index) => {
      const at = ground();
      const donor = await at.run(work(name));
      expect(donor.cause).toBe('exhausted');
      const before = stateOf(donor.folder);
      const resumed = await at.resume(work());
      expect(carriedOf(resumed)).toEqual({ carried: NAMES.slice(0, index), why: 'it ended as exhausted' });
      const outcome = outcomeOf(resumed);
      expect(outcome.ending).toMatchObject({ cause: 'success', exit: 0 });
      expect(readFileSync(outcome.output?.file ?? '', 'utf8')).toBe('good 05-send\n');
      expect(stateOf(donor.folder)).toBe(before);

      const events = eventsOf(outcome.folder);
      expect(events[0]).toMatchObject({ event: 'run_start', continued_from: donor.name });
      expect(events.filter(({ event }) => event === 'stage_carried').map((one) => [one.stage, one['from']])).toEqual(
        NAMES.slice(0, index).map((one) => [one, donor.name]),
      );
      expect(events.filter(({ event }) => event === 'stage_start').map((one) => one.stage)).toEqual(NAMES.slice(index));
      expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true, differences: [] });
      rmSync(donor.folder, { recursive: true });
      expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true });
    },
  );

  it('[G-11 R-9] hands the carried bytes on as the stage would have, zero bytes and all', async () => {
    const at = ground({
      '01-a/STAGE.md': stage('Make it.', 'retries: 0\n'),
      '02-b/STAGE.md': stage('Take it.', 'retries: 0\n'),
      '02-b/gate': FIVE['01-read/gate.sh'] ?? '',
    });
    const bytes = 'printf "\\000\\377" > "$OUTPUT"';
    await at.run([
      { stage: '01-a', calls: [{ tool: 'bash', input: { command: bytes } }] },
      stops('01-a'),
      wrote('02-b', 'bad'),
      stops('02-b'),
    ]);
    const look = {
      stage: '02-b',
      calls: [{ tool: 'bash', input: { command: 'od -An -tx1 "$INPUT/a.txt" | tr -d " \\n" > "$OUTPUT"; echo good >> "$OUTPUT"' } }],
    };
    const outcome = outcomeOf(await at.resume([look, stops('02-b')]));
    expect(readFileSync(outcome.output?.file ?? '', 'utf8')).toBe('00ffgood\n');
    const [started] = eventsOf(outcome.folder).filter(({ event }) => event === 'stage_start');
    expect(started?.['received']).toMatchObject([{ name: 'a.txt', path: 'stages/01-a/1/1/output.txt' }]);
  });

  it('[G-11] can itself be resumed, and its donor may be gone by then', async () => {
    const at = ground();
    const first = await at.run(work('02-sort'));
    const second = outcomeOf(await at.resume(work('04-check')));
    expect(second.ending.cause).toBe('exhausted');
    rmSync(first.folder, { recursive: true });
    const third = await at.resume(work());
    expect(carriedOf(third).carried).toEqual(NAMES.slice(0, 3));
    const { folder } = outcomeOf(third);
    const { view } = await openRecord(folder).read();
    expect(view?.stages.map(({ stage: name, state, from }) => [name, state, from])).toEqual([
      ...NAMES.slice(0, 3).map((name) => [name, 'carried', second.run]),
      ...NAMES.slice(3).map((name) => [name, 'ended', undefined]),
    ]);
    expect(await openRecord(folder).verify()).toMatchObject({ verified: true });
  });

  it('[G-11] of a run that died with all of its stages settled: all of it, and it succeeds', async () => {
    const at = ground();
    const donor = await at.run(work());
    forge(donor.folder, (events) => events);
    const outcome = outcomeOf(await at.resume([]));
    expect(outcome.ending.cause).toBe('success');
    expect(readFileSync(outcome.output?.file ?? '', 'utf8')).toBe('good 05-send\n');
    expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true });
  });

  it('[G-11] nothing, when nothing is settled, and says so', async () => {
    const at = ground();
    await at.run(work('01-read'));
    expect(carriedOf(await at.resume(work(), { planOnly: true }))).toEqual({ carried: [], why: 'it ended as exhausted' });
  });

  it('[G-11] a plan alone leaves no run behind', async () => {
    const at = ground();
    await at.run(work('03-draft'));
    const result = await at.resume(work(), { planOnly: true });
    expect(result).toMatchObject({ ok: true, outcome: null });
    expect(at.runs()).toHaveLength(1);
  });
});

describe('[G-11] when the assembly has changed', () => {
  const CHANGES: readonly (readonly [string, (flow: string) => void, readonly string[], string])[] = [
    [
      'a carried prompt',
      (flow) => writeFileSync(join(flow, '02-sort/STAGE.md'), stage('Another.', 'retries: 0\n')),
      ['01-read'],
      'flows/main/02-sort/STAGE.md was changed',
    ],
    [
      'the stage that failed',
      (flow) => writeFileSync(join(flow, '04-check/STAGE.md'), stage('Another.', 'retries: 0\n')),
      ['01-read', '02-sort', '03-draft'],
      'it ended as exhausted',
    ],
    [
      'a stage behind it',
      (flow) => writeFileSync(join(flow, '05-send/STAGE.md'), stage('Another.')),
      ['01-read', '02-sort', '03-draft'],
      'it ended as exhausted',
    ],
    [
      'a carried stage renamed',
      (flow) => renameSync(join(flow, '02-sort'), join(flow, '02-order')),
      ['01-read'],
      '02-sort stood in its place',
    ],
    [
      'one put behind the last',
      (flow) => cpSync(join(flow, '05-send'), join(flow, '06-more'), { recursive: true }),
      ['01-read', '02-sort', '03-draft'],
      'it ended as exhausted',
    ],
    ['a carried one removed', (flow) => rmSync(join(flow, '02-sort'), { recursive: true }), ['01-read'], '02-sort stood in its place'],
    [
      'the purpose',
      (flow) => writeFileSync(join(flow, '../../ASSEMBLY.md'), '---\n---\nHelp nobody.\n'),
      [],
      'the body of ASSEMBLY.md was changed',
    ],
    [
      'the procedure',
      (flow) => writeFileSync(join(flow, 'FLOW.md'), '---\ndescription: A flow for a test\n---\nStop.\n'),
      [],
      'the body of flows/main/FLOW.md was changed',
    ],
    [
      'only the description of the flow',
      (flow) => writeFileSync(join(flow, 'FLOW.md'), '---\ndescription: Other\n---\nGo on.\n'),
      ['01-read', '02-sort', '03-draft'],
      'it ended as exhausted',
    ],
    [
      'a lib of the root',
      (flow) => {
        mkdirSync(join(flow, '../../lib'));
        writeFileSync(join(flow, '../../lib/words.txt'), 'x');
      },
      [],
      'lib/words.txt is new',
    ],
    [
      'an option of the flow',
      (flow) => writeFileSync(join(flow, 'FLOW.md'), '---\ndescription: A flow for a test\ntimeout: 77\n---\nGo on.\n'),
      [],
      'its timeout was 3600 (default) and is 77 (flow)',
    ],
    [
      'an option that a stage sets itself',
      (flow) => writeFileSync(join(flow, 'FLOW.md'), '---\ndescription: A flow for a test\nretries: 9\n---\nGo on.\n'),
      ['01-read', '02-sort', '03-draft'],
      'it ended as exhausted',
    ],
    [
      'stages that share $TMP',
      (flow) => writeFileSync(join(flow, 'FLOW.md'), '---\ndescription: A flow for a test\ntmp: flow\n---\nGo on.\n'),
      [],
      'the stages of this flow share one $TMP, and that of the earlier run is gone',
    ],
  ];
  it.each(CHANGES)('[G-11] %s', async (_, change, carried, why) => {
    const at = ground();
    await at.run(work('04-check'));
    change(at.flow);
    expect(carriedOf(await at.resume(work(), { planOnly: true }))).toEqual({ carried, why });
  });

  it('[G-11] an executable bit counts', async () => {
    const at = ground({ ...FIVE, '01-read/lib/tool.sh': 'x' });
    await at.run(work('04-check'));
    rmSync(join(at.flow, '01-read/lib/tool.sh'));
    at.plant({ '01-read/lib/tool.sh': { x: 'x' } });
    expect(carriedOf(await at.resume(work(), { planOnly: true })).why).toBe('flows/main/01-read/lib/tool.sh was changed');
  });

  it('[G-11] what does not read is refused as in a run', async () => {
    const at = ground();
    await at.run(work('04-check'));
    rmSync(join(at.flow, '05-send/STAGE.md'));
    expect((await at.resume(work())).ok).toBe(false);
    expect(at.runs()).toHaveLength(1);
  });

  it('[G-11] one that is gone is told of, with the copy; it is found where it was moved', async () => {
    const at = ground();
    const donor = await at.run(work('04-check'));
    renameSync(join(at.root, 'a'), join(at.root, 'moved'));
    expect(refusalOf(await at.resume(work()))).toContain(`The run's own copy is ${donor.folder}/assembly.`);
    expect(carriedOf(await at.resume(work(), { assembly: '../moved', planOnly: true })).carried).toEqual(NAMES.slice(0, 3));
    expect(carriedOf(await at.resume(work(), { assembly: join(donor.folder, 'assembly'), planOnly: true })).carried).toEqual(
      NAMES.slice(0, 3),
    );
  });
});

describe('[G-11] options', () => {
  it('[G-11] what was said to the run is said again, and what is said anew is for what runs', async () => {
    const at = ground();
    await at.run(work('04-check'), { options: { timeout: '60', localContext: 'announce' } });
    const outcome = outcomeOf(await at.resume(work(), { options: { timeout: '90' } }));
    const events = eventsOf(outcome.folder);
    const started = events.find(({ event }) => event === 'stage_start');
    expect(started?.['options']).toMatchObject({
      timeout: { value: 90, from: 'command' },
      'local-context': { value: 'announce', from: 'command' },
    });
    const carried = events.filter(({ event }) => event === 'stage_carried');
    expect(carried).toHaveLength(3);
    for (const one of carried) expect(one['options']).toMatchObject({ timeout: { value: 60, from: 'command' } });
    expect(events[0]?.['asked']).toEqual({ options: { timeout: '90', 'local-context': 'announce' } });
  });

  it("[G-11] a changed row of the home's config", async () => {
    const at = ground();
    await at.run(work('04-check'));
    writeFileSync(join(at.home, 'config.yaml'), 'timeout: 55\n');
    expect(carriedOf(await at.resume(work(), { planOnly: true })).why).toBe('its timeout was 3600 (default) and is 55 (home)');
  });

  it('[G-11] a row that leads to another server', async () => {
    const wire = WIRES['openai-compatible'];
    const replies = repliesOf(wire, {}, 0);
    const server = await answering((index) => replies[index] ?? status(400, wire.error('some_kind', 'No more.')));
    const tree = { '01-word/STAGE.md': FLOW['STAGE.md'](60), '01-word/gate.sh': { x: FLOW['gate.sh'] }, '02-end.md': '---\n---\nEnd.\n' };
    const at = ground(tree);
    const lead = (address: string): void => {
      const row = `{provider: openai-compatible, model: m, base-url: "${address}"}`;
      writeFileSync(join(at.home, 'config.yaml'), `intelligences:\n  default: ${row}\n`);
    };
    const models = { kind: 'provider' } as const;
    mkdirSync(at.home, { recursive: true });
    lead(`${server.url}/v1`);
    expect((await at.run([], { models })).cause).toBe('fault');
    await server.close();
    expect(carriedOf(await at.resume([], { models, planOnly: true })).carried).toEqual(['01-word']);
    lead('http://127.0.0.1:2/v1');
    expect(carriedOf(await at.resume([], { models, planOnly: true }))).toEqual({
      carried: [],
      why: `its base-url was ${server.url}/v1 (home) and is http://127.0.0.1:2/v1 (home)`,
    });
  });

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
    ['openai', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  ] as const)('[G-11] an environment that leads %s to another server', async (provider, key, address) => {
    const wire = WIRES[provider];
    const replies = repliesOf(wire, {}, 0);
    const server = await answering((index) => replies[index] ?? status(400, wire.error('some_kind', 'No more.')));
    const tree = { '01-word/STAGE.md': FLOW['STAGE.md'](60), '01-word/gate.sh': { x: FLOW['gate.sh'] }, '02-end.md': '---\n---\nEnd.\n' };
    const at = ground(tree);
    const models = { kind: 'provider' } as const;
    Object.assign(at.env, { [key]: 'a-key', [address]: server.url });
    expect((await at.run([], { models })).cause).toBe('fault');
    await server.close();
    expect(carriedOf(await at.resume([], { models, planOnly: true })).carried).toEqual(['01-word']);
    at.env[address] = 'http://127.0.0.1:2';
    expect(carriedOf(await at.resume([], { models, planOnly: true })).why).toBe(
      `its base-url was ${server.url} (environment) and is http://127.0.0.1:2 (environment)`,
    );
    at.env[address] = undefined;
    expect(carriedOf(await at.resume([], { models, planOnly: true })).why).toBe(
      `its base-url was ${server.url} (environment) and is unset`,
    );
  });

  it('[G-11 V-1] a governance contract that was added and is another one by now', async () => {
    const at = ground();
    const file = join(at.root, 'more.json');
    const contract = (rule: string): string =>
      JSON.stringify({
        ...{ schema_version: '0.1', contract_type: 'governance', contract_name: 'more', lane: 'project' },
        stages: { pre_tool: { rules: [{ id: rule, tool: 'bash', program: 'curl', decision: 'deny', reason: 'No network.' }] } },
      });
    writeFileSync(file, contract('no-curl'));
    await at.run(work('04-check'), { governance: file });
    expect(carriedOf(await at.resume(work(), { planOnly: true })).carried).toEqual(NAMES.slice(0, 3));
    writeFileSync(file, contract('no-curling'));
    expect(carriedOf(await at.resume(work(), { planOnly: true }))).toEqual({
      carried: [],
      why: `the governance contract ${file} was changed`,
    });
    expect(carriedOf(await at.resume(work(), { planOnly: true, governance: file })).carried).toEqual(NAMES.slice(0, 3));
  });

  it('[G-11] slots are those of the run; another path carries nothing', async () => {
    const at = ground(FIVE, { 'ASSEMBLY.md': '---\nslots:\n  docs: The documents\n---\nHelp the reader.\n' });
    mkdirSync(join(at.root, 'docs'));
    mkdirSync(join(at.root, 'other'));
    await at.run(work('04-check'), { slots: { docs: join(at.root, 'docs') } });
    expect(carriedOf(await at.resume(work(), { planOnly: true })).carried).toHaveLength(3);
    const other = await at.resume(work(), { planOnly: true, slots: { docs: join(at.root, 'other') } });
    expect(carriedOf(other)).toEqual({ carried: [], why: 'the slot DOCS is another path now' });
  });

  it('[G-11 O-3] the request is the bytes of the run, with the options of its task', async () => {
    const at = ground();
    writeFileSync(join(at.root, 'work/task.md'), '---\nretries: 0\ntimeout: 44\n---\nFrom a task.\n');
    await at.run(work('01-read'), { request: '@task.md' });
    const outcome = outcomeOf(await at.resume(work()));
    expect(readFileSync(join(outcome.folder, 'request.md'), 'utf8')).toContain('From a task.');
    expect(eventsOf(outcome.folder)[0]?.['request']).toMatchObject({ path: 'request.md', from: 'file' });
  });

  it('[G-11 M-7 O-7] an isolated run that changed nothing has no tree any more: it is isolated again, and replayed where it was made from', async () => {
    const at = ground();
    const tree = join(at.root, 'work');
    const git = (...words: string[]): string => execFileSync('git', ['-C', tree, ...words], { encoding: 'utf8' });
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'Begun.');
    const { folder } = await at.run(work('03-draft'), { wishes: { isolate: 'clean' } });
    expect(eventsOf(folder)[0]).toMatchObject({ isolated_from: tree });
    expect((await at.replay()).ok).toBe(true);
    const resumed = await at.resume(work());
    expect(carriedOf(resumed).carried).toEqual(NAMES.slice(0, 2));
    const again = eventsOf(outcomeOf(resumed).folder)[0];
    expect(again).toMatchObject({ isolated_from: tree, workdir: expect.not.stringContaining(tree) });
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('[G-11] one stage alone is resumed alone', async () => {
    const at = ground();
    await at.run(work('02-sort'), { target: join(at.root, 'a/flows/main/02-sort') });
    const resumed = await at.resume(work());
    expect(resumed).toMatchObject({ ok: true, plan: { rows: [{ step: '02-sort', carried: false }] } });
    expect(outcomeOf(resumed).ending.cause).toBe('success');
  });

  it('[G-11] a script is not carried into a run of models, nor a rehearsal into a script', async () => {
    const at = ground();
    await at.run(work('02-sort'));
    expect(refusalOf(await at.resume([], { models: { kind: 'provider' } }))).toContain(
      'was scripted. It is resumed with a script: flow resume',
    );
    expect(refusalOf(await at.resume([], { models: { kind: 'rehearsal', choose: [] } }))).toContain('was scripted');
  });
});
