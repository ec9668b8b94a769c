export { plan as readPlan } from './operations/usage.ts';
