import { plan } from './plan.js';

export const walk = (): unknown => plan;
