import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '@gated-flow/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containing } from '../expected.js';
import { edit } from '../../src/agent/tools/edit.js';
import { TOOLS } from '../../src/agent/tools/index.js';
import { placeOf, slotForm } from '../../src/agent/tools/place.js';
import { read } from '../../src/agent/tools/read.js';
import { write } from '../../src/agent/tools/write.js';
import { memoryBench, realBench } from './bench.js';

const SLOTS = { PWD: '/work/tree', INPUT: '/nest/in', OUTPUT: '/nest/out/o.md', DATA: '/work/tree/data' };

describe('paths', () => {
  it.each([
    ['a.txt', '/work/tree/a.txt', '$PWD/a.txt'],
    ['.', '/work/tree', '$PWD'],
    ['./~x', '/work/tree/~x', '$PWD/~x'],
    ['data/x', '/work/tree/data/x', '$DATA/x'],
    ['$OUTPUT', '/nest/out/o.md', '$OUTPUT'],
    ['${OUTPUT}', '/nest/out/o.md', '$OUTPUT'],
    ['$INPUT/x.json', '/nest/in/x.json', '$INPUT/x.json'],
    ['${INPUT}/a/../b', '/nest/in/b', '$INPUT/b'],
    ['/nest/in/x', '/nest/in/x', '$INPUT/x'],
    ['$PWD/data', '/work/tree/data', '$DATA'],
    ['/etc/hosts', '/etc/hosts', '/etc/hosts'],
    ['$INPUT/../secret', '/nest/secret', '$INPUT/../secret'],
    ['../../nest/x', '/nest/x', '../../nest/x'],
  ])('[L-6] %s leads to %s and is shown as %s', (given, path, shown) => {
    expect(placeOf(given, SLOTS)).toEqual({ ok: true, path, shown });
  });

  it.each([
    ['', 'empty'],
    ['~/x', '`~` is not understood'],
    ['~', '`~` is not understood'],
    ['$HOME/x', 'There is no $HOME'],
    ['$constructor', 'There is no $constructor'],
    ['$OUTPUT.bak', 'After $OUTPUT a path goes on with "/"'],
    ['a\0b', 'zero byte'],
  ])('[L-6] %j is no path', (given, message) => {
    expect(placeOf(given, SLOTS)).toEqual({ ok: false, message: containing(message) });
  });

  it('[L-6 P-2] what is shown of a path never holds where a slot lies', () => {
    const part = fc.constantFrom('..', '.', 'a', 'data', 'x y', '$INPUT', 'é');
    fc.assert(
      fc.property(fc.constantFrom('', '$INPUT/', '$OUTPUT/', '${DATA}/', './'), fc.array(part), (start, parts) => {
        const placed = placeOf(start + parts.join('/') || '.', SLOTS);
        if (placed.ok) for (const root of ['/nest/in', '/nest/out', '/work/tree']) expect(placed.shown).not.toContain(root);
      }),
    );
    expect(slotForm('/elsewhere', SLOTS)).toBeNull();
    expect(slotForm('/etc/hosts', { ROOT: '/' })).toBe('$ROOT/etc/hosts');
  });
});

describe('arguments', () => {
  it.each(TOOLS.map((tool) => [tool.spec.name, tool] as const))(
    '[L-6] %s says all that is wrong with its arguments, and is not run',
    async (_, tool) => {
      const { context } = memoryBench();
      for (const input of [null, 'text', [], { nonsense: 1 }, {}]) {
        expect(tool.check(input)).toContain(`The arguments of ${tool.spec.name} are wrong`);
        expect(await tool.run(input, context)).toMatchObject({ error: true });
      }
      expect(tool.spec.parameters).toMatchObject({ type: 'object', additionalProperties: false });
    },
  );

  it('[L-6] names each fault', () => {
    expect(read.check({ offset: 0, limit: 1.5, depth: 3 })?.split('\n')).toEqual([
      'The arguments of read are wrong:',
      '- `path` is required',
      '- `offset` must be a whole number of at least 1',
      '- `limit` must be a whole number of at least 1',
      '- `depth` is not a parameter',
    ]);
    expect(read.check({ path: 'x', offset: null })).toBeNull();
    expect(edit.check({ path: 'x', old: 'a', new: 1 })).toContain('`new` must be a string');
    expect(read.check(JSON.parse('{"path": "x", "__proto__": {"offset": "x"}}'))).toContain('`__proto__` is not a parameter');
  });
});

