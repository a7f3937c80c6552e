import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import schema from '../../schemas/flow.graph.schema.json' with { type: 'json' };
import { main } from '../../src/cli/main.js';
import { fakeIo } from '../cli/io.js';
import { scratchFolder } from '../io/scratch.js';
import { plant, stage, type Tree } from '../plan/ground.js';

const EVERYTHING = join(import.meta.dirname, '../../../fixtures/assemblies/valid/everything/assembly');
const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

async function graph(target: string, words: readonly string[] = [], more = {}) {
  const io = fakeIo({ env: { HOME: '/nowhere' }, ...more });
  const exit = await main(['graph', target, ...words], io);
  return { exit, out: io.printed(), err: io.said() };
}

function planted(tree: Tree): string {
  return plant(scratchFolder(), tree);
}

const ODD: Tree = {
  'FLOW.md': '---\ndescription: "end <b> %%{init} ]; graph"\n---\n',
  '01-end.md': stage(),
  '02-"]-->x;<script>alert(1)<s>.md': stage(),
  '03-日本語 & `code` #35;.md': stage(),
};

it('[I-1 G-10] the text tells steps, bounds, questions, options and who may call whom', async () => {
  const { exit, out, err } = await graph(EVERYTHING);
  expect([exit, err]).toEqual([0, '']);
  for (const line of [
    'every agent may call oracle, review-file',
    ' □ 02-list       → list.json   checklist (1), schema.json, gate/01-not-empty.sh',
    ' ⋔ 03-each       FANOUT, review-file for each of "files", 4 at once, at most 20',
    ' ╫ 05-look       PARALLEL, 2 branches, all at once',
    ' ↻ 06-draft      LOOP, at most 3 times   again while: Is it ready?',
    ' ◇ 07-judge      CHOOSE, one of 2',
    'oracle   DESCEND, at most 4 deep',
  ])
    expect(out).toContain(line);
});

