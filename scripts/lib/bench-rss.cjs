// Loaded before the command that is measured: writes down the resident set, with the time, twenty times a second. Each line is the time in
// milliseconds and KiB.
const { openSync, readFileSync, writeSync } = require('node:fs');

const file = process.env.FLOW_BENCH_RSS;
if (file) {
  const fd = openSync(file, 'w');
  setInterval(() => {
    const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
    writeSync(fd, `${Date.now()} ${kibibytes}\n`);
  }, 50).unref();
}
