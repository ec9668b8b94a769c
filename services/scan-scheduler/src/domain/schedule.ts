/** When a domain may be visited: politeness towards the site and patience with what fails. Pure. */
export interface SchedulePolicy {
  /** Between the end of one visit of a domain and the start of the next. */
  visitIntervalMs: number;
  /** After the first failed attempt; doubles with each further one. */
  retryBackoffMs: number;
  /** Age of a scan up to which interruptions on our side cost no attempt. */
  interruptionGraceMs: number;
}

const maxBackoffMs = 10 * 60_000;

/** Wait after the given number of failed attempts (1 or more). */
export function backoffMs(policy: SchedulePolicy, failedAttempts: number): number {
  return Math.min(maxBackoffMs, policy.retryBackoffMs * 2 ** Math.max(0, failedAttempts - 1));
}

/** The latest of the given instants, in ms; absent ones do not count. */
export function latest(...instants: (Date | number | null | undefined)[]): Date {
  return new Date(Math.max(...instants.map((instant) => Number(instant ?? 0))));
}

/**
 * Abandonments whose cause is on our side, and how long to wait after them. They cost no attempt while the scan is young, so that a
 * rolling restart or a while without Kafka fails nobody's scan.
 */
const interruptionWaitsMs = new Map([
  ['scanner_stopping', 0],
  ['publish_failed', 15_000],
]);

/** The wait after an interruption, or undefined when the attempt counts: other causes, or a scan that is too old. */
export function interruptionWaitMs(code: string, scanAgeMs: number, policy: SchedulePolicy): number | undefined {
  return scanAgeMs < policy.interruptionGraceMs ? interruptionWaitsMs.get(code) : undefined;
}
