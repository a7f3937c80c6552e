// Loaded before the command that is measured: notes the largest resident set of this process, in KiB, when it ends. What the system
// counts for a child begins at its parent's size; /proc tells of the program alone.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const file = process.env.FLOW_BENCH_PEAK;
  if (file) writeFileSync(file, /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
});
