export { gone } from './gone.js'; // fails: nothing-missing
export const script = 1;
