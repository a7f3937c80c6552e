import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Verdict } from '../src/index.js';
import { verifyRun } from '../src/index.js';
import { EVERY } from './every-event.js';
import { begin, beginStage, passStage, plantExhausted, plantSuccess, planter, sha256 } from './plant-run.js';
import { plantChild, plantFamily } from './plant-children.js';

let base = '';
let run = '';
const pair = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'verify-'));
  plantSuccess(join(base, 'success'));
  plantSuccess(join(base, 'signed'), pair.privateKey);
  plantExhausted(join(base, 'exhausted'));
});
afterAll(() => rmSync(base, { recursive: true }));
beforeEach(() => {
  run = join(base, 'run');
  rmSync(run, { recursive: true, force: true });
  cpSync(join(base, 'success'), run, { recursive: true });
});

const OUTPUT = 'stages/02-draft/1/2/output.txt';
const text = (path: string): string => readFileSync(join(run, path), 'utf8');
const write = (path: string, value: string): void => {
  mkdirSync(dirname(join(run, path)), { recursive: true });
  writeFileSync(join(run, path), value);
};
const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
const told = ({ differences }: Verdict): string[] =>
  differences.map(({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`} ${message}`);

describe('verify', () => {
  it('[R-8] proves a run that nobody touched, wherever it was copied', async () => {
    expect(await verifyRun(run)).toMatchObject({
      verified: true,
      state: 'valid',
      lines: 16,
      signature: 'absent',
      children: 0,
      differences: [],
    });
    expect(await verifyRun(join(base, 'exhausted'))).toMatchObject({ verified: true, differences: [] });
  });

  it.each<[string, () => void, string[]]>([
    ['an output changed', () => write(OUTPUT, 'What happens next: we go..\n'), [`${OUTPUT} is not what line 15 of record.jsonl says`]],
    ['an output gone', () => rmSync(join(run, OUTPUT)), [`${OUTPUT} is missing; line 15 of record.jsonl names it`]],
    ['the request changed', () => write('request.txt', 'x'), ['request.txt is not what line 1 of record.jsonl says']],
    [
      'a prompt changed',
      () => write('stages/02-draft/1/system.txt', 'x'),
      ['stages/02-draft/1/system.txt is not what line 8 of record.jsonl says'],
    ],
    [
      'a session cut',
      () => write('stages/02-draft/1/session.jsonl', ''),
      ['stages/02-draft/1/session.jsonl is not what line 15 of record.jsonl says'],
    ],
    [
      'a capture changed',
      () => write('stages/02-draft/1/1/checks/gate/02-sections.txt', 'fine'),
      ['stages/02-draft/1/1/checks/gate/02-sections.txt is not what line 11 of record.jsonl says'],
    ],
    ['a file added', () => write('stages/extra.txt', ''), ['stages/extra.txt is not listed in manifest.sha256']],
    ['a link added', () => symlinkSync('request.txt', join(run, 'more')), ['more is a link; a run holds plain files alone']],
    [
      'a file replaced by a link to its twin',
      () => (renameSync(join(run, OUTPUT), `${run}.twin`), symlinkSync(`${run}.twin`, join(run, OUTPUT))),
      [`${OUTPUT} is a link; a run holds plain files alone`, `${OUTPUT} is missing; line 15 of record.jsonl names it`],
    ],
    [
      'an executable bit of the assembly moved',
      () => chmodSync(join(run, 'assembly/ASSEMBLY.md'), 0o700),
      ['assembly is not the assembly that ran: a file, a name or an executable bit differs'],
    ],
    [
      'the record summed wrongly',
      () =>
        write(
          'record.sha256',
          text('record.sha256').replace(/^./, (c) => (c === '0' ? '1' : '0')),
        ),
      ['record.jsonl is not what record.sha256 says'],
    ],
    ['the record sum gone', () => rmSync(join(run, 'record.sha256')), ['record.sha256 is missing']],
    ['the manifest gone', () => rmSync(join(run, 'manifest.sha256')), ['manifest.sha256 is missing; run_end names it']],
    [
      'the record torn',
      () => truncateSync(join(run, 'record.jsonl'), readFileSync(join(run, 'record.jsonl')).length - 1),
      ['record.jsonl:16 is incomplete: its last line is torn', 'record.jsonl is not what record.sha256 says'],
    ],
  ])('[R-8] names each difference: %s', async (_, change, expected) => {
    change();
    const verdict = await verifyRun(run);
    expect(verdict.verified).toBe(false);
    expect(told(verdict)).toEqual(expected);
  });

  it('[R-8] says both hashes of a file that differs', async () => {
    write(OUTPUT, 'x');
    const { differences } = await verifyRun(run);
    expect(differences).toMatchObject([
      { path: OUTPUT, rule: 'R-8', expected: sha256('What happens next: we come.\n'), found: sha256('x') },
    ]);
  });

  it('[Q-27 R-8] names the place of a flipped bit, wherever in whichever file', async () => {
    const small = join(base, 'small');
    const plant = planter(small);
    begin(plant);
    passStage(plant, '01-classify', { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 }, 'u\n');
    plant.seal({ exit: 0, cause: 'success' }, pair.privateKey);
    expect(await verifyRun(small, { publicKey: pair.publicKey })).toMatchObject({ verified: true });
    for (const path of files(small)) {
      const bytes = readFileSync(join(small, path));
      const step = Math.max(1, Math.floor(bytes.length / 40));
      for (let at = 0; at < bytes.length; at += step) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
        writeFileSync(join(small, path), flipped);
        const { differences } = await verifyRun(small, { publicKey: pair.publicKey });
        const named = differences.map((difference) => `${difference.path} ${difference.message}`).join('\n');
        expect(named, `${path}, byte ${at}`).toContain(path);
      }
      writeFileSync(join(small, path), bytes);
    }
    expect(await verifyRun(small, { publicKey: pair.publicKey })).toMatchObject({ verified: true });
    rmSync(small, { recursive: true });
  });

  it('[R-6 R-8] calls a killed run incomplete and names nothing that was never written', async () => {
    const killed = join(base, 'killed');
    const plant = planter(killed);
    begin(plant);
    beginStage(plant, '01-classify', { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 });
    expect(told(await verifyRun(killed))).toEqual(['record.jsonl is incomplete: it has no run_end']);
    appendFileSync(join(killed, 'record.jsonl'), '{"ts":"2026-');
    expect(told(await verifyRun(killed))).toEqual(['record.jsonl:4 is incomplete: its last line is torn']);
    rmSync(killed, { recursive: true });
  });

  it('[R-8] does not follow a path out of the run', async () => {
    const outside = join(base, 'outside');
    const plant = planter(outside);
    begin(plant);
    plant.event({ ...EVERY.check, stage: '01-classify', capture: '../../etc/passwd', sha256: undefined });
    plant.event({ ...EVERY.check, stage: '01-classify', capture: '/etc/passwd', sha256: undefined });
    const verdict = await verifyRun(outside);
    expect(told(verdict).slice(0, 2)).toEqual([
      'record.jsonl:2 names a path outside the run: "../../etc/passwd"',
      'record.jsonl:3 names a path outside the run: "/etc/passwd"',
    ]);
    rmSync(outside, { recursive: true });
  });

  it('[R-8] finds what only the events could tell: bytes, lines, an executable of no assembly, a child without record', async () => {
    const odd = join(base, 'odd');
    const plant = planter(odd);
    begin(plant);
    const output = plant.file('stages/a/1/1/output.txt', 'abc');
    const session = plant.file('stages/a/1/session.jsonl', '{}\n');
    const capture = plant.capture('stages/a/1/1/checks/gate.txt', '');
    plant.event({ ...EVERY.stage_start, received: [] });
    plant.event({ ...EVERY.check, ...capture });
    plant.event({ ...EVERY.subflow_call, output: undefined });
    plant.event({ ...EVERY.stage_end, output: { ...output, bytes: 4 }, session: { sha256: session.sha256, lines: 2 } });
    plant.seal({ exit: 0, cause: 'success' });
    expect(told(await verifyRun(odd))).toEqual([
      `record.jsonl:3 says ${'a'.repeat(64)} of gate.sh, which no file of the assembly copy has`,
      'record.jsonl:4 ends the child run stages/a/1/1/subflows/1, which had not started',
      'record.jsonl:5 says 4 bytes of stages/a/1/1/output.txt, which has 3',
      'record.jsonl:5 says 2 lines of stages/a/1/session.jsonl, which has 1',
      'stages/a/1/1/subflows/1/record.jsonl is missing; line 4 of record.jsonl calls it',
    ]);
    rmSync(odd, { recursive: true });
  });

  describe('of children', () => {
    const family = (change: (folder: string) => void): string => {
      const folder = join(base, 'family');
      rmSync(folder, { recursive: true, force: true });
      plantFamily(folder, { items: ['j01', 'j02'], failing: ['j02'] });
      change(folder);
      return folder;
    };
    const CALLED = 'stages/01-list/1/1/subflows/1';
    const DEEP = `${CALLED}/stages/01-say/1/1/subflows/1`;
    const J01 = 'stages/02-map/1/1/subflows/1';
    const edit = (path: string, from: string, to: string) => (folder: string) => {
      const at = join(folder, path);
      writeFileSync(at, readFileSync(at, 'utf8').replace(from, to));
    };

    it('[R-8] are proved with their caller, however deep, and are no seals missing', async () => {
      expect(await verifyRun(family(() => {}))).toMatchObject({ verified: true, differences: [], children: 4 });
      expect(
        await verifyRun(
          join(
            family(() => {}),
            J01,
          ),
          { child: true },
        ),
      ).toMatchObject({ verified: true, children: 0 });
    });

    it.each<[string, (folder: string) => void, string[]]>([
      [
        'an output of one far below',
        edit(`${DEEP}/stages/01-say/1/1/output.txt`, 'said', 'SAID'),
        [`${DEEP}/stages/01-say/1/1/output.txt is not what`],
      ],
      ['a record', edit(`${J01}/record.jsonl`, '"exit":0', '"exit":7'), [`${J01}/record.jsonl is not what manifest.sha256 says`]],
      ['a missing one', (folder) => rmSync(join(folder, J01), { recursive: true }), [`${J01}/record.jsonl is missing; line`]],
      [
        'one that nobody called',
        (folder) => cpSync(join(folder, J01), join(folder, 'stages/02-map/1/1/subflows/9'), { recursive: true }),
        ['stages/02-map/1/1/subflows/9/record.jsonl is the record of a run that nobody here called'],
      ],
      [
        'one in the place of another',
        (folder) => {
          rmSync(join(folder, J01), { recursive: true });
          cpSync(join(folder, 'stages/02-map/1/1/subflows/2'), join(folder, J01), { recursive: true });
        },
        [`${J01}/record.jsonl does not say the same as line`, ': request, caller, item, cause, exit'],
      ],
    ])('[R-8] finds %s', async (_, change, expected) => {
      const verdict = await verifyRun(family(change));
      expect(verdict.verified).toBe(false);
      for (const part of expected)
        expect(
          told(verdict).some((one) => one.includes(part)),
          `${part} in ${told(verdict).join('; ')}`,
        ).toBe(true);
    });

    it('[R-8 R-6] names one that was killed: called, and never reported', async () => {
      const folder = join(base, 'killed');
      const plant = planter(folder);
      begin(plant);
      plantChild({ outer: plant, caller: { plant, depth: 0 } }, { stage: 'a', retry: 1, n: 1 }, { reports: false });
      const verdict = await verifyRun(folder);
      const at = 'stages/a/1/1/subflows/1/record.jsonl';
      expect(told(verdict)).toEqual([
        'record.jsonl is incomplete: it has no run_end',
        `${at} is incomplete: it has no run_end`,
        `${at} is incomplete: line 2 of record.jsonl calls it, and none says how it ended`,
      ]);
      expect(told(await verifyRun(folder, { cutOff: true }))).toEqual([]);
      rmSync(folder, { recursive: true });
    });

    it('[R-5 R-8] a child is started once and ended once', async () => {
      const folder = join(base, 'twice');
      const plant = planter(folder);
      begin(plant);
      const call = { ...EVERY.subflow_start, stage: 'a', retry: 1 };
      const back = { ...EVERY.subflow_call, stage: 'a', retry: 1, output: undefined };
      for (const event of [call, call, back, back]) plant.event(event);
      expect(told(await verifyRun(folder)).filter((one) => one.includes('a second time'))).toEqual([
        'record.jsonl:3 starts the child run stages/a/1/1/subflows/1 a second time',
        'record.jsonl:5 ends the child run stages/a/1/1/subflows/1 a second time',
      ]);
      rmSync(folder, { recursive: true });
    });
  });

  it('[R-8] rejects only when there is nothing to read', async () => {
    await expect(verifyRun(join(base, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a signature', () => {
  const verdict = (publicKey?: KeyObject) => verifyRun(join(base, 'signed'), publicKey === undefined ? {} : { publicKey });

  it('[R-8] is good with its key, unchecked without one, bad with another', async () => {
    expect(await verdict(pair.publicKey)).toMatchObject({ verified: true, signature: 'good' });
    expect(await verdict()).toMatchObject({ verified: true, signature: 'unchecked' });
    const wrong = await verdict(other.publicKey);
    expect(wrong).toMatchObject({ verified: false, signature: 'bad' });
    expect(told(wrong)).toEqual(['record.dsse.json was not signed by the key that was given']);
  });

  it('[R-8] is missed when a key is given and there is none', async () => {
    const unsigned = await verifyRun(run, { publicKey: pair.publicKey });
    expect(unsigned).toMatchObject({ verified: false, signature: 'bad' });
    expect(told(unsigned)).toEqual(['record.dsse.json is missing: the run is not signed']);
  });

  it('[R-8] of another run is told apart: another record, other outputs', async () => {
    cpSync(join(base, 'signed'), run, { recursive: true });
    const elsewhere = join(base, 'elsewhere');
    const plant = planter(elsewhere);
    begin(plant);
    plant.seal({ exit: 0, cause: 'success' }, pair.privateKey);
    write('record.dsse.json', readFileSync(join(elsewhere, 'record.dsse.json'), 'utf8'));
    expect(told(await verifyRun(run, { publicKey: pair.publicKey }))).toEqual([
      'record.dsse.json is not what record.sha256 says',
      'record.dsse.json was made over another record',
      'record.dsse.json does not name the sealed output stages/01-classify/1/1/output.txt',
      `record.dsse.json does not name the sealed output ${OUTPUT}`,
      'record.dsse.json names record.jsonl, which the record does not',
    ]);
    rmSync(elsewhere, { recursive: true });
  });
});
