import { minuteMs } from '@shopscope/clock';
import type { Attempt, Operation } from '../clients/history.ts';
import { attemptsOf, ofKinds, recoveryBoundMs, type Timeline } from './timeline.ts';

export interface Limit {
  rpm: number;
  /** Whether the fault loses the state of Redis. Twice the limit may then be admitted in the minutes of the fault. */
  losesRedisState: boolean;
  /**
   * The number of decisions that gateways made without Redis in this run. This also happens on a machine that is so busy that Redis responds
   * too late. The minute of a decision is not known, so twice the limit may be admitted in any minute.
   */
  localDecisions: number;
}
/** A minute shows whether the limit holds only if it has this many requests more than twice the limit. */
const excessMargin = 5;

const minuteOf = (ms: number, { wallOffsetMs }: Pick<Timeline, 'wallOffsetMs'>) =>
  Math.floor((ms + wallOffsetMs) / minuteMs);

/** Counts requests of the rate-limited customer by the wall-clock minute in which they began and ended. */
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

/** Returns the most requests in one minute of the fault. With too few requests, a broken limit would not show. */
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
