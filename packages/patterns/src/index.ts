export { compilePattern } from './compile.js';
export type { Pattern, PatternFlag, PatternResult } from './compile.js';
export { AJV_OPTIONS, ajvRegExp, ajvWords, PatternTimeout } from './ajv.js';
