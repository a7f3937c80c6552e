import type { WarningRule } from './warning.js';

/** A check needs no model, but a run would be refused. */
export const modelUnresolved: WarningRule = ({ facts }) =>
  facts.models.map(({ path, message, fix }) => ({ path, message, ...(fix === undefined ? {} : { fix }) }));
