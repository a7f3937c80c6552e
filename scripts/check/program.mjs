import { spawn } from 'node:child_process';
import { root } from '../lib/root.mjs';

/** Runs a program of the repository; resolves to its exit code and everything it printed. */
export function program(command, options = {}) {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: options.cwd ?? root, env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  child.stderr.on('data', (part) => parts.push(part));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(parts).toString().trimEnd() }));
  });
}

/** The same for a script of an installed package, without npx's start-up. */
export function tool(script, args, options) {
  return program([process.execPath, `node_modules/${script}`, ...args], options);
}
