/** Two weeks of usage and three weeks of events for the demo workspace. */

export { createClocks, DemoUsageError } from './clocks.ts';
export { type DemoEventsOptions, makeDemoEvents, watchedSinceMs } from './demo-events.ts';
export { type DemoUsage, type DemoUsageOptions, makeDemoUsage, usedSinceMs } from './demo-usage.ts';
export type { DemoKey, KeyPattern } from './plan-day.ts';
