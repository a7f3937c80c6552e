/** The candidate that a mistyped word most likely meant, or null. Case does not count; one slip in three letters is still near. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const typed = word.toLowerCase();
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of candidates) {
    const distance = slips(typed, candidate.toLowerCase());
    if (distance > Math.max(1, Math.floor(Math.max(typed.length, candidate.length) / 3))) continue;
    if (best === null || distance < best.distance) best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

/** Letters inserted, dropped, replaced, or swapped with their neighbour. */
function slips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? Infinity;
}
