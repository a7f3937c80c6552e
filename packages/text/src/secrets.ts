const SECRET_NAMES = ['*_API_KEY', '*_TOKEN', '*_SECRET', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
/** Lists of headers of OpenTelemetry: each value in them is a secret of its own. */
const HEADER_LISTS = 'OTEL_EXPORTER_OTLP_*HEADERS';

/**
 * The values to mask (S-2): of variables with a well-known secret's name and of the declared names, in which `*` stands for
 * any characters. A value with white space around it also counts without; of a list of headers each value, and what follows its scheme.
 */
export function secretValues(environment: Readonly<Record<string, string | undefined>>, names: readonly string[]): string[] {
  const patterns = [...SECRET_NAMES, ...names];
  const values = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value && nameMatches(name, HEADER_LISTS)) for (const one of headerValues(value)) values.add(one);
    if (!value || !patterns.some((pattern) => nameMatches(name, pattern))) continue;
    values.add(value).add(value.trim());
  }
  values.delete('');
  return [...values];
}

/** `authorization=Bearer%20x,api-key=y`: as they stand and as they are sent. */
function headerValues(list: string): string[] {
  const said = list.split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  const sent = said.map((value) => (/^(?:[^%]|%[0-7][0-9a-fA-F])*$/.test(value) ? decodeURIComponent(value) : value));
  return [list, ...said, ...sent, ...sent.map((value) => value.replace(/^\w+\s+/, ''))];
}

/** Whether a variable's name fits a pattern, in which `*` stands for any characters. */
export function nameMatches(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  let from = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return name.startsWith(first) && name.endsWith(last) && name.length - last.length >= from;
}
