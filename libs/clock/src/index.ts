/** Time as a dependency, and the billing periods. */
export { type Clock, systemClock } from './clock.ts';
export { ManualClock } from './manual-clock.ts';
export { MovableClock } from './movable-clock.ts';
export { type Period, periodAt } from './period.ts';
