import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workflowData, workflowProperty, xmlAttribute, xmlText } from '../src/index.js';

const any = fc.string({ unit: 'binary', maxLength: 60 });

describe('text in XML', () => {
  it.each([
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    [']]>', ']]&gt;'],
    ['a\x00b\x1bc\x08\ufffe\uffff\ud800d', 'abcd'],
    ['one\r\ntwo\tthree', 'one&#13;\ntwo\tthree'],
    ['\u{1f600}', '\u{1f600}'],
  ])('[I-1 C-11] %j is text', (text, expected) => expect(xmlText(text)).toBe(expected));

  it('[I-1 C-11] an attribute cannot end, and keeps its lines', () => {
    expect(xmlAttribute('a"b\nc\td')).toBe('a&quot;b&#10;c&#9;d');
  });

  it('[I-1 C-11] whatever the text, no tag and no illegal character is left', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(xmlAttribute(text)).not.toMatch(/[<>"\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
        expect(Buffer.from(xmlText(text)).toString()).toBe(xmlText(text));
      }),
    );
  });
});

describe('text in a workflow command', () => {
  it.each([
    ['100% ::error::x\n::add-mask::y\r', '100%25 ::error::x%0A::add-mask::y%0D'],
    ['\x1b[31mred\x9b\u2028', '[31mred'],
  ])('[I-7] %j is data', (text, expected) => expect(workflowData(text)).toBe(expected));

  it('[I-7] a property ends where it should', () => {
    expect(workflowProperty('a,line=9::b')).toBe('a%2Cline=9%3A%3Ab');
  });

  it('[I-7] whatever the text, the command stays on its line', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(workflowData(text)).not.toMatch(/[\r\n\x00-\x1f]/);
        expect(workflowProperty(text)).not.toMatch(/[:,\n]/);
      }),
    );
  });
});
