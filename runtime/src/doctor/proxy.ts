import type { Environment } from '../models/discovery.js';

/** The proxies that the environment names, as they are heeded: small letters win, and what is set to nothing counts as not set. */
export interface Proxies {
  readonly http: Named | null;
  readonly https: Named | null;
  readonly none: Named | null;
}

export interface Named {
  readonly variable: string;
  readonly value: string;
}

export function proxiesIn(env: Environment): Proxies {
  const named = (...variables: readonly string[]): Named | null => {
    const variable = variables.find((name) => env[name] !== undefined);
    const value = variable === undefined ? undefined : env[variable];
    return variable === undefined || !value ? null : { variable, value };
  };
  return {
    http: named('http_proxy', 'HTTP_PROXY'),
    https: named('https_proxy', 'HTTPS_PROXY'),
    none: named('no_proxy', 'NO_PROXY'),
  };
}

/** Whether the value is an address that a proxy can have. */
export function isProxyAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** The proxy by which an address is asked; null when it is asked directly. An https address without a proxy of its own takes the other one. */
export function proxyFor(address: string, { http, https, none }: Proxies): Named | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const proxy = url.protocol === 'https:' ? (https ?? http) : http;
  return proxy === null || isExempt(url, none?.value ?? '') ? null : proxy;
}

function isExempt(url: URL, none: string): boolean {
  if (none === '*') return true;
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return none
    .split(/[,\s]/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, only = port] = /^(.+):(\d+)$/.exec(entry) ?? [];
      const host = name.replace(/^\*?\./, '').toLowerCase();
      return only === port && (url.hostname === host || url.hostname.endsWith(`.${host}`));
    });
}
