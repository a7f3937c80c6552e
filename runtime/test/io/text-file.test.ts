import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeTextFile } from '../../src/io/text-file.js';

describe.runIf(existsSync('/proc/self'))('a text file where no folder can be made (needs /proc)', () => {
  it('[E-4] is refused, and not waited for', async () => {
    await expect(writeTextFile('/proc/nothing/here/report.xml', pieces())).rejects.toMatchObject({ name: 'DiskError', operation: 'write' });
  });
});

async function* pieces(): AsyncGenerator<string> {
  yield await Promise.resolve('x');
}
