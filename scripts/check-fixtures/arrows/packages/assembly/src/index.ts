export { text } from '../../text/src/index.js';
export { record } from '../../record/src/index.js'; // fails: package-imports-leaves-only
export type { Plan } from '../../../runtime/src/plan/plan.js'; // fails: package-imports-leaves-only
