export { disk } from './edges/disk.js';
export { judged } from './evaluate/judge.js';
