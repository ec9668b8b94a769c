import { type Attempt, isUnknown, type Operation, resultOf } from '../clients/history.ts';

/** Instants of a run on the bench's monotonic clock, ms. */
export interface Timeline {
  /** Monotonic ms of a wall-clock instant; limits go by wall-clock minutes. */
  wallOffsetMs: number;
  injectedMs: number;
  healedMs: number;
  endedMs: number;
  /** When keys acknowledged the revocation; infinite when it was never asked. */
  revokedMs: number;
  /** Gateways that stood still for a while and answered nothing meanwhile. */
  frozenGateways: readonly number[];
  /** The longest the bench itself was held up: no figure is more exact. */
  blurMs: number;
}

export const replyBoundMs = 10_500;
const revocationBoundMs = 60_000;
const recoveryBoundMs = 15_000;
const minuteMs = 60_000;

export function slowestReplyMs(operations: readonly Operation[], { frozenGateways }: Timeline): number {
  return Math.max(
    0,
    ...attemptsOf(operations)
      .filter(({ outcome, gateway }) => outcome !== 'refused' && !frozenGateways.includes(gateway))
      .map(({ startMs, endMs }) => endMs - startMs),
  );
}

export function checkReplies(operations: readonly Operation[], timeline: Timeline): string[] {
  const slowest = slowestReplyMs(operations, timeline);
  return slowest > replyBoundMs + timeline.blurMs ? [`an answer took ${Math.round(slowest)} ms`] : [];
}

/** Nothing is accepted from a revoked key a minute after its revocation, whatever stood still meanwhile. */
export function checkRevocation(operations: readonly Operation[], { revokedMs }: Timeline): string[] {
  const accepted = attemptsOf(operations.filter(({ kind }) => kind === 'revoked')).filter(
    ({ outcome, endMs }) => outcome === 'ok' && endMs > revokedMs + revocationBoundMs,
  );
  return accepted.length > 0 ? [`a key was accepted ${accepted.length} times 60 s after its revocation`] : [];
}

/** The last instant, ms after the revocation, at which a request that was accepted had begun. */
export function revocationTookMs(operations: readonly Operation[], { revokedMs }: Timeline): number {
  const starts = attemptsOf(operations.filter(({ kind }) => kind === 'revoked'))
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ startMs }) => startMs - revokedMs);
  return Math.max(0, ...starts);
}

/** Everything works again soon after the fault is over, by itself. */
export function checkRecovery(operations: readonly Operation[], timeline: Timeline): string[] {
  const tookMs = recoveryTookMs(operations, timeline);
  return tookMs > recoveryBoundMs ? [`requests failed until ${(tookMs / 1_000).toFixed(1)} s after the fault`] : [];
}

/** ms from the end of the fault to the start of the last request that failed; 0 when none did. */
export function recoveryTookMs(operations: readonly Operation[], { healedMs }: Timeline): number {
  return Math.max(0, ...failuresOf(operations).map(({ startMs }) => startMs - healedMs));
}

/** As long as a request waits for another one's undecided claim of the same scan before it is told to come again. */
const claimWaitMs = 1_900;

/**
 * Attempts that found no service: refused, unanswered, 5xx. A refresh that met another request's undecided claim is not one
 * of them: the contract tells it to come again, with or without a fault.
 */
export function failuresOf(operations: readonly Operation[]): Attempt[] {
  return operations.flatMap(({ kind, attempts }) =>
    attempts.filter(({ outcome, status, code, startMs, endMs }) => {
      const isClaimed = kind === 'refresh' && code === 'unavailable' && endMs - startMs >= claimWaitMs;
      return outcome !== 'ok' && (status === 0 || status >= 500) && !isClaimed;
    }),
  );
}

/** No unkeyed 5xx comes of limiting, and a minute admits no more than the limit: twice it while Redis was lost. */
export function admittedPerMinute(operations: readonly Operation[], { wallOffsetMs }: Timeline): Map<number, number> {
  const minuteOf = (ms: number) => Math.floor((ms + wallOffsetMs) / minuteMs);
  const admitted = new Map<number, number>();
  for (const { outcome, status, startMs, endMs } of attemptsOf(operations.filter(({ kind }) => kind === 'limited'))) {
    if (outcome !== 'ok' && status < 500) continue;
    // Across the border it may count to either minute.
    if (outcome !== 'ok' || minuteOf(startMs) !== minuteOf(endMs)) continue;
    admitted.set(minuteOf(startMs), (admitted.get(minuteOf(startMs)) ?? 0) + 1);
  }
  return admitted;
}

export function checkAdmission(
  operations: readonly Operation[],
  timeline: Timeline,
  limit: { rpm: number; isRedisLost: boolean },
): string[] {
  const lost = [timeline.injectedMs, timeline.healedMs + recoveryBoundMs].map((ms) =>
    Math.floor((ms + timeline.wallOffsetMs) / minuteMs),
  ) as [number, number];
  return [...admittedPerMinute(operations, timeline)].flatMap(([minute, admitted]) => {
    const mayBeTwice = limit.isRedisLost && minute >= lost[0] && minute <= lost[1];
    const bound = limit.rpm * (mayBeTwice ? 2 : 1);
    return admitted > bound ? [`${admitted} of ${bound} requests were admitted in one minute`] : [];
  });
}

/** Every operation under an Idempotency-Key comes to an answer in the end. */
export function checkResolved(operations: readonly Operation[]): string[] {
  const open = operations.filter((operation) => operation.idempotencyKey && isUnknown(operation));
  return open.length > 0 ? [`${open.length} requests under an Idempotency-Key were never answered`] : [];
}

/** Shares of attempts that began between two instants, by outcome and code. */
export function answersBetween(operations: readonly Operation[], fromMs: number, toMs: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const attempt of attemptsOf(operations)) {
    if (attempt.startMs < fromMs || attempt.startMs >= toMs) continue;
    const name = attempt.outcome === 'fail' ? `${attempt.status} ${attempt.code}` : attempt.outcome;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

export const attemptsOf = (operations: readonly Operation[]): Attempt[] =>
  operations.flatMap(({ attempts }) => attempts);

export const succeeded = (operation: Operation): boolean => resultOf(operation)?.outcome === 'ok';
