/** What the environment says of where traces go, by OpenTelemetry's own names (I-10). Pure. */
import { listOf } from '../reports/otlp/resource.js';
import { asksForTraces } from './asked.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  /** Where spans are posted; without a name and a password, which are in the headers. */
  readonly url: string;
  /** The same for people: nothing secret is in it. */
  readonly shown: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** How long all of it may take. */
  readonly timeoutMs: number;
  /** Also what was said, and what tools were given and answered. */
  readonly contents: boolean;
}

/** `off`: nothing is asked for. `unusable`: something is, and cannot be done; a sentence that holds no secret. */
export type Asked =
  { readonly ask: 'off' } | { readonly ask: 'unusable'; readonly message: string } | { readonly ask: 'send'; readonly settings: Settings };

const LONGEST_MS = 10_000;
const USUAL_MS = 5_000;

export function readSettings(env: Environment): Asked {
  if (!asksForTraces(env) || isTrue(env['OTEL_SDK_DISABLED']) || env['OTEL_TRACES_EXPORTER'] === 'none') return { ask: 'off' };
  const protocol = of(env, 'PROTOCOL');
  if (protocol === 'grpc')
    return unusable(
      'only http/json is spoken, not grpc. Set OTEL_EXPORTER_OTLP_PROTOCOL=http/json, and the port for HTTP, which is 4318 as a rule',
    );
  const found = urlOf(env);
  if (found === null) return unusable('OTEL_EXPORTER_OTLP_ENDPOINT is no http or https URL');
  const headers = headersOf(of(env, 'HEADERS') ?? '');
  if (headers === null) return unusable('OTEL_EXPORTER_OTLP_HEADERS holds what is no header. It is name=value,name=value');
  const { url, login } = withoutLogin(found);
  const contents = isTrue(env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']);
  return {
    ask: 'send',
    settings: {
      url: url.href,
      shown: `${url.origin}${url.pathname}`,
      headers: [...login, ...headers],
      timeoutMs: timeoutOf(of(env, 'TIMEOUT')),
      contents,
    },
  };
}

/** What is said of traces alone goes before what is said of everything. */
function of(env: Environment, name: string): string | undefined {
  return env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`] || undefined;
}

/** An endpoint of traces is the whole URL; the common one is where `/v1/traces` is below. */
function urlOf(env: Environment): URL | null {
  const whole = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const said = whole || `${(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '').replace(/\/+$/, '')}/v1/traces`;
  if (!URL.canParse(said)) return null;
  const url = new URL(said);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

/** A name and a password in a URL are sent as what they mean. */
function withoutLogin(url: URL): { readonly url: URL; readonly login: Settings['headers'] } {
  if (url.username === '' && url.password === '') return { url, login: [] };
  const login = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64');
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return { url: bare, login: [['authorization', `Basic ${login}`]] };
}

function headersOf(text: string): Settings['headers'] | null {
  const headers = [...listOf(text)];
  const sound = headers.every(([name, value]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  return sound && (text.trim() === '' || headers.length > 0) ? headers : null;
}

/** Milliseconds, as OpenTelemetry says; never longer than a run should be held. */
function timeoutOf(text: string | undefined): number {
  const said = text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : USUAL_MS;
  return Math.min(LONGEST_MS, Math.max(1, said));
}

function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true';
}

function unusable(why: string): Asked {
  return { ask: 'unusable', message: `No traces were sent: ${why}.` };
}
