import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, beginStage, planter, sha256 } from '../../../packages/record/test/plant-run.js';
import { MARKDOWN_BYTES } from '../../src/reports/markdown.js';
import { atHome } from '../readings/at-home.js';
import { FIXTURES } from './formats.js';

let at: ReturnType<typeof atHome>;
beforeEach(() => {
  at = atHome();
});
afterEach(() => at.done());

const RUN = join(FIXTURES, 'exhausted');
const REQUEST = { path: 'request.txt', sha256: sha256('The lift is stuck.\n'), bytes: 19 };

describe('flow report', () => {
  it.each([
    [[], '--format names what to write: junit, github, markdown, otlp, runlog.'],
    [['--format', ''], '--format names what to write'],
    [['--format', 'jnit'], 'There is no format "jnit". Did you mean junit? There are: junit, github, markdown, otlp, runlog.'],
    [['--format', 'junit,html'], 'There is no format "html". There are: junit, github, markdown, otlp, runlog.'],
    [['--format', 'junit,otlp'], 'Several formats go into a folder: flow report'],
    [['--format', 'junit', '--json'], '--output DIR'],
  ])('[I-1] %j is misuse, and says what to type', async (words, sentence) => {
    const { code, out, err } = await at.flow(['report', RUN, ...words]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
  });

  it('[I-1] several formats into a folder that is made, one into a file; a document names them', async () => {
    const { code, out } = await at.flow(['report', RUN, '--format', 'junit,github,markdown,otlp,runlog', '--output', 'a/b', '--json']);
    expect(code).toBe(0);
    expect(readdirSync(join(at.root, 'a/b')).sort()).toEqual(['annotations.txt', 'junit.xml', 'otlp.json', 'report.md', 'runlog.jsonl']);
    const schema: object = JSON.parse(readFileSync(new URL('../../schemas/flow.report.schema.json', import.meta.url), 'utf8'));
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    validate(JSON.parse(out));
    expect(validate.errors).toBeNull();
    const printed = await at.flow(['report', RUN, '--format', 'junit']);
    expect(await at.flow(['report', RUN, '--format', 'junit', '--output', 'one.xml'])).toMatchObject({ code: 0, out: '', err: '' });
    expect(readFileSync(join(at.root, 'one.xml'), 'utf8')).toBe(printed.out);
    expect(readFileSync(join(at.root, 'a/b/junit.xml'), 'utf8')).toBe(printed.out);
  });

  it('[I-1] where nothing can be written it says so, and leaves nothing', async () => {
    writeFileSync(join(at.root, 'file'), '');
    const { code, err } = await at.flow(['report', RUN, '--format', 'junit', '--output', 'file/x.xml']);
    expect(code).toBe(2);
    expect(err).toMatch(/^The report cannot be written to file\/x\.xml: (ENOTDIR|EEXIST)\.\n$/);
    expect(readdirSync(at.root).filter((name) => name.includes('part'))).toEqual([]);
  });

  it('[I-1] no run is 1, and which is said', async () => {
    expect(await at.flow(['report', 'latest', '--format', 'junit'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no run yet'),
    });
  });

  it('[I-4] a reader that went away ends it quietly', async () => {
    const gone = AbortSignal.abort();
    expect(await at.flow(['report', RUN, '--format', 'otlp'], { outClosed: gone })).toMatchObject({ code: 0, out: '', err: '' });
  });
});

describe('a run as markdown', () => {
  const markdown = async (words: string): Promise<string> => {
    at.keep('2026-07-30T14-22-08-a3f9', (folder) => {
      const plant = planter(folder);
      begin(plant);
      beginStage(plant, '02-draft', REQUEST);
      const capture = plant.capture('stages/02-draft/1/1/checks/gate.txt', words);
      plant.event({ event: 'check', stage: '02-draft', retry: 1, check: 'gate', file: 'gate/<b>|@x`', exit: 1, ...capture, ms: 12 });
      const end = { exit: 1, cause: 'exhausted', reason: words, sealed: false, judged: true, attempts: 1 } as const;
      plant.event({ event: 'stage_end', stage: '02-draft', ...end });
      plant.seal({ exit: 1, cause: 'exhausted', reason: words, stage: '02-draft' });
    });
    return (await at.flow(['report', 'latest', '--format', 'markdown'])).out;
  };

  /** What is left of markdown when code is taken out as CommonMark reads it. */
  const outsideCode = (text: string): string =>
    text
      .replace(/^(`{3,})[^`\n]*\n[\s\S]*?^\1`*[ \t]*$/gm, '')
      .replace(/<code>[^<]*<\/code>/g, '')
      .replace(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, '');

  it('[I-1 R-10] what came of it, a row for each stage, what was said', async () => {
    const { out } = await at.flow(['report', RUN, '--format', 'markdown']);
    expect(out).toContain('### ✗ `triage`: exhausted at `03-verify`');
    expect(out).toContain('| ✓ | `01-classify` | 2 |');
    expect(out.match(/<details open>/g)).toHaveLength(1);
  });

  it.each([
    '```\n# out\n@team <script>x</script> [a](http://b) ![c](http://d)',
    '``````\n</details>\n@team http://a.b #1',
    '~~~\n| a | b |\n',
    '\x1b[31m@team\u202e',
    '````text\n```\n@team',
  ])('[I-1 S-2] words of an agent cannot leave their block: %j', async (words) => {
    const text = await markdown(words);
    const left = outsideCode(text);
    expect(left).not.toMatch(/@|script|http|#1|<b>|!\[/);
    expect(left.match(/<\/details>/g)?.length).toBe(left.match(/<details/g)?.length);
    expect(text).not.toMatch(/[\x00-\x08\x1b\u202e]/);
  });

  it('[I-7] stays within the room of a comment; what has none is counted', async () => {
    at.keep('2026-07-30T14-22-08-a3f9', (folder) => {
      const plant = planter(folder);
      begin(plant);
      for (let n = 10; n < 60; n += 1) {
        const stage = `${n}-work`;
        beginStage(plant, stage, REQUEST);
        const capture = plant.capture(`stages/${stage}/1/1/checks/gate.txt`, `${n} ${'word '.repeat(700)}`);
        plant.event({ event: 'check', stage, retry: 1, check: 'gate', file: 'gate.sh', exit: 1, ...capture, ms: 12 });
        plant.event({ event: 'stage_end', stage, exit: 1, cause: 'exhausted', sealed: false, judged: true, attempts: 1 });
      }
      plant.seal({ exit: 1, cause: 'exhausted' });
    });
    const { out } = await at.flow(['report', 'latest', '--format', 'markdown']);
    expect(Buffer.byteLength(out)).toBeLessThan(MARKDOWN_BYTES);
    expect(out).toMatch(/\n\d+ details left out for want of room\.\n/);
  });
});
