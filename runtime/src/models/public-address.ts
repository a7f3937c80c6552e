/** An address as it may be shown: a user, a password and what follows a `?` may hold a key. Text that is no address is shown as it is, up to an `@`. */
export function publicAddress(address: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !URL.canParse(address)) return address.replace(/^.*@/s, '***@');
  const url = new URL(address);
  const user = url.username !== '' || url.password !== '' ? '***@' : '';
  const path = url.pathname === '/' && !address.endsWith('/') ? '' : url.pathname;
  return `${url.protocol}//${user}${url.host}${path}${url.search === '' ? '' : '?***'}`;
}
