/** The passages of a markdown text. Loaded only when an output may hold a claim. */
import type { Nodes, Paragraph, PhrasingContent, Root } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { isDeeplyNestedMarkdown } from '@gated-flow/text';
import { OBJECT } from './sentence.js';
import type { Passage } from './sentence.js';

const parser = unified().use(remarkParse);

/** Paragraphs, headings and what stands between HTML tags. Code, block quotes, comments, images and tasks that are not ticked are none (V-9). */
export function passagesOf(markdown: string, offset = 0): readonly Passage[] {
  if (isHostile(markdown)) return [plainPassage(markdown, offset)];
  // The parser leaves a byte-order mark out of its count.
  return inTree(parser.parse(markdown), offset + (markdown.startsWith('\ufeff') ? 1 : 0));
}

/** A text as it stands, code and quotes too: whatever it holds is a claim. */
export function plainPassage(text: string, offset: number): Passage {
  return { text, mentions: [], origins: [{ at: 0, source: offset }] };
}

/** In one paragraph: the parser looks for the end of each through the rest of it. */
const MAX_OPENERS: readonly (readonly [opener: string, most: number])[] = [
  ...['<!--', '<![CDATA[', '<?'].map((opener) => [opener, 1_000] as const),
  ...['[', '`', '*', '_'].map((opener) => [opener, 3_000] as const),
];
/** Such a text is taken as it stands, code and quotes too. */
function isHostile(markdown: string): boolean {
  return isDeeplyNestedMarkdown(markdown) || MAX_OPENERS.some(([opener, most]) => mostOpened(markdown, opener) > most);
}

function mostOpened(markdown: string, opener: string): number {
  if (!markdown.includes(opener)) return 0;
  return markdown.split(/\n[ \t]*\n/).reduce((most, paragraph) => Math.max(most, paragraph.split(opener).length - 1), 0);
}

function inTree(tree: Root, offset: number): readonly Passage[] {
  const passages: Passage[] = [];
  const definitions = new Map<string, string>();
  eachNode(tree, (node) => {
    if (node.type === 'definition') definitions.set(node.identifier, node.url);
  });
  const openTasks = new Set<Nodes>();
  eachNode(tree, (node) => {
    if (openTasks.has(node)) return false;
    const task = node.type === 'listItem' ? node.children[0] : undefined;
    if (task?.type === 'paragraph' && isOpenTask(task)) openTasks.add(task);
    const start = (node.position?.start.offset ?? 0) + offset;
    if (node.type === 'paragraph' || node.type === 'heading') passages.push(passageOf(node.children, definitions, offset));
    if (node.type === 'html') passages.push({ text: textOfHtml(node.value), mentions: [], origins: [{ at: 0, source: start }] });
    return node.type !== 'blockquote' && node.type !== 'paragraph' && node.type !== 'heading';
  });
  return passages.filter(({ text }) => text.trim() !== '');
}

/** `- [ ] verified` is still to be done. */
function isOpenTask({ children: [first] }: Paragraph): boolean {
  return first?.type === 'text' && /^\[\s\](?:\s|$)/.test(first.value);
}

/** In order; `visit` says whether the node's children are wanted. Never recursive. */
function eachNode(tree: Root, visit: (node: Nodes) => boolean | void): void {
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (visit(node) !== false && 'children' in node) for (const child of [...node.children].reverse()) waiting.push(child);
  }
}

interface Writing {
  text: string;
  readonly mentions: Passage['mentions'][number][];
  readonly origins: Passage['origins'][number][];
}

function passageOf(nodes: readonly PhrasingContent[], definitions: ReadonlyMap<string, string>, offset: number): Passage {
  const passage: Writing = { text: '', mentions: [], origins: [] };
  const waiting: (PhrasingContent | string)[] = [...nodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') {
      passage.text += node;
      continue;
    }
    passage.origins.push({ at: passage.text.length, source: (node.position?.start.offset ?? 0) + offset });
    if (node.type === 'text') passage.text += node.value.replaceAll(OBJECT, ' ');
    else if (node.type === 'break') passage.text += '\n';
    else if (node.type === 'html') passage.text += /^<br\b/i.test(node.value) ? '\n' : '';
    else if (node.type === 'inlineCode') {
      passage.mentions.push({ kind: 'code', value: node.value, at: passage.text.length });
      passage.text += OBJECT;
    } else if (node.type === 'link' || node.type === 'linkReference') {
      const url = node.type === 'link' ? node.url : definitions.get(node.identifier);
      if (url !== undefined) passage.mentions.push({ kind: 'link', value: url, at: passage.text.length });
      // `[1]` stays what it is when the text also says where it leads.
      const isNumber = node.type === 'linkReference' && /^\d+$/.test(node.identifier);
      if (isNumber) passage.text += '[';
      if (isNumber) waiting.push(']');
      for (const child of [...node.children].reverse()) waiting.push(child);
    } else if ('children' in node) for (const child of [...node.children].reverse()) waiting.push(child);
  }
  return passage;
}

function textOfHtml(html: string): string {
  return html
    .replace(/<!--[^]*?(?:-->|$)/g, '')
    .replace(/<(pre|code|script|style|blockquote|q)\b[^]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<[^>]*>/g, ' ');
}
