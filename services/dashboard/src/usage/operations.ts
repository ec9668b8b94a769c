export { type KeySummary, plan as readPlan } from './operations/usage.ts';
