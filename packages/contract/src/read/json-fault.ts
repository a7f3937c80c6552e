import type { YamlPlace } from '@gated-flow/yaml';

export interface JsonFault extends YamlPlace {
  /** Without a full stop. */
  readonly message: string;
}

const TOKEN =
  /[\t\n\r ]+|[{}[\],:]|"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Where a text stops being JSON, and how (C-1); null for one that is. The engine's own words do not always say where. */
export function jsonFault(text: string): JsonFault | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const { at, message } = firstFault(text);
    const before = text.slice(0, at).split('\n');
    return { message, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
}

/** What may come next: a value, a key, what closes an empty list or map as well, or what stands behind a value. */
type Next = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'after';

const WANTED: Readonly<Record<Next, string>> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  key: 'a key in double quotes',
  'key or }': 'a key in double quotes or "}"',
  ':': 'a colon',
  after: 'a comma, or the end',
};

function firstFault(text: string): { readonly at: number; readonly message: string } {
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  let at = 0;
  for (const token of tokensOf(text)) {
    at = token.at;
    const after = step(next, token.text, open);
    if (after === null) return { at, message: `${WANTED[next]} has to stand here` };
    next = after;
  }
  at = lastToken(text);
  return { at, message: at < text.length ? 'this is no part of JSON' : `it ends too early, and ${WANTED[next]} has to stand here` };
}

function* tokensOf(text: string): Generator<{ readonly at: number; readonly text: string }> {
  for (const found of text.matchAll(new RegExp(TOKEN, 'gy'))) if (found[0].trim() !== '') yield { at: found.index, text: found[0] };
}

function lastToken(text: string): number {
  const last = [...text.matchAll(new RegExp(TOKEN, 'gy'))].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** What may follow a token; null when it may not stand there. */
function step(next: Next, token: string, open: ('{' | '[')[]): Next | null {
  const isKey = next === 'key' || next === 'key or }';
  if (isKey && token.startsWith('"')) return ':';
  if (next === ':') return token === ':' ? 'value' : null;
  if (token === '}' || token === ']') {
    const opening = token === '}' ? '{' : '[';
    const closes = next === 'after' || next === (token === '}' ? 'key or }' : 'value or ]');
    return closes && open.pop() === opening ? 'after' : null;
  }
  if (next === 'after') return token === ',' && open.length > 0 ? (open.at(-1) === '{' ? 'key' : 'value') : null;
  if (isKey || token === ',' || token === ':') return null;
  if (token !== '{' && token !== '[') return 'after';
  open.push(token);
  return token === '{' ? 'key or }' : 'value or ]';
}
