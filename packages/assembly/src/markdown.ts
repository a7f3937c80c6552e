/** The markdown tree: comments, checklists and the list of a choice. Loaded only when a body needs it. */
import type { Heading, List, ListItem, Nodes, Root, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { isDeeplyNestedMarkdown } from '@gated-flow/text';

/** Every answer is null for markdown that is nested too deeply to be read. */
export interface MarkdownReader {
  /** The body without its HTML comments; what stands in code stays. */
  stripComments(body: string): string | null;
  /** The items under every heading `Checklist`, in document order (K-4). The body has no comments any more. */
  checklist(body: string): readonly string[] | null;
  hasChecklist(body: string): boolean | null;
  /** The names in a code span at the start of the top-level list items (G-4). */
  alternatives(body: string): readonly string[] | null;
}

export const markdownReader: MarkdownReader = {
  stripComments: (body) => inTree(body, (tree) => cutComments(body, tree)),
  checklist: (body) => inTree(body, (tree) => listsUnderChecklist(tree).flatMap((list) => list.children.map(itemText))),
  hasChecklist: (body) => inTree(body, (tree) => tree.children.some(isChecklistHeading)),
  alternatives: (body) => inTree(body, (tree) => tree.children.filter((node) => node.type === 'list').flatMap(namesOf)),
};

const parser = unified().use(remarkParse);

function inTree<T>(body: string, read: (tree: Root) => T): T | null {
  return isHostile(body) ? null : read(parser.parse(body));
}

/** Every comment that is opened and never closed makes the parser look through the whole rest. */
const MAX_UNCLOSED = 1_000;

function isHostile(body: string): boolean {
  return isDeeplyNestedMarkdown(body) || body.slice(body.lastIndexOf('-->') + 1).split('<!--').length > MAX_UNCLOSED;
}

/** CommonMark's comment, the two short forms and one that never ends included. */
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:-->|$))/gu;

function cutComments(body: string, tree: Root): string {
  let text = '';
  let kept = 0;
  // The parser leaves a byte-order mark out of its count.
  const shift = body.startsWith('\ufeff') ? 1 : 0;
  for (const span of htmlSpans(tree)) {
    const start = span.start + shift;
    const end = span.end + shift;
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

function listsUnderChecklist(tree: Root): readonly List[] {
  const lists: List[] = [];
  let listening = false;
  for (const node of tree.children) {
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
