/** One character that an escape matches; empty for an assertion or a reference to a group. */
export function escapeMember(written: string): string {
  const letter = written.charAt(1);
  if (written.startsWith('\\u{')) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(written.slice(3, -1), 16)));
  if (written.length > 2 && (letter === 'u' || letter === 'x')) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  if (written.length > 3 && letter === 'p') return memberOfProperty(written.slice(3, -1));
  if (written.length > 3 && letter === 'P') return /^(?:L|Lu|Ll|Alpha|Letter)/.test(written.slice(3, -1)) ? '1' : 'a';
  if ('bBk123456789'.includes(letter)) return '';
  return NAMED[letter] ?? letter;
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ d: '1', D: 'r', w: 'r', W: '-', s: ' ', S: 'r' },
  ...{ t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', '0': '\0' },
};

function memberOfProperty(name: string): string {
  if (/^(?:N|Nd|Decimal)/.test(name)) return '1';
  if (/^(?:Lu|Upper)/.test(name)) return 'R';
  if (/^(?:P|Punct)/.test(name)) return '.';
  if (/^(?:Z|White|Space)/.test(name)) return ' ';
  if (/Greek/.test(name)) return 'ρ';
  if (/Cyrillic/.test(name)) return 'р';
  if (/Han/.test(name)) return '字';
  return 'r';
}

/** Tried in this order, so that texts stay readable where the class allows it. */
const READABLE = [...'rR1a-_. :/@'].concat(Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)));

const MEMBERS = 10;

/** Some characters of a class such as `[a-z0-9]` or `[^/]`, readable ones where there are any; an empty text when it has none. */
export function classMembers(written: string): readonly string[] {
  const matches = matcher(written);
  if (matches === null) return [''];
  const readable = [...new Set(READABLE.filter(matches))].slice(0, MEMBERS);
  return readable.length > 0 ? readable : [firstMember(written, matches)];
}

function matcher(written: string): ((character: string) => boolean) | null {
  try {
    const expression = new RegExp(`^${written}$`, 'u');
    return (character) => expression.test(character);
  } catch {
    return null;
  }
}

/** A class of characters that are all outside ASCII begins with one of them. */
function firstMember(written: string, matches: (character: string) => boolean): string {
  const first = /^\[(\\(?:u\{[^}]*\}|u....|x..|[pP]\{[^}]*\}|[\s\S])|[\s\S])/u.exec(written)?.[1] ?? '';
  const member = first.startsWith('\\') ? escapeMember(first) : first;
  return matches(member) ? member : '';
}
