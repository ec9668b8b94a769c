/** Two weeks of usage for the demo workspace, made through metering. */
export { type DemoUsage, type DemoUsageOptions, makeDemoUsage } from './demo-usage.ts';
export { DemoUsageError } from './error.ts';
export type { DemoKey, KeyPattern } from './plan-day.ts';
