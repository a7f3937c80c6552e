/** What the spans are of: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` over the program's own name. */
import type { Attributes } from './span.js';

type Environment = Readonly<Record<string, string | undefined>>;

export function resourceOf(env: Environment, version: string): Attributes {
  const said = listOf(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '');
  const name = env['OTEL_SERVICE_NAME'] || said.get('service.name') || 'flow';
  return { ...Object.fromEntries(said), 'service.name': name, 'service.version': said.get('service.version') ?? version };
}

/** `key=value,key=value`, as OpenTelemetry writes lists in variables: percent-encoded. What is no pair is left out. */
export function listOf(text: string): Map<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(at, 0)).trim();
    return at < 1 || key === '' ? [] : [[decoded(key), decoded(pair.slice(at + 1).trim())] as const];
  });
  return new Map(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
