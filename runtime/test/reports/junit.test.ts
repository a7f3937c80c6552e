import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, beginStage, plantExhausted, plantSuccess, planter, sha256 } from '../../../packages/record/test/plant-run.js';
import { atHome } from '../readings/at-home.js';
import { FIXTURES, junitFaults } from './formats.js';

let at: ReturnType<typeof atHome>;
beforeEach(() => {
  at = atHome();
});
afterEach(() => at.done());

const NAME = '2026-07-30T14-22-08-a3f9';
const REQUEST = { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 };
const junit = (run: string) => at.flow(['report', run, '--format', 'junit']);

/** A stage of one round whose gate said `words`, and which then ended as told. */
function plantGated(words: string, cause: 'exhausted' | 'timeout' | null) {
  return (folder: string): void => {
    const plant = planter(folder);
    begin(plant);
    beginStage(plant, '02-draft', REQUEST);
    const capture = plant.capture('stages/02-draft/1/1/checks/gate/02-sections.txt', words);
    const gate = { check: 'gate', file: 'gate/02-sections', sha256: sha256('') } as const;
    plant.event({ event: 'check', stage: '02-draft', retry: 1, ...gate, exit: cause === 'exhausted' ? 1 : 0, ...capture, ms: 12 });
    if (cause === null) return;
    const reason = cause === 'timeout' ? 'There was \x07not enough time.' : words;
    const end = { exit: 1, cause, reason, sealed: false, judged: true, attempts: 1 } as const;
    plant.event({ event: 'stage_end', stage: '02-draft', ...end });
    plant.seal({ exit: 1, cause, reason, stage: '02-draft' });
  };
}

describe('a run as JUnit XML', () => {
  it.each(['success', 'exhausted'])('[I-1] the frozen record of a %s is valid by the schema of Jenkins', async (name) => {
    const { code, out } = await junit(join(FIXTURES, name));
    expect(code).toBe(0);
    expect(await junitFaults(out)).toEqual([]);
  });

  it('[I-1] the schema finds what is wrong', async () => {
    expect(await junitFaults('<testsuites><testsuite name="a"/></testsuites>')).not.toEqual([]);
  });

  it('[I-1] a suite for each stage; rounds that were sent back are seen and do not fail', async () => {
    const { out } = await junit(join(FIXTURES, 'success'));
    expect(out.match(/<testsuite name="[^"]*"/g)).toEqual(
      ['01-classify', '02-draft', '03-verify'].map((stage) => `<testsuite name="${stage}"`),
    );
    expect(out).toMatch(/name="schema \(round 1\)" time="[\d.]+"><skipped>sent back:\n\/priority: must be/);
    expect(out).toMatch(/name="schema \(round 2\)" time="[\d.]+"\/>/);
    expect(out).not.toMatch(/<failure|<error/);
  });

  it('[I-1] of a stage that failed the last round fails, and it alone', async () => {
    const { out } = await junit(join(FIXTURES, 'exhausted'));
    expect(out.match(/<failure type="exhausted"/g)).toHaveLength(1);
    expect(out).toContain('tests="10" failures="1" errors="0" skipped="2"');
    expect(out).toMatch(/round 3\)"[^>]*><failure/);
  });

  it('[I-1] text that is no XML and text that would be some', async () => {
    at.keep(NAME, plantGated(']]></failure><x a="\x00\x1b[31m\ufffe\ud800">&\r\nend', 'exhausted'));
    const { code, out } = await junit(NAME);
    expect(code).toBe(0);
    expect(await junitFaults(out)).toEqual([]);
    expect(out).toContain(']]&gt;&lt;/failure&gt;&lt;x a="');
    expect(out).not.toMatch(/[\x00\x1b\ufffe]/);
  });

  it('[I-1] an end that no check says is a case of its own: an error where the work is not to blame', async () => {
    at.keep(NAME, plantGated('', 'timeout'));
    const { out } = await junit(NAME);
    expect(out).toContain('<testcase classname="02-draft" name="the stage ends" time="0.000"><error type="timeout"');
    expect(await junitFaults(out)).toEqual([]);
  });

  it('[I-1] a hook that was stopped with its run did not say no: an error, with the reason of the end', async () => {
    at.keep(NAME, (folder) => {
      const plant = planter(folder);
      begin(plant);
      beginStage(plant, '02-draft', REQUEST);
      const hook = {
        hook: 'before',
        file: 'before.sh',
        sha256: sha256(''),
        ...plant.capture('stages/02-draft/1/hooks/before.txt', ''),
      } as const;
      plant.event({ event: 'hook', stage: '02-draft', exit: null, ...hook, ms: 12 });
      const end = { exit: 130, cause: 'signal', reason: 'SIGINT was received.' } as const;
      plant.event({ event: 'stage_end', stage: '02-draft', ...end, sealed: false, judged: false, attempts: 0 });
      plant.seal({ ...end, stage: '02-draft' });
    });
    const { out } = await junit(NAME);
    expect(out).toContain('<error type="signal" message="SIGINT was received.">SIGINT was received.</error>');
    expect(await junitFaults(out)).toEqual([]);
    const { out: github } = await at.flow(['report', NAME, '--format', 'github']);
    expect(github).toContain('before.sh did not judge%3A signal::SIGINT was received.');
  });

  it('[I-1 R-6] a run that was killed has an error, also where its last line is torn', async () => {
    const folder = at.keep(NAME, plantGated('', null));
    appendFileSync(join(folder, 'record.jsonl'), '{"ts":"2026');
    const { code, out } = await junit(NAME);
    expect(code).toBe(0);
    expect(out).toContain('<error type="incomplete"');
    expect(await junitFaults(out)).toEqual([]);
  });

  it('[I-1] a run that succeeded has no failure, one that did not has one', async () => {
    at.keep(NAME, plantSuccess);
    expect((await junit(NAME)).out).not.toMatch(/<failure|<error/);
    at.keep('2026-07-30T15-00-00-0001', plantExhausted);
    expect((await junit('2026-07-30T15')).out).toMatch(/<failure|<error/);
  });

  it('[I-1] a capture that was altered, and a damaged record, end with 5 after what could be written', async () => {
    const folder = at.keep(NAME, plantGated('no', 'exhausted'));
    writeFileSync(join(folder, 'stages/02-draft/1/1/checks/gate/02-sections.txt'), 'yes');
    const altered = await junit(NAME);
    expect(altered.code).toBe(5);
    expect(altered.out).toContain('(altered since)');
    expect(altered.err).toContain('flow verify');
    const record = join(folder, 'record.jsonl');
    const text = readFileSync(record, 'utf8');
    writeFileSync(record, text.replace('"cause":"exhausted"', '"cause":"success"'));
    const damaged = await junit(NAME);
    expect(damaged.code).toBe(5);
    expect(damaged.err).toContain('is damaged or was altered');
    truncateSync(record, 0);
    expect(await junit(NAME)).toMatchObject({ code: 1, out: '' });
  });
});
