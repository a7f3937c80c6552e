import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes an assembly of `stages` stages in one file each; `schema` puts each in a folder with a schema.json. Resolves to its path. */
export async function makeAssembly(folder, { stages, schema = false }) {
  const flowFolder = join(folder, 'flows/bench');
  await mkdir(flowFolder, { recursive: true });
  await writeFile(join(folder, 'ASSEMBLY.md'), '---\n---\nMeasured, not meant.\n');
  await writeFile(join(flowFolder, 'FLOW.md'), '---\ndescription: many stages\n---\nOne after the other.\n');
  for (const name of stageNames(stages)) {
    const body = `---\n---\nWrite the letter x, and then stop. This is ${name}.\n`;
    if (!schema) await writeFile(join(flowFolder, `${name}.md`), body);
    else {
      await mkdir(join(flowFolder, name));
      await writeFile(join(flowFolder, name, 'STAGE.md'), body);
      await writeFile(
        join(flowFolder, name, 'schema.json'),
        '{"type":"object","properties":{"x":{"type":"string","minLength":1}},"required":["x"]}\n',
      );
    }
  }
  return folder;
}

/** A script in which every stage writes one letter and stops. Resolves to its path. */
export async function makeScript(file, stages) {
  const write = [{ tool: 'write', input: { path: '$OUTPUT', content: 'x' } }];
  const lines = stageNames(stages).flatMap((stage) => [
    { stage, calls: write },
    { stage, text: 'Done.' },
  ]);
  await writeFile(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return file;
}

export function stageNames(count) {
  return Array.from({ length: count }, (_, index) => `${String(index + 1).padStart(5, '0')}-s${index + 1}`);
}

/** The events of the newest run in `home`. */
export async function newestRecord(home) {
  const newest = (await readdir(join(home, 'runs'), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(home, 'runs', entry.name));
  const texts = await Promise.all(newest.map((run) => readFile(join(run, 'record.jsonl'), 'utf8')));
  const records = texts.map((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each)),
  );
  return records.sort((a, b) => (a[0].ts < b[0].ts ? -1 : 1)).at(-1);
}

export const at = (event) => Date.parse(event.ts);
