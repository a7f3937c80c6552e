import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '@gated-flow/text';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureViews } from '../../src/checks/capture-views.js';
import { viewsOf } from '../../src/checks/view.js';
import { createDisk } from '../../src/io/disk.js';

const SECRET = 'swordfish-0123456789';
const redactor = createRedactor([SECRET]);
const PIECE = 1 << 20;

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'views-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** A disk that hands out `bytes` in pieces of `size`, in one buffer that is written over, and counts what is read whole. */
function piecewise(bytes: Uint8Array, size: number) {
  let wholes = 0;
  const buffer = new Uint8Array(size);
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
    await Promise.resolve();
  }
  const read = (): Promise<Uint8Array> => {
    wholes += 1;
    return Promise.resolve(bytes);
  };
  return { disk: { stream, read }, wholes: () => wholes };
}

describe('views of a capture', () => {
  it('[K-8] are those of the whole bytes, however they come', async () => {
    const parts = fc.array(fc.constantFrom('line\n', 'é', '€', '😀', SECRET, SECRET.slice(0, 9), 'x'.repeat(3000)), { maxLength: 12 });
    const whole = fc
      .tuple(parts, fc.option(fc.uint8Array({ maxLength: 4 })))
      .map(([texts, more]) => Buffer.concat([Buffer.from(texts.join('')), more ?? Buffer.alloc(0)]));
    await fc.assert(
      fc.asyncProperty(whole, fc.integer({ min: 1, max: 5000 }), async (bytes, size) => {
        const { disk } = piecewise(bytes, size);
        expect(await captureViews('capture', { disk, redactor })).toEqual(viewsOf(bytes, redactor));
      }),
    );
  });

  it('[K-8] of much output are made without holding it', async () => {
    const bytes = Buffer.from(`first\n${'€\n'.repeat(4_000_000)}last`);
    const { disk, wholes } = piecewise(bytes, PIECE);
    const views = await captureViews('capture', { disk, redactor });
    expect(wholes()).toBe(0);
    expect(views).toEqual(viewsOf(bytes, redactor));
    expect(views.agent).toMatch(/^first\n/);
    expect(views.agent).toMatch(/\[16000010 bytes in all, \d+ bytes omitted here: see check\.capture for the whole text\]/);
    expect(views.agent).toMatch(/last$/);
  });

  it('[K-8] are the fixed sentence when the last byte of much output is no text', async () => {
    const bytes = Buffer.concat([Buffer.alloc(3 * PIECE, 'a'), Buffer.from([0xc3])]);
    expect(await captureViews('capture', { disk: piecewise(bytes, PIECE).disk, redactor })).toEqual(viewsOf(bytes, redactor));
  });

  it('[K-8 S-2] hide a secret that stands across two pieces, at the end that is shown', async () => {
    const path = join(folder, 'across.txt');
    const bytes = Buffer.from(`${'a'.repeat(PIECE - 5)}${SECRET}\n`);
    writeFileSync(path, bytes);
    const views = await captureViews(path, { disk: createDisk(), redactor });
    expect(views.agent).toMatch(/a\*\*\*\n$/);
    expect(views).toEqual(viewsOf(bytes, redactor));
  });

  it('[K-8] of nothing are nothing', async () => {
    expect(await captureViews('capture', { disk: piecewise(Buffer.alloc(0), 1).disk, redactor })).toEqual({ agent: '', terminal: '' });
  });
});
