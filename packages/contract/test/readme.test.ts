import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'README.md'), 'utf8');
const examples = [...page.matchAll(/```ts run\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const files = [...page.matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => ({ name, text }));
const before = process.cwd();
let folder = '';

beforeAll(() => {
  mkdirSync(join(root, '.tmp'), { recursive: true });
  folder = mkdtempSync(join(root, '.tmp/readme-'));
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

describe('[C-12] what the README shows', () => {
  it('has an example of enforce, of a session and of the middleware', () => {
    expect(['enforce(', 'openSession(', 'contractMiddleware('].map((name) => examples.some((text) => text.includes(name)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('[C-12] leads nowhere but into the package as it is published', () => {
    const { files: published }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const links = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      expect(existsSync(join(root, link)), link).toBe(true);
      expect(published, link).toContain(link.split('/')[0]);
    }
  });

  it.each(examples.map((text, index) => ({ text, index })))('example $index runs', async ({ text, index }) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, text);
    process.chdir(folder);
    await expect(import(file)).resolves.toBeDefined();
  });
});
