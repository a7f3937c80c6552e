import { describe, expect, it } from 'vitest';
import { parseDocument, parseYaml } from '../src/index.js';

function messages(text: string): string[] {
  const result = parseYaml(text);
  return result.ok ? [] : result.faults.map(({ message, line, column }) => `${line}:${column} ${message}`);
}

describe('parseYaml', () => {
  it.each([
    ['a: 1', { a: 1 }],
    ['--- # with a marker\na: 1\n...\n', { a: 1 }],
    ['- a\n- b: null', ['a', { b: null }]],
    ['', null],
    ['# only a comment', null],
    ['"\\ud83d\\ude00"', '😀'],
    ['<<: {a: 1}\nb: 2', { '<<': { a: 1 }, b: 2 }],
    ['true: 1\n2: x', { 2: 'x', true: 1 }],
  ])('[A-3] %j is read', (text, value) => {
    expect(parseYaml(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a: 1\n---\nb: 2', '2:1 There is more than one document.'],
    ['a: 1\na: 2', '2:1 The key "a" is there twice.'],
    ['{a: 1, a: 2}', '1:8 The key "a" is there twice.'],
    ['1: a\n"1": b', '2:1 The key "1" is there twice.'],
    ['\ufeffa: 1', '1:1 The text begins with a byte-order mark. Save it without one.'],
    ['a: 1\nb: \u202e\x1b', '2:5 The character U+001B is not allowed in YAML.'],
    ['%TAG ! x\n---\na: 1', '1:1 Directives are not allowed.'],
    ['[['.repeat(60), '1:101 The nesting is deeper than 100 levels.'],
    ['? '.repeat(5000), '1:201 The nesting is deeper than 100 levels.'],
    ['- '.repeat(5000), '1:201 The nesting is deeper than 100 levels.'],
    ['a'.repeat(1024 * 1024 + 1), '1:1 The YAML text is longer than 1 MiB.'],
  ])('[A-3] a fault is placed (%#)', (text, fault) => {
    expect(messages(text)[0]).toBe(fault);
  });

  it('[A-3] every fault is listed', () => {
    expect(messages('a: &x 1\nb: !t 2\nc: *x')).toEqual([
      '1:4 Anchors are not allowed.',
      '2:4 Tags are not allowed. Quote a value that begins with `!`.',
      '3:4 Aliases are not allowed. Quote a value that begins with `*`.',
    ]);
  });

  it('[A-3] ten thousand keys and a bomb of aliases are an answer', () => {
    const keys = Array.from({ length: 10_000 }, (_, n) => `k${n}: ${n}`).join('\n');
    expect(parseYaml(keys).ok).toBe(true);
    expect(messages('a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]')).toHaveLength(6);
  });
});

describe('[C-1] places', () => {
  const text = 'agent: bot\nmust:\n  - one\n  - text: two\n    judge: llm\n';
  const parsed = parseDocument(text);
  const place = (path: (string | number)[], at?: 'key' | 'value') => (parsed.ok ? Object.values(parsed.placeOf(path, at)).join(':') : '');

  it('says where a value, a key and an item stand', () => {
    expect(place([])).toBe('1:1');
    expect(place(['agent'])).toBe('1:8');
    expect(place(['must'], 'key')).toBe('2:1');
    expect(place(['must', 0])).toBe('3:5');
    expect(place(['must', 1, 'judge'])).toBe('5:12');
    expect(place(['must', 1, 'judge'], 'key')).toBe('5:5');
  });

  it('gives what is missing the place of what should hold it', () => {
    expect(place(['nothing'])).toBe('1:1');
    expect(place(['must', 1, 'on_fail'])).toBe('4:5');
    expect(place(['must', 9])).toBe('3:3');
    expect(place(['agent', 'deeper'])).toBe('1:8');
  });

  it('counts JSON with tabs too', () => {
    const json = parseDocument('{\n\t"agent": "bot",\n\t"must": ["\\ud83d\\ude00"]\n}\n');
    expect(json.ok && json.value).toEqual({ agent: 'bot', must: ['😀'] });
    expect(json.ok && json.placeOf(['must', 0])).toEqual({ line: 3, column: 11 });
  });
});
