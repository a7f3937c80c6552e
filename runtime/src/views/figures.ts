/** Figures as people read them. */

/** `840 ms`, `14.2 s`, `3 min 05 s`, `2 h 10 min`. A time that a clock set back made negative is `0 ms`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 100_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${pad(Math.floor((seconds % 3_600) / 60))} min`;
}

/** `412`, `3.1k`, `2.4M`; `?` when nobody told. */
export function tokens(count: number | null): string {
  if (count === null) return '?';
  if (count < 1_000) return String(count);
  return count < 999_950 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** `$0.011`, `$12.40`; `<$0.001` for less; `$?` when no price is known (M-3). */
export function cost(usd: number | null): string {
  if (usd === null) return '$?';
  if (usd > 0 && usd < 0.0005) return '<$0.001';
  return usd < 1 ? `$${usd.toFixed(3)}` : `$${usd.toFixed(2)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Where the work of an earlier run was judged there was no round (G-12). */
export function roundTitle(round: number): string {
  return round === 0 ? 'earlier work' : `round ${round}`;
}
