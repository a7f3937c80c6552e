/** The markdown tree: comments, checklists and the list of a choice. Loaded only when a body needs it. */
import type { Heading, List, ListItem, Nodes, Root, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

export interface MarkdownReader {
  /** The body without its HTML comments; what stands in code stays. */
  stripComments(body: string): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };
  /** The items under every heading `Checklist`, in document order (K-4). The body has no comments any more. */
  checklist(body: string): readonly string[];
  hasChecklist(body: string): boolean;
  /** The names in a code span at the start of the top-level list items (G-4). */
  alternatives(body: string): readonly string[];
}

export const markdownReader: MarkdownReader = {
  stripComments: (body) => {
    const tree = treeOf(body);
    return tree ? { ok: true, text: cutComments(body, tree) } : { ok: false, message: TOO_DEEP };
  },
  checklist: (body) => listsUnderChecklist(treeOf(body)).flatMap((list) => list.children.map(itemText)),
  hasChecklist: (body) => treeOf(body)?.children.some(isChecklistHeading) ?? false,
  alternatives: (body) => (treeOf(body)?.children ?? []).filter((node) => node.type === 'list').flatMap(namesOf),
};

const TOO_DEEP = 'The markdown is nested too deeply to be read. Flatten its quotes and lists.';
const parser = unified().use(remarkParse);

/** Null for markdown that is nested so deeply that the parser runs out of stack. */
function treeOf(body: string): Root | null {
  try {
    return parser.parse(body);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** CommonMark's comment, the two short forms and one that never ends included. */
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:-->|$))/gu;

function cutComments(body: string, tree: Root): string {
  let text = '';
  let kept = 0;
  for (const { start, end } of htmlSpans(tree)) {
    text += body.slice(kept, start) + body.slice(start, end).replace(COMMENT, '');
    kept = end;
  }
  return text + body.slice(kept);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function htmlSpans(tree: Root): readonly Span[] {
  const spans: Span[] = [];
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (node.type === 'html' && start !== undefined && end !== undefined) spans.push({ start, end });
    if ('children' in node) waiting.push(...[...node.children].reverse());
  }
  return spans;
}

function listsUnderChecklist(tree: Root | null): readonly List[] {
  const lists: List[] = [];
  let listening = false;
  for (const node of tree?.children ?? []) {
    if (node.type === 'heading') listening = isChecklistHeading(node);
    else if (listening && node.type === 'list') lists.push(node);
  }
  return lists;
}

function isChecklistHeading(node: RootContent): node is Heading {
  return node.type === 'heading' && toString(node).trim() === 'Checklist';
}

/** One line, without the lists inside and without a box in front. */
function itemText(item: ListItem): string {
  const text = item.children.filter((child) => child.type !== 'list').map((child) => toString(child));
  return text
    .join(' ')
    .replace(/\s*[\n\r]+\s*/gu, ' ')
    .trim()
    .replace(/^\[[ xX]\](?:\s+|$)/u, '');
}

function namesOf(list: List): readonly string[] {
  return list.children.flatMap((item) => {
    const first = item.children[0];
    const span = first?.type === 'paragraph' ? first.children[0] : undefined;
    return span?.type === 'inlineCode' ? [span.value] : [];
  });
}
