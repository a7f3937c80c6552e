import type { Branch, Choose } from '../tree.js';
import { readBranches } from './branches.js';
import { isBare, openContainer } from './container.js';
import type { Document } from './document.js';
import { fromMarkdown, isEmpty } from './document.js';
import { numbered } from './names.js';
import type { Reading } from './reading.js';
import { quoted } from './reading.js';
import type { Spot } from './spot.js';
import { groundOf } from './spot.js';

/** CHOOSE (G-4). */
export function readChoose(reading: Reading, spot: Spot): Choose {
  const { base, document, entries } = openContainer(reading, spot, 'CHOOSE.md', []);
  const alternatives = readBranches(reading, groundOf(spot), entries, { called: 'a CHOOSE', sentinel: 'CHOOSE.md', way: 'alternative' });
  if (isBare(reading, spot, 'CHOOSE.md')) {
    reading.refuse(
      'folder-empty',
      spot.entry,
      'The choice has no alternatives. Add two or more beside CHOOSE.md, such as fix.md and stop.md.',
    );
  } else if (document) {
    judgeBody(reading, spot, document, alternatives);
  }
  return { type: 'CHOOSE', ...base, prompt: document?.body ?? '', alternatives };
}

function judgeBody(reading: Reading, spot: Spot, document: Document, alternatives: readonly Branch[]): void {
  if (isEmpty(document.body)) {
    reading.refuse(
      'body-missing',
      document.path,
      'CHOOSE.md has no text below its front matter, and the text asks the agent to choose. Write it, with a list of the alternatives: - `name` — when to take it.',
    );
    return;
  }
  // What stands in the folder but was refused is named by its own refusal; comparing names would only repeat it.
  if (alternatives.length < reading.snapshot.children(spot.entry).filter((entry) => !isOwn(entry.path, spot)).length) return;
  if (alternatives.some(({ name }) => /^[0-9]+$/u.test(name) || numbered(name))) return;
  const listed = fromMarkdown(reading, document.path, (markdown) => markdown.alternatives(document.body));
  if (!listed) return;
  const mismatches = compare(
    listed,
    alternatives.map(({ name }) => name),
  );
  if (mismatches.length > 0) {
    reading.refuse(
      'alternative-mismatch',
      document.path,
      `The list and the folder do not name the same alternatives: ${mismatches.join('; ')}. Each alternative is one entry beside CHOOSE.md and one list item that begins with its name in a code span: - \`name\` — when to take it.`,
    );
  } else if (alternatives.length < 2) {
    reading.refuse(
      'chooser-invalid',
      document.path,
      `There is one alternative, ${quoted(alternatives[0]?.name ?? '')}, so there is nothing to choose. Add another, or put the stage in place of the choice.`,
    );
  }
}

function isOwn(path: string, spot: Spot): boolean {
  return ['CHOOSE.md', 'README.md', 'skills'].some((name) => path === `${spot.entry}/${name}`);
}

function compare(listed: readonly string[], present: readonly string[]): readonly string[] {
  return [
    ...[...new Set(listed)].filter((name) => !present.includes(name)).map((name) => `${quoted(name)} is listed and has no entry`),
    ...[...new Set(present)].filter((name) => !listed.includes(name)).map((name) => `${quoted(name)} has an entry and is not listed`),
    ...repeated(listed).map((name) => `${quoted(name)} is listed twice`),
    ...repeated(present).map((name) => `${quoted(name)} has two entries, a file and a folder`),
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
