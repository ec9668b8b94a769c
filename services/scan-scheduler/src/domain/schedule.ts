import { minuteMs } from '@shopscope/clock';

/** The rules for the times of visits: the pause between visits of a domain, and the back-off. */
export interface SchedulePolicy {
  /** The pause from the end of a visit of a domain to the start of the next one. A lost lease counts from its start. */
  visitIntervalMs: number;
  /** The pause after the first failed attempt. It doubles with each further failed attempt. */
  retryBackoffMs: number;
  /** Up to this age of a scan, interruptions of this system cost no attempt. */
  interruptionGraceMs: number;
}

const maxBackoffMs = 10 * minuteMs;

/** Returns the pause after the given number of failed attempts (1 or more). */
export function backoffMs(policy: SchedulePolicy, failedAttempts: number): number {
  return Math.min(maxBackoffMs, policy.retryBackoffMs * 2 ** Math.max(0, failedAttempts - 1));
}

const maxLeasePauseMs = 10_000;

/**
 * Returns the pause of an instance between two leases while `lag` observations wait for their merge. It is 0 up to `maxLag`, then grows
 * with the lag, and reaches its maximum at twice `maxLag`.
 */
export function leasePauseMs(lag: number, maxLag: number): number {
  return Math.min(maxLeasePauseMs, Math.max(0, (maxLeasePauseMs * (lag - maxLag)) / maxLag));
}

/** Returns the latest of the given instants. Absent ones are ignored. */
export function latest(...instants: (Date | number | null | undefined)[]): Date {
  return new Date(Math.max(...instants.map((instant) => Number(instant ?? 0))));
}

/**
 * The pauses after interruptions of this system, by reason. These interruptions cost no attempt while the scan is young. A rolling restart
 * or a short outage of Kafka therefore fails no scan.
 */
const interruptionWaitsMs = new Map([
  ['scanner_stopping', 0],
  ['publish_failed', 15_000],
]);

/**
 * Reasons of a scanner that may be failures of our system: no name server answered, or the scanner reaches nothing at all. They never cost
 * an attempt. The time limit of the jobs ends the scan.
 */
const undecidedCodes: ReadonlySet<string> = new Set(['dns_unavailable', 'egress_broken']);
const firstUndecidedWaitMs = 15_000;

export const isUndecided = (code: string): boolean => undecidedCodes.has(code);

/** Returns the pause after an interruption. Undefined if the attempt counts, because of another reason or the age of the scan. */
export function interruptionWaitMs(
  code: string,
  scan: { ageMs: number; interruptions: number },
  policy: SchedulePolicy,
): number | undefined {
  if (isUndecided(code)) return Math.min(maxBackoffMs, firstUndecidedWaitMs * 2 ** scan.interruptions);
  return scan.ageMs < policy.interruptionGraceMs ? interruptionWaitsMs.get(code) : undefined;
}
