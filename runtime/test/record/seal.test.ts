import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyRun } from '@gated-flow/record';
import { begin, planter, sha256 } from '../../../packages/record/test/plant-run.js';
import { openAppendFile } from '../../src/io/append-file.js';
import { createClock } from '../../src/io/clock.js';
import { createDisk } from '../../src/io/disk.js';
import { hashTree } from '../../src/io/hash-tree.js';
import type { Disk } from '../../src/ports/disk.js';
import { DiskError } from '../../src/ports/disk.js';
import type { RunRecorder } from '../../src/record/open-record.js';
import { openRecord } from '../../src/record/open-record.js';
import { sealRun } from '../../src/record/seal.js';

let folder = '';
let recorder: RunRecorder;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const disk = createDisk();
const success = { exit: 0, cause: 'success' } as const;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seal-'));
  begin(planter(join(folder, 'planted')));
  const start = JSON.parse(readFileSync(join(folder, 'planted/record.jsonl'), 'utf8'));
  rmSync(join(folder, 'planted/record.jsonl'));
  folder = join(folder, 'planted');
  recorder = openRecord(openAppendFile(join(folder, 'record.jsonl')), createClock());
  const { ts: _ts, prev: _prev, ...fact } = start;
  recorder.append(fact);
});
afterEach(() => {
  recorder.close();
  rmSync(join(folder, '..'), { recursive: true });
});

const request = (more: object = {}) => ({ folder, recorder, ending: success, named: new Map<string, string>(), outputs: [], ...more });
const failing = (name: string): Pick<Disk, 'write'> => ({
  write: (path, ...rest) => (path.endsWith(name) ? Promise.reject(new DiskError('write', path, 'ENOSPC')) : disk.write(path, ...rest)),
});
const lastEvent = (): unknown => JSON.parse(readFileSync(join(folder, 'record.jsonl'), 'utf8').trimEnd().split('\n').at(-1) ?? '');

describe('the seal', () => {
  it('[R-8 R-1] a run whose evidence is not what the record says does not succeed', async () => {
    const named = new Map([
      ['request.txt', sha256(readFileSync(join(folder, 'request.txt')))],
      ['assembly/ASSEMBLY.md', sha256('something else')],
    ]);
    const sealed = await sealRun(request({ named }), { disk, hashTree });
    const reason = "assembly/ASSEMBLY.md in the run's folder was changed or removed while the run was going on.";
    expect(sealed).toEqual({ ending: { exit: 2, cause: 'fault', reason } });
    expect(lastEvent()).toMatchObject({ event: 'run_end', exit: 2, cause: 'fault', reason });
  });

  it('[E-1] an ending that is no success stays what it is', async () => {
    const ending = { exit: 1, cause: 'exhausted' } as const;
    expect(await sealRun(request({ ending, named: new Map([['gone', sha256('')]]) }), { disk, hashTree })).toEqual({ ending });
  });

  it('[R-8] lists every file but the record and the seals, and what it leaves verifies', async () => {
    writeFileSync(join(folder, 'odd\\name\n'), 'x');
    expect(await sealRun(request(), { disk, hashTree })).toEqual({ ending: success });
    const manifest = readFileSync(join(folder, 'manifest.sha256'), 'utf8');
    expect(manifest.split('\n').map((line) => line.split('  ')[1])).toEqual([
      'assembly/ASSEMBLY.md',
      'assembly/flows/triage/01-classify.md',
      'assembly/flows/triage/02-draft/STAGE.md',
      'assembly/flows/triage/02-draft/gate/02-sections',
      'assembly/flows/triage/FLOW.md',
      'odd\\\\name\\n',
      'request.txt',
      undefined,
    ]);
    expect(lastEvent()).toMatchObject({ event: 'run_end', exit: 0, manifest: sha256(manifest) });
    expect(await verifyRun(folder)).toMatchObject({ verified: true, signature: 'absent', differences: [] });
  });

  it('[R-8] is signed when a key is given', async () => {
    await sealRun(request({ key: privateKey }), { disk, hashTree });
    expect(await verifyRun(folder, { publicKey })).toMatchObject({ verified: true, signature: 'good' });
  });

  it('[R-1 R-8] of a record that was changed under it is a fault', async () => {
    appendFileSync(join(folder, 'record.jsonl'), '{"ts":');
    const sealed = await sealRun(request(), { disk, hashTree });
    expect(sealed.ending).toEqual({ exit: 2, cause: 'fault', reason: 'The record was changed while the run was writing it.' });
    expect((await verifyRun(folder)).verified).toBe(false);
  });

  it('[R-1] without room for the manifest ends the record as a fault, without one', async () => {
    const sealed = await sealRun(request(), { disk: failing('manifest.sha256'), hashTree });
    expect(sealed).toMatchObject({
      ending: { exit: 2, cause: 'fault', reason: expect.stringContaining('ENOSPC') },
      error: { code: 'ENOSPC' },
    });
    expect(lastEvent()).toMatchObject({ event: 'run_end', exit: 2, cause: 'fault' });
    expect(existsSync(join(folder, 'manifest.sha256'))).toBe(false);
  });

  it.each([
    ['a fault', { exit: 2, cause: 'fault', reason: 'The gate is gone.', stage: '01-a' }],
    ['a signal', { exit: 130, cause: 'signal', reason: 'SIGINT was received.' }],
  ] as const)('[R-1 E-1] without a seal %s stays what it is', async (_, ending) => {
    const sealed = await sealRun(request({ ending }), { disk: failing('manifest.sha256'), hashTree });
    const reason = `${ending.reason} The run could not be sealed: write ${join(folder, 'manifest.sha256')}: ENOSPC`;
    expect(sealed.ending).toEqual({ ...ending, reason });
    expect(lastEvent()).toMatchObject({ event: 'run_end', ...ending, reason });
  });

  it('[R-1] without room for what follows run_end keeps the ending and tells the error', async () => {
    const sealed = await sealRun(request(), { disk: failing('record.sha256'), hashTree });
    expect(sealed).toMatchObject({ ending: success, error: { code: 'ENOSPC' } });
    expect(lastEvent()).toMatchObject({ event: 'run_end', exit: 0 });
  });

  it('[R-8] refuses to list what is no plain file', async () => {
    symlinkSync('request.txt', join(folder, 'link'));
    const sealed = await sealRun(request(), { disk, hashTree });
    expect(sealed).toMatchObject({ ending: { cause: 'fault' }, error: { path: join(folder, 'link'), code: 'a link' } });
  });
});
