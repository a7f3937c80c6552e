import type { Capture } from './capture.js';

/** Between two looks: a program writes a few dozen MiB past the limit at worst, and they are cut. */
const LOOK_MS = 25;

/** Looks at the capture's size now and then, and calls back once when it is past the limit (K-8). Keeps this process from nothing. The returned function ends it. */
export function watchSize(capture: Capture, limitBytes: number, overflowed: () => void): () => void {
  const timer = setInterval(() => {
    if ((capture.sizeIfKnown() ?? 0) <= limitBytes) return;
    clearInterval(timer);
    overflowed();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
