import { type Attempt, isUnknown, type Operation, type OperationKind } from '../clients/history.ts';

/** The instants of a run on the bench's monotonic clock, in ms. */
export interface Timeline {
  /** The wall-clock time minus the monotonic time at the end of the run, in ms. Rate limits count by wall-clock minutes. */
  wallOffsetMs: number;
  /** The start of the injection. The injection may first slow links, so that the fault interrupts work in progress. */
  injectionStartMs: number;
  /** The start of the fault itself, at which the part was killed, suspended or cut off. */
  faultStartMs: number;
  healedMs: number;
  /** The start of the recovery: the end of the fault, or the start of the process that replaces a killed one. */
  recoveryStartMs: number;
  /** The instant at which the load had ended, and every retry had a response or had timed out. */
  endedMs: number;
  /** The instant at which the revocation was requested. It is infinite if there was no request. */
  revokeRequestedMs: number;
  /** The instant at which keys acknowledged the revocation. It is infinite if there was no request. */
  revokedMs: number;
  /** Whether every gateway had the key in its cache when the key was revoked. */
  isKeyCached: boolean;
  /** The times in which a gateway was suspended. */
  suspensions: readonly Suspension[];
  /** The times in which the greedy neighbour sent, and in which it was silent. Only its scenario has them. */
  neighbourWindows?: readonly NeighbourWindow[];
  /** The messages that a modest workspace sent over MCP in these times. */
  mcpMessages?: readonly McpMessage[];
  /** The longest delay of the bench's own event loop. No time in the figures is more precise. */
  maxLoopDelayMs: number;
}

/** A time in which a gateway is suspended. Gateways count from 0. */
export interface Suspension {
  gateway: number;
  fromMs: number;
  toMs: number;
}

/** A part of the run in which the greedy neighbour sends, or is silent. */
export interface NeighbourWindow {
  startMs: number;
  endMs: number;
  isActive: boolean;
}

/** The beginning of a silent window is left out, because the neighbour's connections close in it. */
const settleMs = 2_000;

/** Returns what began in the windows in which the neighbour was active, or in those in which it was silent. */
export const withinWindows = <T extends { startMs: number }>(
  all: readonly T[],
  windows: readonly NeighbourWindow[],
  isActive: boolean,
): T[] =>
  all.filter(({ startMs }) =>
    windows.some(
      (window) =>
        window.isActive === isActive && startMs >= window.startMs + (isActive ? 0 : settleMs) && startMs < window.endMs,
    ),
  );

/** Returns the value at the nearest rank of sorted values, or 0 if there is no value. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;

/** A message of a modest workspace over MCP. Its instants are on the bench's monotonic clock, in ms. */
export interface McpMessage {
  startMs: number;
  endMs: number;
  /** Whether the tool has answered. */
  isAnswered: boolean;
}

export const replyBoundMs = 10_500;
export const recoveryBoundMs = 15_000;
/** If the bench's event loop was delayed for longer, times are not asserted. */
const reliableLoopDelayMs = 500;

export const isTimingReliable = ({ maxLoopDelayMs }: Pick<Timeline, 'maxLoopDelayMs'>): boolean =>
  maxLoopDelayMs <= reliableLoopDelayMs;

export function slowestReplyMs(
  operations: readonly Operation[],
  { suspensions }: Pick<Timeline, 'suspensions'>,
): number {
  const wasSuspended = ({ gateway, startMs, endMs }: Attempt) =>
    suspensions.some(
      (interval) => interval.gateway === gateway && startMs <= interval.toMs && endMs >= interval.fromMs,
    );
  return Math.max(
    0,
    ...attemptsOf(operations)
      .filter((attempt) => attempt.outcome !== 'refused' && !wasSuspended(attempt))
      .map(({ startMs, endMs }) => endMs - startMs),
  );
}

export function checkReplies(operations: readonly Operation[], timeline: Timeline): string[] {
  const slowest = slowestReplyMs(operations, timeline);
  return slowest > replyBoundMs + timeline.maxLoopDelayMs ? [`a response took ${Math.round(slowest)} ms`] : [];
}

/** Checks that no request fails later than {@link recoveryBoundMs} after the start of the recovery. */
export function checkRecovery(operations: readonly Operation[], timeline: Timeline): string[] {
  const tookMs = recoveryTookMs(operations, timeline);
  return tookMs > recoveryBoundMs ? [`requests failed until ${(tookMs / 1_000).toFixed(1)} s after the fault`] : [];
}

