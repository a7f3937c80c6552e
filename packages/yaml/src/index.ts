export { parseYaml } from './parse.js';
export type { YamlResult } from './parse.js';
export { splitFrontMatter } from './front-matter.js';
export type { FrontMatterResult } from './front-matter.js';
export type { YamlFault } from './faults.js';
