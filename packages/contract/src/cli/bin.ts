import { runCommand } from './main.js';

declare const CONTRACT_VERSION: string;

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.on('error', () => {});
  process.stdout.write(`${CONTRACT_VERSION}\n`);
} else {
  const { openProcess, workingFolder } = await import('../edges/process.js');
  const cwd = workingFolder(process);
  if (cwd === null) {
    process.stderr.write('The folder you are in is not there any more. Go to one that is:  cd ~\n');
    process.exitCode = 2;
  } else {
    const { io, leave } = openProcess(process, cwd);
    await leave(await runCommand(words, io));
  }
}