/** Returns the time in ms from the start of the recovery to the start of the last failed request, or 0 if none failed after it. */
export function recoveryTookMs(operations: readonly Operation[], timeline: Timeline): number {
  return Math.max(0, ...failuresOf(operations, timeline).map(({ startMs }) => startMs - timeline.recoveryStartMs));
}

/**
 * A refresh gets `unavailable` because of another request's undecided claim of the same scan only after this time: two seconds, minus one
 * pause of up to 150 ms.
 */
const claimWaitMs = 1_850;

/** The expected refusal of each kind of request. */
const refusals: Partial<Record<OperationKind, number>> = {
  'small-allowance': 402,
  scarce: 402,
  'rate-limited': 429,
  revoked: 401,
  queued: 401,
};

/** Whether the refusal is that of the contract while leases hold the rest of an allowance: `unavailable` with Retry-After. */
export const isLent = ({ code, retryAfterS }: Pick<Attempt, 'code' | 'retryAfterS'>): boolean =>
  code === 'unavailable' && (retryAfterS ?? 0) > 0;

/** A refusal of the revoked key is expected from this instant on. */
export type Revocation = Pick<Timeline, 'revokeRequestedMs'>;

function isExpectedRefusal(kind: OperationKind, attempt: Attempt, revocation: Revocation): boolean {
  const { status, code, startMs, endMs } = attempt;
  if (kind === 'revoked' && endMs < revocation.revokeRequestedMs) return false;
  // By contract, a request for scans gets `unavailable` while another request's claim of the same scan is undecided.
  if ((kind === 'refresh' || kind === 'scan') && code === 'unavailable') return endMs - startMs >= claimWaitMs;
  if ((kind === 'scarce' || kind === 'small-allowance') && isLent(attempt)) return true;
  return status > 0 && refusals[kind] === status;
}

/** Returns the failed attempts: those with a refused connection, no response, a 5xx, or a 4xx that is not the expected refusal. */
export function failuresOf(operations: readonly Operation[], revocation: Revocation): Attempt[] {
  return operations.flatMap(({ kind, attempts }) =>
    attempts.filter((attempt) => attempt.outcome !== 'ok' && !isExpectedRefusal(kind, attempt, revocation)),
  );
}

/** Checks that no request gets an unexpected 4xx. Every request is valid, so a fault may only cause 5xx. */
export function checkRefusals(operations: readonly Operation[], timeline: Timeline): string[] {
  const unexpected = failuresOf(operations, timeline).filter(({ status }) => status >= 400 && status < 500);
  return unexpected.length > 0
    ? [`${unexpected.length} valid requests were refused, first with ${unexpected[0]?.status} ${unexpected[0]?.code}`]
    : [];
}

/** A request that is slower than this during a fault was affected by it. */
const slowMs = 1_000;

/** Returns the number of attempts during the fault that failed or were slow. A fault that affects no request proves nothing. */
export function touchedCount(operations: readonly Operation[], timeline: Timeline): number {
  const { injectionStartMs, healedMs } = timeline;
  const slow = attemptsOf(operations).filter(
    ({ outcome, startMs, endMs }) => outcome === 'ok' && endMs - startMs > slowMs,
  );
  return [...failuresOf(operations, timeline), ...slow].filter(
    ({ startMs, endMs }) => startMs < healedMs && endMs >= injectionStartMs,
  ).length;
}

/** Checks that every operation with an Idempotency-Key eventually gets a response. A refusal of its latest attempt counts as a response. */
export function checkResolved(operations: readonly Operation[]): string[] {
  const isRefused = (last?: Attempt) => last?.outcome === 'fail' && last.status < 500;
  const open = operations.filter(
    (operation) => operation.idempotencyKey && isUnknown(operation) && !isRefused(operation.attempts.at(-1)),
  );
  return open.length > 0 ? [`${open.length} requests under an Idempotency-Key never got a response`] : [];
}

export const attemptsOf = (operations: readonly Operation[]): Attempt[] =>
  operations.flatMap(({ attempts }) => attempts);

export const ofKinds = (...kinds: OperationKind[]) => {
  return ({ kind }: Pick<Operation, 'kind'>) => kinds.includes(kind);
};
