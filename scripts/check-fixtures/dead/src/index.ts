export { used } from './used.js';
