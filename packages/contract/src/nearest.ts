/** The candidate that differs least from the text, when it differs by less than a third of its length. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const measured = candidates.map((candidate) => ({ candidate, distance: distanceBetween(text, candidate) }));
  const best = measured.sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.max(1, best.candidate.length / 3) ? best.candidate : undefined;
}

/** How many letters have to be put in, left out or replaced. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
