// Every call of node:fs under one folder, counted, and one of them failing. Must be imported before the code under test.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';

const ERRNO = { EACCES: -13, EIO: -5, EMFILE: -24, ENOSPC: -28 };
const CALLS = ['open', 'read', 'write', 'fstat', 'lstat', 'stat', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'rm', 'chmod', 'chown'];
CALLS.push(
  'ftruncate',
  'readFile',
  'writeFile',
  'appendFile',
  'readlink',
  'fsync',
  'fdatasync',
  'copyFile',
  'utimes',
  'link',
  'symlink',
  'close',
);
const HANDLE_CALLS = ['read', 'write', 'writeFile', 'readFile', 'stat', 'sync', 'datasync', 'truncate', 'close'];
const WRITES = new Set(['write', 'writeFile', 'appendFile']);

const paths = new Map();
let armed = null;

/** From here on calls below `folder` are counted; the `call`th (from 1; 0: none) fails with `code`, or is a short write. */
export function arm({ folder, call = 0, code = '' }) {
  armed = { folder: folder + sep, call, code, calls: [], tornPath: null };
}

/** The calls since `arm`, in order: `writeSync /x`. */
export function disarm() {
  const { calls } = armed;
  armed = null;
  return calls;
}

function pathOf(target) {
  if (typeof target === 'number') return paths.get(target) ?? '';
  return typeof target === 'string' ? resolve(target) : Buffer.isBuffer(target) ? target.toString() : '';
}

/** `null`: let it through. `'short'`: write a part. Else the error to fail with. */
function verdict(name, path) {
  if (armed === null || !`${path}${sep}`.startsWith(armed.folder)) return null;
  const bare = name.replace(/Sync$/, '');
  if (armed.tornPath === path && WRITES.has(bare)) {
    armed.tornPath = null;
    return errorOf('ENOSPC', bare, path);
  }
  armed.calls.push(`${name} ${path}`);
  if (armed.calls.length !== armed.call) return null;
  if (armed.code !== 'SHORT' && armed.code !== 'TORN') return errorOf(armed.code, bare, path);
  if (!WRITES.has(bare)) return null;
  if (bare !== 'write') return errorOf('ENOSPC', bare, path);
  if (armed.code === 'TORN') armed.tornPath = path;
  return 'short';
}

function errorOf(code, syscall, path) {
  return Object.assign(new Error(`${code}: put there on purpose, ${syscall} '${path}'`), { code, errno: ERRNO[code], syscall, path });
}

/** The arguments of a write of one half, at least a byte. */
function shorter(args) {
  const [target, bytes, offset = 0, length = bytes.length - offset, ...rest] = args;
  return [target, bytes, offset, Math.max(1, length >> 1), ...rest];
}

function wrapSync(name) {
  const real = fs[name];
  if (typeof real !== 'function') return;
  const wrapped = function (...args) {
    const path = pathOf(args[0]);
    const said = verdict(name, path);
    if (said instanceof Error) {
      if (name === 'closeSync') real.apply(this, args);
      throw said;
    }
    const result = real.apply(this, said === 'short' ? shorter(args) : args);
    if (name === 'openSync') paths.set(result, path);
    return result;
  };
  adopt(real, wrapped);
  fs[name] = wrapped;
}

function wrapCallback(name) {
  const real = fs[name];
  const wrapped = function (...args) {
    const path = pathOf(args[0]);
    const said = verdict(name, path);
    const back = args.at(-1);
    if (said instanceof Error && typeof back === 'function') return void process.nextTick(back, said);
    if (name === 'open' && typeof back === 'function')
      args[args.length - 1] = (error, fd) => {
        if (!error) paths.set(fd, path);
        back(error, fd);
      };
    if (said === 'short') return real.apply(this, [...shorter(args.slice(0, -1)), back]);
    return real.apply(this, args);
  };
  adopt(real, wrapped);
  fs[name] = wrapped;
}

/** `promisify` asks a function for properties of its own. */
function adopt(real, wrapped) {
  for (const key of Reflect.ownKeys(real)) {
    if (!['length', 'name', 'prototype', 'arguments', 'caller'].includes(key))
      Object.defineProperty(wrapped, key, Object.getOwnPropertyDescriptor(real, key));
  }
}

function wrapPromise(name) {
  const real = fs.promises[name];
  if (typeof real !== 'function') return;
  fs.promises[name] = async function (...args) {
    const path = pathOf(args[0]);
    const said = verdict(name, path);
    if (said instanceof Error) throw said;
    const result = await real.apply(this, args);
    return name === 'open' ? watched(result, path) : result;
  };
}

function watched(handle, path) {
  for (const name of HANDLE_CALLS) {
    const real = handle[name].bind(handle);
    handle[name] = async (...args) => {
      const said = verdict(name, path);
      if (said instanceof Error) {
        if (name === 'close') await real();
        throw said;
      }
      return said === 'short' ? real(...shorter([0, ...args]).slice(1)) : real(...args);
    };
  }
  return handle;
}

for (const name of CALLS) {
  wrapSync(`${name}Sync`);
  wrapCallback(name);
  if (name !== 'close' && !name.startsWith('f')) wrapPromise(name);
}
for (const real of ['realpathSync', 'realpath']) {
  const native = fs[real].native;
  if (real === 'realpathSync')
    fs[real].native = (path, ...rest) => {
      const said = verdict('realpathSync', pathOf(path));
      if (said instanceof Error) throw said;
      return native(path, ...rest);
    };
}
wrapPromise('realpath');
syncBuiltinESMExports();