describe('read', () => {
  it('[L-6] gives lines as they are', async () => {
    const { disk, call } = memoryBench();
    await disk.write('/work/tree/a.txt', 'one\r\ntwo\n\nfour');
    expect(await call(read, { path: 'a.txt' })).toEqual({ output: 'one\r\ntwo\n\nfour' });
    expect(await call(read, { path: 'a.txt', offset: 2, limit: 2 })).toEqual({
      output: 'two\n\n[Shown: lines 2 to 3. Left out: the 4 bytes after them. Go on with offset 4.]',
    });
    expect(await call(read, { path: 'a.txt', offset: 4 })).toEqual({ output: 'four' });
    expect(await call(read, { path: 'a.txt', offset: 5 })).toEqual({ output: '$PWD/a.txt has 4 lines; there is no line 5.', error: true });
  });

  it('[L-6] is bounded in lines, in bytes and in the length of a line, and says what it left out', async () => {
    const { disk, call } = memoryBench();
    await disk.write('/work/tree/many', Array.from({ length: 2001 }, (_, i) => `line ${i + 1}\n`).join(''));
    const many = (await call(read, { path: 'many' })).output.split('\n');
    expect(many).toHaveLength(2001);
    expect(many.at(-1)).toBe('[Shown: lines 1 to 2000. Left out: the 10 bytes after them. Go on with offset 2001.]');
    await disk.write('/work/tree/wide', `${'é'.repeat(1500)}\n${'y'.repeat(100)}\n`);
    expect((await call(read, { path: 'wide' })).output).toBe(`${'é'.repeat(1000)} [line cut: 3000 bytes in all]\n${'y'.repeat(100)}`);
    await disk.write('/work/tree/full', `${'z'.repeat(1999)}\n`.repeat(100));
    const full = await call(read, { path: 'full' });
    expect(Buffer.byteLength(full.output)).toBeLessThan(50_200);
    expect(full.output).toContain('Shown: lines 1 to 25. Left out: the 150000 bytes after them.');
  });

  it('[L-6] pages through everything exactly once', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '\r', ' ') });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 7 }), async (lines, limit) => {
        const { disk, call } = memoryBench();
        await disk.write('/work/tree/a', `${lines.join('\n')}\n`);
        const seen: string[] = [];
        for (let offset = 1; offset <= lines.length; offset += limit) {
          const { output } = await call(read, { path: 'a', offset, limit });
          seen.push(...output.split('\n').filter((one) => !one.startsWith('[Shown')));
        }
        expect(seen).toEqual(lines);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['PNG image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1')],
    ['UTF-16 text', Buffer.from('\xff\xfea\0b\0', 'latin1')],
    ['gzip data', Buffer.from('\x1f\x8b\x08abc\xff', 'latin1')],
    ['unknown binary data', Buffer.from('abc\0def')],
  ])('[L-6] refuses %s, with its size', async (type, bytes) => {
    const { disk, call } = memoryBench();
    await disk.write('/nest/in/x', bytes);
    expect(await call(read, { path: '$INPUT/x' })).toEqual({
      output: `$INPUT/x is not text: ${type}, ${bytes.length} bytes.`,
      error: true,
    });
  });

  it('[L-6] shows text of an old encoding, and says so; finds zero bytes late in a file', async () => {
    const { disk, call } = memoryBench();
    await disk.write('/work/tree/latin', Buffer.from('caf\xe9\n', 'latin1'));
    expect((await call(read, { path: 'latin' })).output).toBe('caf\ufffd\n[Some bytes are not valid UTF-8 and are shown as \ufffd.]');
    await disk.write('/work/tree/late', `${'a\n'.repeat(9000)}\0\n`);
    expect(await call(read, { path: 'late', offset: 9000 })).toMatchObject({
      error: true,
      output: containing('zero bytes in line 9001'),
    });
  });

  it.each([
    ['gone', '$PWD/gone does not exist.'],
    ['.', '$PWD is a folder, not a file.'],
    ['fifo', '$PWD/fifo is not a regular file (a device, a pipe or a socket).'],
    ['circle', '$PWD/circle is a link that leads in a circle.'],
    ['/dev/zero', '/dev/zero is not a regular file (a device, a pipe or a socket).'],
    ['file/below', '$PWD/file/below cannot exist: a part of its path is a file, not a folder.'],
  ])('[L-6] of %s says what is the matter, and never hangs', async (path, output) => {
    const { slots, call } = realBench();
    execFileSync('mkfifo', [join(slots.PWD, 'fifo')]);
    writeFileSync(join(slots.PWD, 'file'), 'x');
    symlinkSync('circle', join(slots.PWD, 'circle'));
    expect(await call(read, { path })).toEqual({ output, error: true });
  });

  it('[L-6] says that an empty file is empty', async () => {
    const { disk, call } = memoryBench();
    await disk.write('/nest/out/output.md', '');
    expect(await call(read, { path: '$OUTPUT' })).toEqual({ output: '($OUTPUT is empty)' });
  });

  it('[L-6] reads the end of a file of 200 MiB without holding it', async () => {
    const { slots, call } = realBench();
    const fd = openSync(join(slots.PWD, 'large'), 'w');
    const piece = Buffer.alloc(1 << 20, 'x'.repeat(1023) + '\n');
    for (let i = 0; i < 200; i++) writeSync(fd, piece);
    writeSync(fd, 'the end\n');
    closeSync(fd);
    const before = process.memoryUsage().rss;
    expect(await call(read, { path: 'large', offset: 200 * 1024 + 1 })).toEqual({ output: 'the end' });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
  });

  it('[L-6] stops early in one endless line', async () => {
    const { slots, call } = realBench();
    const fd = openSync(join(slots.PWD, 'endless'), 'w');
    writeSync(fd, 'x'.repeat(20_000));
    ftruncateSync(fd, 20_000);
    closeSync(fd);
    expect((await call(read, { path: 'endless' })).output).toBe(`${'x'.repeat(2000)} [line cut: 20000 bytes in all]`);
  });

  it('[S-2] masks a secret before a line is cut', async () => {
    const secret = 'sk-0123456789abcdef';
    const { disk, call } = memoryBench([], { redactor: createRedactor([secret]) });
    await disk.write('/work/tree/a', `${'x'.repeat(1995)}${secret}${'y'.repeat(500)}`);
    const { output } = await call(read, { path: 'a' });
    expect(output).toContain('x***');
    expect(output).not.toContain('sk-01');
  });
});

