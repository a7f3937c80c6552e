/** Which stages were at work in one tree at the same time: what one of them changed cannot be told from what another did. Pure. */
export interface AtWork {
  /** Until the answer is called. */
  begin(place: string): () => void;
  /** Whether another stage worked while this one has, other than one that called it or that it called. */
  disturbed(place: string): boolean;
}

export function trackWork(): AtWork {
  const working = new Map<string, { disturbed: boolean }>();
  return {
    begin(place) {
      const own = { disturbed: false };
      for (const [other, state] of working) {
        if (isWithin(place, other) || isWithin(other, place)) continue;
        state.disturbed = true;
        own.disturbed = true;
      }
      working.set(place, own);
      return () => void working.delete(place);
    },
    disturbed: (place) => working.get(place)?.disturbed ?? false,
  };
}

/** A child run's record stands below the place that called it. */
function isWithin(place: string, other: string): boolean {
  return place.startsWith(`${other}/`);
}
