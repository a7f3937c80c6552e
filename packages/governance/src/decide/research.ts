import type { GovernanceContract } from '../contract/contract.js';
import { openTests } from './bounded.js';

/** Whether the texts ask for facts that need sources (V-8). A stage without an expression needs them always. */
export function needsSources({ research }: GovernanceContract, texts: readonly string[]): boolean {
  const tests = openTests();
  return research.some(({ match }) => match === null || texts.some((text) => tests.found(match, text)));
}