describe('write', () => {
  it('[L-6] makes the folders on the way and says where by the slot', async () => {
    const { disk, call } = memoryBench();
    expect(await call(write, { path: '$TMP/a/b/c.txt', content: 'é\n' })).toEqual({ output: 'Wrote 3 bytes to $TMP/a/b/c.txt.' });
    expect(disk.text('/nest/tmp/a/b/c.txt')).toBe('é\n');
  });

  it('[L-6] writes through a link, keeps the mode, and leaves no other file', async () => {
    const { slots, call } = realBench();
    writeFileSync(join(slots.PWD, 'script'), 'old');
    chmodSync(join(slots.PWD, 'script'), 0o755);
    symlinkSync('script', join(slots.PWD, 'link'));
    expect(await call(write, { path: 'link', content: 'new' })).toEqual({ output: 'Wrote 3 bytes to $PWD/link.' });
    expect(readFileSync(join(slots.PWD, 'script'), 'utf8')).toBe('new');
    expect(statSync(join(slots.PWD, 'script')).mode & 0o777).toBe(0o755);
    expect(execFileSync('ls', ['-A', slots.PWD], { encoding: 'utf8' })).toBe('link\nscript\n');
  });

  it.each([
    ['folder', '$PWD/folder is a folder, not a file.'],
    ['fifo', '$PWD/fifo is not a regular file (a device, a pipe or a socket).'],
    ['/dev/null', '/dev/null is not a regular file (a device, a pipe or a socket).'],
    [`${'n'.repeat(300)}`, `$PWD/${'n'.repeat(300)} has a name that is too long.`],
    ['$OUTPUT/x', '$OUTPUT/x cannot exist: a part of its path is a file, not a folder.'],
  ])('[L-6] does not write to %s', async (path, output) => {
    const { slots, call } = realBench();
    mkdirSync(join(slots.PWD, 'folder'));
    execFileSync('mkfifo', [join(slots.PWD, 'fifo')]);
    writeFileSync(slots.OUTPUT, 'x');
    expect(await call(write, { path, content: 'x' })).toEqual({ output, error: true });
  });
});

