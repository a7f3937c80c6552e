import { describe, expect, it } from 'vitest';
import { readChoices } from '../../src/models/rehearsal/choices.js';
import { choose, stage } from '../walk/steps.js';

const way = (...names: string[]) => ({
  step: choose('01-way', Object.fromEntries(names.map((name) => [name, [stage(`01-way/${name}`)]]))),
});
const ROWS = [way('fix', 'stop'), { step: stage('02-end') }, way('wait'), { step: choose('03-p/way', { a: [], b: [] }) }, { step: null }];

describe('what a rehearsal is told to choose', () => {
  it.each<[string[], object]>([
    [[], {}],
    [['01-way=stop'], { '01-way': 'stop' }],
    [['01-way=wait'], { '01-way': 'wait' }],
    [['01-way=fix', '03-p/way=b', '01-way=stop'], { '01-way': 'stop', '03-p/way': 'b' }],
  ])('[M-6] %j', (words, found) => {
    expect(readChoices(words, ROWS)).toEqual({ ok: true, choose: found });
  });

  it.each<[string, RegExp]>([
    ['01-way', /say STAGE=NAME\.$/],
    ['=fix', /say STAGE=NAME\.$/],
    ['01-way=', /say STAGE=NAME\.$/],
    ['01-way=fix=stop', /say STAGE=NAME\.$/],
    ['01-wya=fix', /there is no choice "01-wya"\. Did you mean "01-way"\? There is: 01-way, 03-p\/way\.$/],
    ['02-end=fix', /there is no choice "02-end"\. There is: 01-way, 03-p\/way\.$/],
    ['01-way=Fix', /01-way has no alternative "Fix"\. It has: fix, stop, wait\.$/],
    ['__proto__=fix', /there is no choice "__proto__"/],
  ])('[M-6] %s is refused before anything runs', (word, says) => {
    const read = readChoices(['01-way=fix', word], ROWS);
    expect(read).toEqual({ ok: false, message: expect.stringMatching(says) });
    expect(read).toMatchObject({ message: expect.stringContaining(`--rehearse-choose ${JSON.stringify(word)}: `) });
  });

  it('[M-6] says so when there is nothing to choose', () => {
    expect(readChoices(['01-way=fix'], [])).toMatchObject({
      ok: false,
      message: expect.stringContaining('nothing is chosen in this run.'),
    });
  });
});
