import type { Reached } from '../ports/probe.js';
import type { Environment } from '../models/discovery.js';
import { publicAddress } from '../models/public-address.js';
import { findingsOf, type Finding } from './finding.js';
import { isProxyAddress, proxiesIn, proxyFor, type Proxies } from './proxy.js';

/** A server that some row would ask. */
export interface Endpoint {
  readonly provider: string;
  readonly models: readonly string[];
  /** As it is asked: never shown as it is. */
  readonly address: string;
  /** The variable of the key, for the words; null when none is sent. */
  readonly variable: string | null;
  /** The names of the rows that ask it. */
  readonly rows: readonly string[];
  /** Whether a stage that names no model asks it. */
  readonly isDefault: boolean;
}

export interface NetworkFacts {
  readonly env: Environment;
  readonly endpoints: readonly { readonly endpoint: Endpoint; /** Null when it was not to be asked. */ readonly reached: Reached | null }[];
}

const { ok, note, problem } = findingsOf('network');

/** Proxies, and whether the servers answer (I-11, L-4). */
export function judgeNetwork({ env, endpoints }: NetworkFacts): readonly Finding[] {
  const proxies = proxiesIn(env);
  const asked = endpoints.flatMap(({ endpoint, reached }) => (reached === null ? [] : [judgeServer(endpoint, { reached, proxies })]));
  return [
    ...judgeProxies(env, proxies),
    ...judgeRoutes(
      endpoints.map(({ endpoint }) => endpoint),
      proxies,
    ),
    ...asked,
    ...judgeClock(endpoints),
  ];
}

/** More than this, and certificates and signatures that are fresh look wrong. */
const SKEW_MS = 5 * 60_000;

/** By the first server that says what time it is. */
function judgeClock(endpoints: NetworkFacts['endpoints']): readonly Finding[] {
  const [ahead] = endpoints.flatMap(({ reached }) => (reached?.reached === 'answered' ? (reached.aheadMs ?? []) : []));
  if (ahead === undefined || Math.abs(ahead) < SKEW_MS) return [];
  const minutes = Math.round(Math.abs(ahead) / 60_000);
  return [
    note('clock', `this machine is ${minutes} minutes ${ahead > 0 ? 'ahead of' : 'behind'} the server`, {
      why: 'Certificates may look as if they were not valid yet, or no longer, and records have the wrong time.',
      fix: 'sudo timedatectl set-ntp true',
    }),
  ];
}

function judgeProxies(env: Environment, { http, https }: Proxies): readonly Finding[] {
  const wrong = [https, http].flatMap((named) => (named === null || isProxyAddress(named.value) ? [] : [named]));
  const faults = wrong.map(({ variable, value }) =>
    problem(variable, `${publicAddress(value)} is no http or https address`, {
      why: 'No server can be asked through it.',
      fix: `export ${variable}=http://HOST:PORT`,
    }),
  );
  const all = env['ALL_PROXY'] ?? env['all_proxy'];
  const ignored =
    http === null && https === null && all
      ? [note('ALL_PROXY', 'it is not heeded', { why: 'Only HTTPS_PROXY and HTTP_PROXY are.', fix: 'export HTTPS_PROXY="$ALL_PROXY"' })]
      : [];
  return [...faults, ...ignored];
}

/** Which server is asked through which proxy; nothing when there is no proxy. */
function judgeRoutes(endpoints: readonly Endpoint[], proxies: Proxies): readonly Finding[] {
  return [proxies.https, proxies.http].flatMap((proxy) => {
    if (proxy === null || !isProxyAddress(proxy.value)) return [];
    const through = endpoints.filter(({ address }) => proxyFor(address, proxies) === proxy).map(({ address }) => hostOf(address));
    const direct = endpoints.filter(({ address }) => proxyFor(address, proxies) === null).map(({ address }) => hostOf(address));
    const routes = [
      ...(through.length > 0 ? [`for ${listed(through)}`] : ['for no server of yours']),
      ...(direct.length > 0 ? [`not for ${listed(direct)}`] : []),
    ];
    return [ok(proxy.variable, `${publicAddress(proxy.value)}, ${routes.join(', ')}`)];
  });
}

