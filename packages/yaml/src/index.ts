export { parseDocument, parseYaml } from './parse.js';
export type { YamlResult } from './parse.js';
export type { DocumentResult } from './document.js';
export { splitFrontMatter } from './front-matter.js';
export type { FrontMatterResult } from './front-matter.js';
export type { YamlFault, YamlPlace } from './faults.js';
