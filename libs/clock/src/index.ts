/** Time as a dependency, durations, billing periods, and the days and instants that people write. */
export { type Clock, systemClock } from './clock.ts';
export { dayMs, daySeconds, hourMs, minuteMs, secondMs } from './durations.ts';
export { ManualClock } from './manual-clock.ts';
export { MovableClock } from './movable-clock.ts';
export { type Period, periodAt } from './period.ts';
export { parseDay, parseInstant } from './written-time.ts';
