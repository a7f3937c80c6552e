import { parameters } from '../tools/parameters.js';
import { defineControl } from './control.js';

/** `clean-temp`: empties `$TMP` (L-10). */
export const cleanTemp = defineControl({
  name: 'clean-temp',
  description: 'Delete everything in $TMP.',
  parameters: parameters({}),
  act: () => ({ output: '$TMP is empty now.', recorded: { decision: 'clean' }, cleanTemp: true }),
});
