import { minuteMs } from '@shopscope/clock';

/** Rules for the time of visits: the pause between visits of a domain, and back-off. */
export interface SchedulePolicy {
  /** Pause between the end of a visit of a domain and the start of the next one. A lost lease counts from its start. */
  visitIntervalMs: number;
  /** Pause after the first failed attempt; doubles with each further one. */
  retryBackoffMs: number;
  /** Up to this age of a scan, interruptions of this system cost no attempt. */
  interruptionGraceMs: number;
}

const maxBackoffMs = 10 * minuteMs;

/** Pause after the given number of failed attempts (1 or more). */
export function backoffMs(policy: SchedulePolicy, failedAttempts: number): number {
  return Math.min(maxBackoffMs, policy.retryBackoffMs * 2 ** Math.max(0, failedAttempts - 1));
}

const maxLeasePauseMs = 10_000;

/**
 * Pause of an instance between two leases while `lag` observations wait for their merge: none up to `maxLag`, then growing
 * with the lag, and the longest at twice `maxLag`.
 */
export function leasePauseMs(lag: number, maxLag: number): number {
  return Math.min(maxLeasePauseMs, Math.max(0, (maxLeasePauseMs * (lag - maxLag)) / maxLag));
}

/** The latest of the given instants; absent ones do not count. */
export function latest(...instants: (Date | number | null | undefined)[]): Date {
  return new Date(Math.max(...instants.map((instant) => Number(instant ?? 0))));
}

/**
 * Pauses after interruptions of this system, by reason. These interruptions cost no attempt while the scan is young. So no
 * scan fails because of a rolling restart or a short outage of Kafka.
 */
const interruptionWaitsMs = new Map([
  ['scanner_stopping', 0],
  ['publish_failed', 15_000],
]);

/**
 * Reasons of a scanner that may be failures of ours: no name server answered, or the scanner reaches nothing at all. They
 * never cost an attempt. The time limit of the jobs ends the scan.
 */
const undecidedCodes: ReadonlySet<string> = new Set(['dns_unavailable', 'egress_broken']);
const firstUndecidedWaitMs = 15_000;

export const isUndecided = (code: string): boolean => undecidedCodes.has(code);

/** The pause after an interruption; undefined when the attempt counts (other reason, or the scan is too old). */
export function interruptionWaitMs(
  code: string,
  scan: { ageMs: number; interruptions: number },
  policy: SchedulePolicy,
): number | undefined {
  if (isUndecided(code)) return Math.min(maxBackoffMs, firstUndecidedWaitMs * 2 ** scan.interruptions);
  return scan.ageMs < policy.interruptionGraceMs ? interruptionWaitsMs.get(code) : undefined;
}
