import type { Attempt, Operation } from '../clients/history.ts';
import { attemptsOf, ofKinds, recoveryBoundMs, type Timeline } from './timeline.ts';

export interface Limit {
  rpm: number;
  /** In the minute in which Redis lost its state or was switched away from, twice the limit may pass. */
  isRedisLost: boolean;
}

const minuteMs = 60_000;
/** A minute in which so many more than twice the limit were sent would show a limit that is not kept. */
const clearMargin = 5;

const minuteOf = (ms: number, { wallOffsetMs }: Timeline) => Math.floor((ms + wallOffsetMs) / minuteMs);

/** Requests of the limited customer that were decided, by the minute of the wall clock in which they began and ended. */
function perMinute(operations: readonly Operation[], timeline: Timeline, isCounted: (attempt: Attempt) => boolean) {
  const counts = new Map<number, number>();
  for (const attempt of attemptsOf(operations.filter(ofKinds('limited'))).filter(isCounted)) {
    const minute = minuteOf(attempt.startMs, timeline);
    // Across the border it may count to either.
    if (minute === minuteOf(attempt.endMs, timeline)) counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return counts;
}

const isAdmitted = ({ outcome }: Attempt) => outcome === 'ok';
const isDecided = ({ outcome, status }: Attempt) => outcome === 'ok' || status === 429;

export const mostAdmittedPerMinute = (operations: readonly Operation[], timeline: Timeline): number =>
  Math.max(0, ...perMinute(operations, timeline, isAdmitted).values());

/** In the busiest minute that the fault touches: what is not asked for cannot be admitted. */
export function mostSentPerMinute(operations: readonly Operation[], timeline: Timeline): number {
  const sent = [...perMinute(operations, timeline, isDecided)];
  return Math.max(0, ...sent.filter(([minute]) => isConcerned(minute, timeline)).map(([, count]) => count));
}

export const isAdmissionShown = (operations: readonly Operation[], timeline: Timeline, { rpm }: Limit): boolean =>
  mostSentPerMinute(operations, timeline) >= 2 * rpm + clearMargin;

export function checkAdmission(operations: readonly Operation[], timeline: Timeline, limit: Limit): string[] {
  return [...perMinute(operations, timeline, isAdmitted)].flatMap(([minute, admitted]) => {
    const bound = limit.rpm * (limit.isRedisLost && isConcerned(minute, timeline) ? 2 : 1);
    return admitted > bound ? [`${admitted} of ${bound} requests were admitted in one minute`] : [];
  });
}

const isConcerned = (minute: number, timeline: Timeline): boolean =>
  minute >= minuteOf(timeline.injectedMs, timeline) &&
  minute <= minuteOf(timeline.healedMs + recoveryBoundMs, timeline);
