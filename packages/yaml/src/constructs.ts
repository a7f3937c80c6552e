import type { CST } from 'yaml';
import type { OffsetFault } from './faults.js';

const MAX_DEPTH = 100;
const REFUSED: Partial<Record<CST.Token['type'], string>> = {
  directive: 'Directives are not allowed.',
  anchor: 'Anchors are not allowed.',
  alias: 'Aliases are not allowed. Quote a value that begins with `*`.',
  tag: 'Tags are not allowed. Quote a value that begins with `!`.',
};

/**
 * Legal YAML that a strict reader refuses: directives, anchors, aliases, tags, a second document, nesting that is too deep.
 * Works on the token tree without recursion, because what comes later would recurse.
 */
export function constructFaults(tokens: readonly CST.Token[]): OffsetFault[] {
  const faults: OffsetFault[] = [];
  const documents = tokens.filter((token) => token.type === 'document');
  if (documents[1]) faults.push({ message: 'There is more than one document.', offset: documents[1].offset });

  const waiting: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { token, depth } = next;
    const message = REFUSED[token.type];
    if (message) faults.push({ message, offset: token.offset });
    if (depth > MAX_DEPTH) return [{ message: `The nesting is deeper than ${MAX_DEPTH} levels.`, offset: token.offset }];
    for (const child of childrenOf(token)) waiting.push({ token: child, depth: depth + 1 });
  }
  return faults.sort((a, b) => a.offset - b.offset);
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return [...token.start, ...present(token.value)];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ start, key, sep, value }) => [...start, ...present(key), ...(sep ?? []), ...present(value)]);
}

function present(token: CST.Token | null | undefined): CST.Token[] {
  return token ? [token] : [];
}
