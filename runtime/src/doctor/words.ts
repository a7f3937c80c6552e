/** `840 MiB`, `12 GiB`: rounded down. */
export function bytes(count: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log2(count) / 10));
  return `${Math.floor(count / 1024 ** step)} ${units[step] ?? ''}`;
}

/** A word as a shell takes it back. */
export function quoted(word: string): string {
  return /^[\w./~@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
