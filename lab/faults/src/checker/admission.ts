import { minuteMs } from '@shopscope/clock';
import type { Attempt, Operation } from '../clients/history.ts';
import { attemptsOf, ofKinds, recoveryBoundMs, type Timeline } from './timeline.ts';

export interface Limit {
  rpm: number;
  /** In the minute in which Redis lost its state, or the gateway switched to local limits, twice the limit may be admitted. */
  losesRedisState: boolean;
  /**
   * Decisions that gateways made without Redis in this run, as on a machine so busy that Redis responds too late. The gateways
   * do not say in which minute, so twice the limit may be admitted in any.
   */
  localDecisions: number;
}
/** A minute with at least this many requests above twice the limit can prove that a limit is broken. */
const excessMargin = 5;

const minuteOf = (ms: number, { wallOffsetMs }: Pick<Timeline, 'wallOffsetMs'>) =>
  Math.floor((ms + wallOffsetMs) / minuteMs);

/** The rate-limited customer's admitted or refused requests, by the wall-clock minute in which they began and ended. */
function perMinute(operations: readonly Operation[], isCounted: (attempt: Attempt) => boolean) {
  const counts = new Map<number, number>();
  for (const attempt of attemptsOf(operations.filter(ofKinds('rate-limited'))).filter(isCounted)) {
    const minute = minuteOf(attempt.startMs, attempt);
    // A request across the boundary of two minutes may count in either.
    if (minute === minuteOf(attempt.endMs, attempt)) counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return counts;
}

const isAdmitted = ({ outcome }: Attempt) => outcome === 'ok';
const isDecided = ({ outcome, status }: Attempt) => outcome === 'ok' || status === 429;

export const mostAdmittedPerMinute = (operations: readonly Operation[]): number =>
  Math.max(0, ...perMinute(operations, isAdmitted).values());

/** The most requests in one minute of the fault. Without enough requests, a broken limit would not be seen. */
export function mostSentPerMinute(operations: readonly Operation[], timeline: Timeline): number {
  const sent = [...perMinute(operations, isDecided)];
  return Math.max(0, ...sent.filter(([minute]) => isDuringFault(minute, timeline)).map(([, count]) => count));
}

export const isAdmissionMeasured = (operations: readonly Operation[], timeline: Timeline, { rpm }: Limit): boolean =>
  mostSentPerMinute(operations, timeline) >= 2 * rpm + excessMargin;

export function checkAdmission(operations: readonly Operation[], timeline: Timeline, limit: Limit): string[] {
  return [...perMinute(operations, isAdmitted)].flatMap(([minute, admitted]) => {
    const mayDouble = limit.localDecisions > 0 || (limit.losesRedisState && isDuringFault(minute, timeline));
    const bound = limit.rpm * (mayDouble ? 2 : 1);
    return admitted > bound ? [`${admitted} of ${bound} requests were admitted in one minute`] : [];
  });
}

const isDuringFault = (minute: number, timeline: Timeline): boolean =>
  minute >= minuteOf(timeline.injectionStartMs, timeline) &&
  minute <= minuteOf(timeline.healedMs + recoveryBoundMs, timeline);
