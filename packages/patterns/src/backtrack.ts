import { createContext, Script } from 'node:vm';
import type { Context } from 'node:vm';
import type { Pattern } from './compile.js';

const LIMIT_MS = 1000;
const script = new Script('expression.test(text)');
let context: Context | undefined;

/** A pattern in JavaScript's backtracking engine. The time limit of `vm` interrupts the engine in the middle of a match. */
export function backtrack(expression: RegExp): Pattern {
  return { linear: false, test: (text) => testWithin(expression, text) };
}

function testWithin(expression: RegExp, text: string): boolean | 'timed-out' {
  context ??= createContext({});
  Object.assign(context, { expression, text });
  try {
    return script.runInContext(context, { timeout: LIMIT_MS }) === true;
  } catch (error) {
    if (isTimeout(error)) return 'timed-out';
    throw error;
  } finally {
    Object.assign(context, { expression: undefined, text: undefined });
  }
}

/** The error comes from the context's own realm, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
