import { expect } from 'vitest';

/** Vitest's asymmetric matchers are `any`; as `unknown` they fit everywhere and hide nothing. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const anyNumber = (): unknown => expect.any(Number);
