export { compilePattern } from './compile.js';
export type { Pattern, PatternFlag, PatternResult } from './compile.js';
export { ajvRegExp, PatternTimeout } from './ajv.js';
