// What reading a record costs at the least: its lines split, parsed and hashed. Runs as a program of its own, as the command does.
import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const piece = Buffer.allocUnsafe(1 << 20);
const file = openSync(process.argv[2], 'r');
let [rest, lines, last] = [Buffer.alloc(0), 0, ''];
for (let count; (count = readSync(file, piece)) > 0;) {
  const bytes = Buffer.concat([rest, piece.subarray(0, count)]);
  let from = 0;
  for (let at; (at = bytes.indexOf(10, from)) !== -1; from = at + 1) {
    const line = bytes.subarray(from, at);
    if (JSON.parse(line.toString()).event !== undefined) lines++;
    last = hash('sha256', line);
  }
  rest = bytes.subarray(from);
}
closeSync(file);
console.log(lines, last);
