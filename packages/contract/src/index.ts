export { loadContract } from './edges/load-contract.js';
