import { describe, expect, it } from 'vitest';
import { markdownReader } from '../src/markdown.js';

describe('comments', () => {
  const table: Readonly<Record<string, readonly [body: string, left: string]>> = {
    'a block': ['a\n\n<!-- x -->\n\nb\n', 'a\n\n\n\nb\n'],
    'inside a line': ['a <!-- x --> b', 'a  b'],
    'over several lines': ['a\n\n<!-- x\n\ny -->\nb', 'a\n\n\nb'],
    'one that never ends': ['a\n\n<!-- x\n\ny\n', 'a\n\n'],
    'in a fence': ['```html\n<!-- kept -->\n```\n', '```html\n<!-- kept -->\n```\n'],
    'in a tilde fence': ['~~~\n<!-- kept -->\n~~~\n', '~~~\n<!-- kept -->\n~~~\n'],
    'in indented code': ['a\n\n    <!-- kept -->\n', 'a\n\n    <!-- kept -->\n'],
    'in a code span': ['say `<!-- kept -->` and <!-- gone -->', 'say `<!-- kept -->` and '],
    'in a quote': ['> a <!-- x\n> y --> b\n', '> a  b\n'],
    'inside other html': ['<div>\n<!-- x -->\n<b>t</b>\n</div>\n', '<div>\n\n<b>t</b>\n</div>\n'],
    'the short forms': ['<!--> a <!---> b', ' a  b'],
    'a code fence inside a comment': ['<!--\n```\n-->\na\n', '\na\n'],
    'text outside the first plane': ['😀 <!-- x --> 😀', '😀  😀'],
    'after a byte-order mark inside the body': ['\ufeffa <!-- x --> b', '\ufeffa  b'],
    'with Windows line ends': ['a\r\n\r\n<!-- x -->\r\nb', 'a\r\n\r\n\r\nb'],
    'with a zero byte': ['a\0 <!-- x --> b', 'a\0  b'],
  };
  for (const [name, [body, left]] of Object.entries(table)) {
    it(`[A-5] ${name}`, () => {
      expect(markdownReader.stripComments(body)).toBe(left);
    });
  }

  it('[A-5 A-20] deep nesting is refused before the parser sees it, ordinary nesting is not', () => {
    expect(markdownReader.stripComments(`${'>'.repeat(100_000)} <!-- x -->`)).toBeNull();
    expect(markdownReader.stripComments(`${'- '.repeat(100_000)} <!-- x -->`)).toBeNull();
    expect(markdownReader.stripComments('<!-- x '.repeat(100_000))).toBeNull();
    expect(
      markdownReader.checklist(`# Checklist\n${Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')}`),
    ).toBeNull();
    expect(markdownReader.stripComments(`${'>'.repeat(10)} a\n${'-'.repeat(200)}\n${'*'.repeat(200)}\n<!-- x -->`)).not.toBeNull();
  });
});

describe('checklists', () => {
  const table: Readonly<Record<string, readonly [body: string, items: readonly string[]]>> = {
    'items of one list': ['# Checklist\n\n- a\n- b\n', ['a', 'b']],
    'any heading level, white space trimmed': ['Do it.\n\n####   Checklist   \n- a\n', ['a']],
    'an underlined heading': ['Checklist\n=========\n- a\n', ['a']],
    'ordered and unordered lists': ['# Checklist\n1. a\n2. b\n\n- c\n', ['a', 'b', 'c']],
    'up to the next heading of any level': ['# Checklist\n- a\n\n###### Notes\n- b\n', ['a']],
    'several such headings': ['# Checklist\n- a\n\n# Other\n- b\n\n## Checklist\n- c\n', ['a', 'c']],
    'text between lists does not end it': ['# Checklist\n- a\n\nAnd also:\n\n* b\n', ['a', 'b']],
    'nested items belong to the one above': ['# Checklist\n- a\n  - b\n    - c\n- d\n', ['a', 'd']],
    'boxes are dropped': ['# Checklist\n- [ ] a\n- [x] b\n- [X] c\n- [-] d\n- [ ](u) e\n', ['a', 'b', 'c', '[-] d', ' e'.trim()]],
    'emphasis and code are text': ['# Checklist\n- **a** `b` [c](d)\n', ['a b c']],
    'a soft break is a space': ['# Checklist\n- a\n  b\n', ['a b']],
    'two paragraphs': ['# Checklist\n- a\n\n  b\n', ['a b']],
    'equal words stay distinct': ['# Checklist\n- a\n- a\n', ['a', 'a']],
    'another case is no checklist': ['# checklist\n- a\n\n# CHECKLIST\n- b\n\n# Checklist:\n- c\n', []],
    'a heading in a fence is content': ['```\n# Checklist\n- a\n```\n', []],
    'a heading in a quote is content': ['> # Checklist\n> - a\n', []],
    'a heading in a list is content': ['- # Checklist\n  - a\n', []],
    'a list in a quote is content': ['# Checklist\n> - a\n\n- b\n', ['b']],
    'no list': ['# Checklist\nNothing.\n', []],
  };
  for (const [name, [body, items]] of Object.entries(table)) {
    it(`[K-4] ${name}`, () => {
      expect(markdownReader.checklist(body)).toEqual(items);
    });
  }
});

describe('alternatives', () => {
  const table: Readonly<Record<string, readonly [body: string, names: readonly string[]]>> = {
    'a code span at the start of an item': ['Choose.\n\n- `fix` — small\n- `stop`: unsafe\n', ['fix', 'stop']],
    'an ordered list': ['1. `a`\n2. `b`\n', ['a', 'b']],
    'items that begin otherwise are prose': ['- Think about `x`\n- **`y`** z\n- `a`\n', ['a']],
    'nested items are prose': ['- `a`\n  - `b`\n', ['a']],
    'lists in quotes and fences are prose': ['> - `a`\n\n```\n- `b`\n```\n', []],
    'several lists': ['- `a`\n\nor\n\n* `b`\n', ['a', 'b']],
  };
  for (const [name, [body, names]] of Object.entries(table)) {
    it(`[G-4] ${name}`, () => {
      expect(markdownReader.alternatives(body)).toEqual(names);
    });
  }
});
