import { isUtf8 } from '@gated-flow/text';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isDeeperThan } from '../payload/depth.js';
import type { GovernanceFault } from './contract.js';

/** The bytes of a contract file and what it is called in messages. */
export interface GovernanceSource {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Keys and indexes from the root. */
export type NodePath = readonly (string | number)[];

export interface ContractDocument {
  readonly source: GovernanceSource;
  readonly value: unknown;
  /** A fault at the node, or at the nearest one above it that is there; with `key` at the key of the node. */
  faultAt(path: NodePath, message: string, at?: 'key' | 'value'): GovernanceFault;
}

export type DocumentRead =
  { readonly ok: true; readonly document: ContractDocument } | { readonly ok: false; readonly faults: readonly GovernanceFault[] };

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;

/** Strict JSON: what stands twice, a comment and a comma too many are faults (V-1). Never throws. */
export function readDocument(source: GovernanceSource): DocumentRead {
  const refuse = (message: string): DocumentRead => ({ ok: false, faults: [{ file: source.path, line: 1, column: 1, message }] });
  if (source.bytes.length > MAX_BYTES) return refuse('The governance contract is longer than 1 MiB.');
  if (!isUtf8(source.bytes)) return refuse('The governance contract is not valid UTF-8. Save it as UTF-8.');
  const text = Buffer.from(source.bytes).toString('utf8');
  if (text.startsWith('\uFEFF')) return refuse('The governance contract starts with a byte-order mark. Save it without one.');
  if (isDeeperThan(text, MAX_DEPTH)) return refuse(`The governance contract is nested deeper than ${MAX_DEPTH} levels.`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  const value = parsed(text);
  if (error || !root || !value.ok) {
    const offset = error?.offset ?? 0;
    const what = error ? `${WORDS[printParseErrorCode(error.error)] ?? 'it cannot be parsed'}` : 'it cannot be parsed';
    return {
      ok: false,
      faults: [{ file: source.path, ...placeIn(text, offset), message: `The governance contract is not JSON: ${what}.` }],
    };
  }
  const twice = duplicates(root);
  const faultOf = (offset: number, message: string): GovernanceFault => ({ file: source.path, ...placeIn(text, offset), message });
  if (twice.length > 0) {
    return { ok: false, faults: twice.map(({ offset, key }) => faultOf(offset, `${JSON.stringify(key)} stands there twice.`)) };
  }
  const faultAt: ContractDocument['faultAt'] = (path, message, at = 'value') => faultOf(offsetOf(root, path, at), message);
  return { ok: true, document: { source, value: value.value, faultAt } };
}

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is a word that JSON does not know',
  InvalidNumberFormat: 'a number is not written as JSON writes it',
  PropertyNameExpected: 'a name in double quotes is missing here',
  ValueExpected: 'a value is missing here',
  ColonExpected: 'a colon is missing here',
  CommaExpected: 'a comma is missing here',
  CloseBraceExpected: 'a } is missing here',
  CloseBracketExpected: 'a ] is missing here',
  EndOfFileExpected: 'something stands behind its end',
  InvalidCommentToken: 'a comment stands here',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no end',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'an escape is wrong here',
  InvalidEscapeCharacter: 'an escape is wrong here',
  InvalidCharacter: 'a control character stands in a text',
};

/** jsonc-parser says where, JSON.parse decides. */
function parsed(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function placeIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: [...before.slice(start)].length + 1 };
}

function duplicates(node: Node): { readonly offset: number; readonly key: string }[] {
  const children = node.children ?? [];
  const found = children.flatMap(duplicates);
  if (node.type !== 'object') return found;
  const seen = new Set<string>();
  for (const { children: [key] = [] } of children) {
    const name = String(key?.value);
    if (key && seen.has(name)) found.push({ offset: key.offset, key: name });
    seen.add(name);
  }
  return found;
}

function offsetOf(root: Node, path: NodePath, at: 'key' | 'value'): number {
  let node = root;
  let keyOffset = root.offset;
  for (const step of path) {
    const [property, value] = childAt(node, step);
    if (!value) return node.offset;
    keyOffset = property?.offset ?? value.offset;
    node = value;
  }
  return at === 'key' ? keyOffset : node.offset;
}

/** The key's node, where there is one, and the value's. */
function childAt(node: Node, step: string | number): readonly [Node?, Node?] {
  if (node.type === 'array') return [undefined, node.children?.[Number(step)]];
  const property = node.children?.find(({ children: [key] = [] }) => key?.value === step);
  return [property?.children?.[0], property?.children?.[1]];
}
