import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const HEAD = { 'ASSEMBLY.md': '---\n---\nMeasured, not meant.\n' };
const FLOW = '---\ndescription: one of the graph\n---\nOne after the other.\n';
const body = (text) => `---\n---\n${text}\n`;

/** A PARALLEL of `branches` single stages, each of which answers after `ms`. Resolves to the paths of the assembly and the script. */
export async function makeParallel(folder, { branches, ms }) {
  const names = Array.from({ length: branches }, (_, index) => `b${String(index + 1).padStart(2, '0')}`);
  return plant(folder, {
    files: {
      'flows/bench/FLOW.md': FLOW,
      'flows/bench/01-all/PARALLEL.md': `---\nwidth: ${branches}\n---\n`,
      ...Object.fromEntries(names.map((name) => [`flows/bench/01-all/${name}.md`, body('Write the letter x, and then stop.')])),
      'flows/bench/02-end.md': body('Write the letter x, and then stop.'),
    },
    lines: [...names.flatMap((name) => answers(`01-all/${name}`, { ms })), ...answers('02-end', {})],
  });
}

/** A FANOUT of `items` items over a subflow of one stage, each of which answers after `ms`. Resolves to the paths of the assembly and the script. */
export async function makeFanout(folder, { items, width, ms }) {
  const list = Array.from({ length: items }, (_, index) => ({ id: `item-${String(index + 1).padStart(4, '0')}`, input: { n: index } }));
  return plant(folder, {
    files: {
      'subflows/one/FLOW.md': FLOW,
      'subflows/one/01-do.md': body('Write the letter x, and then stop.'),
      'flows/bench/FLOW.md': FLOW,
      'flows/bench/01-list/STAGE.md': body('Write the list.'),
      'flows/bench/01-list/schema.json': '{"type":"object","properties":{"items":{"type":"array"}},"required":["items"]}\n',
      'flows/bench/02-fan/FANOUT.md': `---\nitems: items\nsubflow: one\nwidth: ${width}\nmax-items: ${items}\n---\n`,
      'flows/bench/03-end.md': body('Write the letter x, and then stop.'),
    },
    lines: [...answers('01-list', { content: JSON.stringify({ items: list }) }), ...answers('01-do', { ms }), ...answers('03-end', {})],
  });
}

/** It writes, after `ms`, and stops. */
function answers(stage, { content = 'x', ms = 0 }) {
  return [
    { stage, calls: [{ tool: 'write', input: { path: '$OUTPUT', content } }], ...(ms > 0 ? { delay_ms: ms } : {}) },
    { stage, text: 'Done.' },
  ];
}

async function plant(folder, { files, lines }) {
  for (const [path, text] of Object.entries({ ...HEAD, ...files })) {
    const file = join(folder, 'assembly', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const script = join(folder, 'script.jsonl');
  await writeFile(script, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return { assembly: join(folder, 'assembly'), script };
}
