/**
 * The parts of two public formats that our reports use, as those who read them demand: SARIF 2.1.0 (OASIS) for code scanning, and
 * the JUnit XML of the common readers. Closed where the public schema is closed.
 */
const message = { type: 'object', required: ['text'], properties: { text: { type: 'string' } }, additionalProperties: false };
const location = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: -1 },
    message,
    physicalLocation: {
      type: 'object',
      properties: {
        artifactLocation: { type: 'object', properties: { uri: { type: 'string' } }, additionalProperties: false },
        region: {
          type: 'object',
          properties: { startLine: { type: 'integer', minimum: 1 }, startColumn: { type: 'integer', minimum: 1 } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
const rule = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, shortDescription: message, fullDescription: message },
  additionalProperties: false,
};
const level = { enum: ['none', 'note', 'warning', 'error'] };

export const SARIF_SCHEMA = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    version: { enum: ['2.1.0'] },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        additionalProperties: false,
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: { type: 'string' },
                  semanticVersion: { type: 'string' },
                  rules: { type: 'array', uniqueItems: true, items: rule },
                },
              },
            },
          },
          properties: { type: 'object' },
          invocations: {
            type: 'array',
            items: {
              type: 'object',
              required: ['executionSuccessful'],
              additionalProperties: false,
              properties: {
                executionSuccessful: { type: 'boolean' },
                toolExecutionNotifications: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['message'],
                    additionalProperties: false,
                    properties: { level, message, associatedRule: { type: 'object', properties: { id: { type: 'string' } } } },
                  },
                },
              },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              additionalProperties: false,
              properties: {
                ruleId: { type: 'string' },
                level,
                message,
                locations: { type: 'array', items: location },
                relatedLocations: { type: 'array', uniqueItems: true, items: location },
                properties: { type: 'object' },
              },
            },
          },
        },
      },
    },
  },
};

const ELEMENTS: Readonly<Record<string, { inside: readonly string[]; demanded: readonly string[]; allowed: readonly string[] }>> = {
  testsuites: { inside: [''], demanded: [], allowed: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: { inside: ['testsuites'], demanded: ['name', 'tests'], allowed: ['failures', 'errors', 'skipped', 'time'] },
  testcase: { inside: ['testsuite'], demanded: ['name'], allowed: ['classname', 'time'] },
  failure: { inside: ['testcase'], demanded: [], allowed: ['type', 'message'] },
  error: { inside: ['testcase'], demanded: [], allowed: ['type', 'message'] },
  skipped: { inside: ['testcase'], demanded: [], allowed: ['message'] },
  'system-out': { inside: ['testcase'], demanded: [], allowed: [] },
};

/** What is wrong with a JUnit document; nothing for one that every common reader takes. */
export function JUNIT_SHAPE(xml: string): string[] {
  const faults: string[] = [];
  const open: string[] = [''];
  const counts: Record<string, number> = {};
  const body = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '');
  if (body === xml) faults.push('no declaration');
  const tag = /<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)|(<)/g;
  for (const [, closing, name = '', attributes = '', empty, text, stray] of body.matchAll(tag)) {
    if (stray !== undefined) faults.push('a stray <');
    if (/&(?!amp;|lt;|gt;|quot;|#\d+;)/.test(text ?? attributes)) faults.push('a stray &');
    if (text !== undefined) continue;
    if (closing) {
      if (open.pop() !== name) faults.push(`${name} is closed and was not open`);
      continue;
    }
    const about = ELEMENTS[name];
    counts[name] = (counts[name] ?? 0) + 1;
    if (!about?.inside.includes(open.at(-1) ?? '')) faults.push(`${name} inside ${open.at(-1)}`);
    const given = [...attributes.matchAll(/ ([\w-]+)=/g)].map(([, key = '']) => key);
    for (const key of about?.demanded ?? []) if (!given.includes(key)) faults.push(`${name} lacks ${key}`);
    for (const key of given) if (![...(about?.demanded ?? []), ...(about?.allowed ?? [])].includes(key)) faults.push(`${name} has ${key}`);
    if (!empty) open.push(name);
  }
  if (open.length !== 1) faults.push('something is not closed');
  const said = Number(/<testsuite [^>]*tests="(\d+)"/.exec(xml)?.[1]);
  if (said !== counts['testcase']) faults.push(`says ${said} tests and has ${counts['testcase']}`);
  return faults;
}
