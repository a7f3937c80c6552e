import type { SessionLine } from './session.js';
import { isObject } from './json.js';

/** One line of a session file; null when it is not one this version knows. */
export function parseSessionLine(line: Uint8Array): SessionLine | null {
  const value = parseJson(line);
  if (!isObject(value) || typeof value['ts'] !== 'string' || !isEntry(value)) return null;
  return asSessionLine(value);
}

function isEntry(value: Readonly<Record<string, unknown>>): boolean {
  switch (value['kind']) {
    case 'system':
      return typeof value['text'] === 'string';
    case 'user':
      return typeof value['text'] === 'string' && typeof value['why'] === 'string';
    case 'assistant':
      return typeof value['text'] === 'string' && typeof value['stop'] === 'string' && isListOf(value['calls'], ['id', 'tool']);
    case 'tool':
      return isListOf(value['results'], ['id', 'tool', 'output']);
    case 'tools':
      return isListOf(value['tools'], ['name', 'description']);
    default:
      return false;
  }
}

function isListOf(value: unknown, texts: readonly string[]): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && texts.every((name) => typeof item[name] === 'string'));
}

/** The one boundary where a checked value becomes typed. */
function asSessionLine(value: object): SessionLine {
  return value as SessionLine;
}

function parseJson(line: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.length).toString());
  } catch {
    return null;
  }
}
