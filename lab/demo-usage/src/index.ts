/** Two weeks of usage for the demo workspace, made through metering. */

export { DemoUsageError } from './clocks.ts';
export { type DemoUsage, type DemoUsageOptions, makeDemoUsage } from './demo-usage.ts';
export type { DemoKey, KeyPattern } from './plan-day.ts';
