export { walk } from '../plan/walk.js'; // fails: ports-are-types
export type { Plan } from '../plan/plan.js';
