import type { RunView } from '@gated-flow/record';

type Said = RunView['authorizations'][number];

/** Each leave of a run in a line: what was asked for or found, and how that ended (V-5). Neither redacted nor escaped yet. */
export function leaveLines({ authorizations }: RunView): readonly string[] {
  const ids = [...new Set(authorizations.map(({ id }) => id))];
  return ids.map((id) => lineOf(authorizations.filter((said) => said.id === id)));
}

function lineOf(said: readonly Said[]): string {
  const [first] = said;
  const last = said.at(-1);
  if (first === undefined || last === undefined) return '';
  const by = last.by === undefined ? '' : ` by ${last.by} (${last.via ?? 'unknown'})`;
  return `leave ${first.id}: ${WORDS[last.state]}${by} · ${first.target ?? ''} · ${first.stage ?? ''}${last.reason === undefined ? '' : ` · ${last.reason}`}`;
}

const WORDS: Readonly<Record<Said['state'], string>> = {
  requested: 'asked for, and not given',
  granted: 'given',
  denied: 'denied',
  used: 'given and used',
  expired: 'expired',
  refused: 'refused',
};