it('[I-1] on a narrow terminal no line is wider than it, and no word is lost', async () => {
  const wide = (await graph(EVERYTHING)).out;
  const { out } = await graph(EVERYTHING, [], { outIsTerminal: true, width: 40 });
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  const words = (text: string): string[] => (text.match(/[\p{L}\p{N}./"-]{3,}/gu) ?? []).sort();
  expect(words(out)).toEqual(words(wide));
});

it('[I-2] the document is what its schema says, and names every step', async () => {
  const { out } = await graph(EVERYTHING, ['--format', 'json']);
  const document: { flows: { name: string; steps: { type: string }[] }[] } = JSON.parse(out);
  validate(document);
  expect(validate.errors).toBeNull();
  expect(document.flows.map(({ name }) => name)).toEqual(['review', 'oracle', 'review-file']);
  expect(document.flows[0]?.steps.map(({ type }) => type)).toEqual('STAGE STAGE FANOUT STAGE PARALLEL LOOP CHOOSE STAGE'.split(' '));
});

/** Every line of a drawing that mermaid reads as nodes, boxes and links with quoted words and nothing else. */
const NODE = /^ *[sf]\d+(?:in|out)?(?:\[\[|\(\[|\[|\(|\{\{|\{)"[^"`<>%;&]*"(?:\]\]|\]\)|\]|\)|\}\}|\})$/;
const BOX = /^ *(?:subgraph [sf]\d+(?:in)? \["[^"`<>%&]*"\]|end|agent\{\{"[^"]*"\}\})$/;
const LINK = /^ {2}(?:agent|[sf]\d+(?:in|out)?) (?:-->|-- "[^"]*" -->|-\. "[^"]*" \.->) [sf]\d+(?:in|out)?$/;

it('[I-1 I-3] mermaid: names that mean something to it, or to a page, are numbers inside quotes', async () => {
  for (const target of [EVERYTHING, planted(ODD)]) {
    const { out } = await graph(target, ['--format', 'mermaid']);
    const [first, title, ...lines] = out.trimEnd().split('\n');
    expect(first).toBe('flowchart TD');
    expect(title).toMatch(/^ {2}accTitle: [\p{L}\p{N} ._-]+$/u);
    for (const line of lines) {
      const bare = line.replaceAll('<br/>', ' ').replaceAll(/#\d+;/g, '?');
      expect([NODE, BOX, LINK].some((form) => form.test(bare)) ? '' : line).toBe('');
    }
  }
});

it('[I-1 I-8] SVG: alone, titled, described, for light and dark, without a script and with every name escaped', async () => {
  const { out } = await graph(planted(ODD), ['--format', 'svg']);
  expect(out).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]* role="img"/);
  expect(out).toMatch(/<title id="flow-picture-title">Flow .+<\/title>\n<desc id="flow-picture-desc">.*01-end, which writes end\.txt/);
  expect(out).toContain('prefers-color-scheme:dark');
  expect(out).not.toMatch(/<script|<image|href|url\(|@import/);
  expect(out).toContain('&lt;script&gt;');
  // Every mark that opens is one of these.
  expect([...new Set(out.match(/<\/?[a-z]+/g))].map((mark) => mark.replace(/[</]/g, ''))).toEqual(
    expect.arrayContaining(['svg', 'title', 'desc', 'style', 'rect', 'g', 'text']),
  );
});

it('[I-1] SVG of three hundred stages: all of them are there, in columns, and no box lies over another', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${String(index + 1).padStart(3, '0')}-stage`);
  const target = planted({ 'FLOW.md': '---\ndescription: d\n---\n', ...Object.fromEntries(names.map((name) => [`${name}.md`, stage()])) });
  const { out } = await graph(target, ['--format', 'svg']);
  const boxes = [...out.matchAll(/class="stage" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(([, ...at]) =>
    at.map(Number),
  );
  expect(boxes).toHaveLength(300);
  const places = boxes.map(([x = 0, y = 0]) => `${x} ${y}`);
  expect(new Set(places).size).toBe(300);
  const [, width = 0, height = 0] = (/width="(\d+)" height="(\d+)"/.exec(out) ?? []).map(Number);
  expect(width / height).toBeGreaterThan(0.4);
  expect(width / height).toBeLessThan(2.5);
});

it('[I-1 O-2] among several flows the picture is that of the assembly agent', async () => {
  const target = planted({
    'ASSEMBLY.md': stage('Help.'),
    'flows/a/FLOW.md': '---\ndescription: First\n---\n',
    'flows/a/01-x.md': stage(),
    'flows/b/FLOW.md': '---\ndescription: Second\n---\n',
    'flows/b/01-y.md': stage(),
  });
  const { out } = await graph(target);
  expect(out).toContain('the assembly agent chooses among 2 flows');
  expect(out).toMatch(/⋔ a +First\n ⋔ b +Second/);
  expect((await graph(join(target, 'flows/b'))).out).not.toContain('First');
});

it('[I-1 A-18] what is no assembly is refused on standard error: 2', async () => {
  const { exit, out, err } = await graph(join(scratchFolder(), 'none'));
  expect([exit, out]).toEqual([2, '']);
  expect(err).toContain('assembly-unknown');
});

it('[I-2] --json is --format json; what is refused is a document too', async () => {
  const asked = await graph(EVERYTHING, ['--json']);
  expect(asked.out).toBe((await graph(EVERYTHING, ['--format', 'json'])).out);
  const { exit, out, err } = await graph('/nowhere/at/all', ['--json']);
  const document: { refusals: { code: string }[] } = JSON.parse(out);
  validate(document);
  expect(validate.errors).toBeNull();
  expect([exit, err, document.refusals.map(({ code }) => code)]).toEqual([2, '', ['assembly-unknown']]);
  expect((await graph(EVERYTHING, ['--json', '--format', 'svg'])).exit).toBe(2);
});