function judgeServer(endpoint: Endpoint, { reached, proxies }: { reached: Reached; proxies: Proxies }): Finding {
  const about = hostOf(endpoint.address);
  const fault = (what: string, more: Pick<Finding, 'why' | 'fix'>): Finding => {
    if (endpoint.isDefault) return problem(about, what, more);
    return note(about, what, { ...more, why: `${more.why ?? ''} Only stages that name ${listed(endpoint.rows)} ask it.`.trim() });
  };
  if (reached.reached === 'failed') return unreachable(endpoint, { reached, proxies, fault });
  const { status, models } = reached;
  if (status === 401 || status === 403) {
    const key =
      endpoint.variable === null
        ? 'It wants a key: name its variable in the row, api-key-env.'
        : `It does not take the key in ${endpoint.variable}.`;
    return fault(`it refuses (${status})`, { why: key, ...(endpoint.variable === null ? {} : { fix: `export ${endpoint.variable}=…` }) });
  }
  if (status === 429 || status >= 500)
    return note(about, `it answers with ${status}`, { why: 'It is there, but has no time now. A run tries again by itself.' });
  if (status >= 300 && status < 400)
    return fault(`it sends elsewhere (${status})`, { why: 'The address is probably not that of the server itself.', fix: 'flow models' });
  return judgeOffer(endpoint, models ?? []);
}

/** Servers need not list their models, and some have more than they list: what is missing is only worth a word. */
function judgeOffer({ address, models: wanted }: Endpoint, offered: readonly string[]): Finding {
  const missing = wanted.filter((model) => !offered.includes(model));
  if (offered.length === 0) return ok(hostOf(address), 'it answers');
  if (missing.length === 0) return ok(hostOf(address), `it answers, and has ${listed(wanted)}`);
  const more = offered.length > 5 ? ` and ${offered.length - 5} more` : '';
  return note(hostOf(address), `it answers, and does not list ${listed(missing)}`, {
    why: `It lists ${offered.slice(0, 5).join(', ')}${more}.`,
  });
}

interface Failure {
  readonly reached: Extract<Reached, { readonly reached: 'failed' }>;
  readonly proxies: Proxies;
  readonly fault: (what: string, more: Pick<Finding, 'why' | 'fix'>) => Finding;
}

function unreachable({ address, provider }: Endpoint, { reached: { trouble, detail }, proxies, fault }: Failure): Finding {
  const proxy = proxyFor(address, proxies);
  const through = proxy === null ? '' : ` (through ${proxy.variable})`;
  switch (trouble) {
    case 'name':
      return fault(`its name is not found${through}: ${detail}`, {
        why: 'There is no network, no name server, or a proxy is wanted.',
        fix: 'export HTTPS_PROXY=http://HOST:PORT',
      });
    case 'refused': {
      const local = provider === 'ollama' ? { fix: 'ollama serve' } : {};
      return fault(`the connection is refused${through}: ${detail}`, {
        why: `Nobody listens at ${proxy === null ? hostOf(address) : hostOf(proxy.value)}.`,
        ...local,
      });
    }
    case 'certificate':
      if (/NOT_YET_VALID|HAS_EXPIRED/.test(detail))
        return fault(`its certificate is not valid at this time${through}: ${detail}`, {
          why: "This machine's clock is wrong, or the certificate is old.",
          fix: 'date -u',
        });
      return fault(`its certificate is not trusted${through}: ${detail}`, {
        why: 'A proxy in between may sign with its own authority.',
        fix: 'export NODE_EXTRA_CA_CERTS=FILE.pem',
      });
    case 'silent':
      return fault(`${detail}${through}`, {
        why: 'A firewall may swallow the question, or a proxy is wanted.',
        fix: 'export HTTPS_PROXY=http://HOST:PORT',
      });
    case 'proxy':
      return fault(`the proxy says no${through}: ${detail}`, {
        why: 'It may want a user and a password, or not let this server through.',
        fix: 'export HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT',
      });
    case 'other':
      return fault(`it cannot be asked${through}: ${detail}`, {});
  }
}

/** Host and port, without what may be secret. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : publicAddress(address);
}

function listed(words: readonly string[]): string {
  const unique = [...new Set(words)];
  return unique.length < 2 ? (unique[0] ?? '') : `${unique.slice(0, -1).join(', ')} and ${unique.at(-1) ?? ''}`;
}
