import { Composer, isMap, isScalar, isSeq, LineCounter, Parser, visit } from 'yaml';
import type { Document, ParsedNode, YAMLMap } from 'yaml';
import type { OffsetFault, YamlFault, YamlPlace } from './faults.js';
import { constructFaults } from './constructs.js';

export type DocumentResult =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Line of a key of the outermost mapping. */
      keyLine(key: string): number | undefined;
      /**
       * Where the node at a path of keys and indexes begins, or with `key` the key that leads to it. For a path that is not
       * there: where the deepest node on the way is. Parsing does not pay for it.
       */
      placeOf(path: readonly (string | number)[], at?: 'key' | 'value'): YamlPlace;
    }
  | { readonly ok: false; readonly faults: readonly YamlFault[] };

export interface ReadOptions {
  /** `bigint` tells a whole number from a float that has no fraction: `3` is `3n`, `3.0` is `3`. */
  readonly integers?: 'number' | 'bigint';
}

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  strict: true,
  // The parser's own comparison takes time quadratic in the number of keys.
  uniqueKeys: false,
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** A text without a document in it. */
export const EMPTY_DOCUMENT: DocumentResult = {
  ok: true,
  value: null,
  keyLine: () => undefined,
  placeOf: () => ({ line: 1, column: 1 }),
};

/** Reads one document whose characters are already known to be legal. */
export function readDocument(text: string, { integers = 'number' }: ReadOptions = {}): DocumentResult {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const constructs = constructFaults(tokens);
  if (constructs.length > 0) return { ok: false, faults: located(constructs, lines) };

  const [document] = new Composer({ ...OPTIONS, intAsBigInt: integers === 'bigint' }).compose(tokens);
  if (!document) return EMPTY_DOCUMENT;
  const problems = [...document.errors, ...document.warnings].map(({ message, pos }) => ({ message: `${message}.`, offset: pos[0] }));
  const faults = problems.length > 0 ? problems : [...duplicateKeys(document), ...loneSurrogates(document)];
  if (faults.length > 0) return { ok: false, faults: located(faults, lines) };
  return {
    ok: true,
    value: document.toJS({ maxAliasCount: 0 }),
    keyLine: (key) => keyLine(document, key, lines),
    placeOf: (path, at = 'value') => placed(offsetOf(document, path, at), lines),
  };
}

/** The deepest node on the way that is there: what is missing has the place of what should hold it. */
function offsetOf(document: Document.Parsed<ParsedNode>, path: readonly (string | number)[], at: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const [index, step] of path.entries()) {
    const last = index === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) return offset;
      const keyOffset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
      offset = last && at === 'key' ? keyOffset : (startOf(node) ?? keyOffset);
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)];
      if (item === undefined) return offset;
      node = item;
      offset = startOf(item) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined;
}

function placed(offset: number, lines: LineCounter): YamlPlace {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function located(faults: readonly OffsetFault[], lines: LineCounter): YamlFault[] {
  return faults.map(({ message, offset }) => {
    const { line, col } = lines.linePos(offset);
    return { message, line, column: col };
  });
}

function duplicateKeys(document: Document.Parsed): OffsetFault[] {
  const faults: OffsetFault[] = [];
  visit(document, {
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key, offset } of keysOf(map)) {
        if (seen.has(key)) faults.push({ message: `The key ${JSON.stringify(key)} is there twice.`, offset });
        seen.add(key);
      }
    },
  });
  return faults;
}

/** An escape such as `\ud800` gives a string that no UTF-8 file could hold. */
function loneSurrogates(document: Document.Parsed): OffsetFault[] {
  const faults: OffsetFault[] = [];
  visit(document, {
    Scalar(_, { value, range }) {
      if (typeof value !== 'string' || !/\p{Surrogate}/u.test(value)) return;
      faults.push({ message: 'The text contains half of a surrogate pair.', offset: range?.[0] ?? 0 });
    },
  });
  return faults;
}

function keyLine(document: Document.Parsed<ParsedNode>, key: string, lines: LineCounter): number | undefined {
  if (!isMap(document.contents)) return undefined;
  const found = keysOf(document.contents).find((entry) => entry.key === key);
  return found && lines.linePos(found.offset).line;
}

function keysOf(map: YAMLMap): { readonly key: string; readonly offset: number }[] {
  return map.items.flatMap(({ key }) => (isScalar(key) ? [{ key: String(key.value), offset: key.range?.[0] ?? 0 }] : []));
}