describe('edit', () => {
  it('[L-6] replaces what is there once, and not a byte beside it', async () => {
    const { disk, call } = memoryBench();
    await disk.write('/work/tree/a', Buffer.concat([Buffer.from([0xff, 0xfe, 10]), Buffer.from('old $& text\r\n'), Buffer.from([0x80])]));
    expect(await call(edit, { path: 'a', old: 'old $& text', new: "new $& $' é" })).toEqual({ output: 'Edited $PWD/a at line 2.' });
    expect([...(await disk.read('/work/tree/a'))]).toEqual([0xff, 0xfe, 10, ...Buffer.from("new $& $' é\r\n"), 0x80]);
  });

  it('[L-6] an ambiguous text changes nothing and names the lines', async () => {
    const { disk, call } = memoryBench();
    await disk.write('/work/tree/a', 'x\ny\nx\nxx\n');
    const result = await call(edit, { path: 'a', old: 'x', new: 'z' });
    expect(result).toMatchObject({ error: true, output: containing('4 times (lines 1, 3, 4, 4)') });
    await disk.write('/work/tree/a', 'aaa');
    expect(await call(edit, { path: 'a', old: 'aa', new: 'b' })).toMatchObject({ error: true, output: containing('2 times') });
    expect(disk.text('/work/tree/a')).toBe('aaa');
  });

  it('[L-6] a text that is not there changes nothing and shows the nearest lines', async () => {
    const { disk, call } = memoryBench();
    await disk.write('/work/tree/a', 'function first() {\n  return 1;\n}\nfunction second() {\n');
    const { output, error } = await call(edit, { path: 'a', old: '    return 1;\n', new: 'x' });
    expect(error).toBe(true);
    expect(output).toBe('The old text is not in $PWD/a; nothing was changed.\nThe nearest lines:\n2:   return 1;');
    await disk.write('/work/tree/a', 'one\r\ntwo\r\n');
    expect((await call(edit, { path: 'a', old: 'one\ntwo', new: 'x' })).output).toContain('lines of this file end in \\r\\n');
  });

  it.each([
    [{ path: 'a', old: '', new: 'x' }, '`old` is empty'],
    [{ path: 'a', old: 'x', new: 'x' }, 'nothing would change'],
    [{ path: 'gone', old: 'x', new: 'y' }, '$PWD/gone does not exist'],
    [{ path: '~/a', old: 'x', new: 'y' }, '`~` is not understood'],
  ])('[L-6] %j', async (input, message) => {
    const { call } = memoryBench();
    expect(await call(edit, input)).toEqual({ output: containing(message), error: true });
  });
});

describe('all tools', () => {
  it('[P-2] say nothing of the machinery in what the model is told of them', () => {
    const told = JSON.stringify(TOOLS.map(({ spec }) => spec));
    expect(told).not.toMatch(/assembly|flow|stage|gate|retr|timeout|\brun\b/i);
    expect(TOOLS.map(({ spec, readOnly }) => [spec.name, readOnly])).toEqual([
      ['read', true],
      ['write', false],
      ['edit', false],
      ['bash', false],
    ]);
  });
});
