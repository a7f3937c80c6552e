/** The composition root. `--version` answers before anything else is loaded. */
declare const FLOW_VERSION: string;
export {};

const words = process.argv.slice(2);

if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.on('error', () => {});
  process.stdout.write(`${FLOW_VERSION}\n`);
} else if (process.platform === 'win32') {
  process.stderr.write('flow runs on Linux and macOS; on Windows, use it inside WSL (wsl --install).\n');
  process.exitCode = 2;
} else {
  const [{ main }, { reportFault }, { openStandard, workingFolder }] = await Promise.all([
    import('./main.js'),
    import('./fault.js'),
    import('../io/standard.js'),
  ]);
  const cwd = workingFolder(process);
  if (cwd === null) {
    process.stderr.write('The folder you are in is not there any more. Go to one that is:  cd ~\n');
    process.exitCode = 2;
  } else {
    const { io, leave } = openStandard(process, cwd);
    process.on('uncaughtException', (error) => void reportFault(error, words, io).then(leave));
    await leave(await main(words, io));
  }
}
