/** Two weeks of usage for the demo workspace, made through metering. */

export { createClocks, DemoUsageError } from './clocks.ts';
export { type DemoUsage, type DemoUsageOptions, makeDemoUsage, usedSinceMs } from './demo-usage.ts';
export type { DemoKey, KeyPattern } from './plan-day.ts';
