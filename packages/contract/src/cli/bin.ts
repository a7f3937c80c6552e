import { runCommand } from './main.js';

declare const CONTRACT_VERSION: string;

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.on('error', () => {});
  process.stdout.write(`${CONTRACT_VERSION}\n`);
} else {
  const { openProcess } = await import('../edges/process.js');
  const { io, leave } = openProcess(process);
  await leave(await runCommand(words, io));
}
