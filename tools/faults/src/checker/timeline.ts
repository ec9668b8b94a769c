import { type Attempt, isUnknown, type Operation, type OperationKind } from '../clients/history.ts';

/** Instants of a run on the bench's monotonic clock, ms. */
export interface Timeline {
  /** Monotonic ms of a wall-clock instant; limits go by wall-clock minutes. */
  wallOffsetMs: number;
  injectedMs: number;
  /** When the part was harmed; links may have been slowed before, so that it is met at work. */
  struckMs: number;
  healedMs: number;
  /** When the process that replaces a killed one was started, or the harm was taken away: starting it is the orchestrator's part. */
  recoversFromMs: number;
  /** When load ended and every retry was answered or out of time. */
  endedMs: number;
  /** When keys was asked to revoke, and when it acknowledged that; infinite when it was never asked. */
  revokeAskedMs: number;
  revokedMs: number;
  /** Every gateway had just let the key in when it was revoked. */
  isKeyKnown: boolean;
  /** When gateways stood still. */
  standing: readonly Standing[];
  /** The longest the bench itself was held up: no figure is more exact. */
  blurMs: number;
}

/** A gateway, counted from 0, answers nothing from one instant to the other. */
export interface Standing {
  gateway: number;
  fromMs: number;
  toMs: number;
}

export const replyBoundMs = 10_500;
export const recoveryBoundMs = 15_000;
/** A bench that is held up for longer says nothing about time. */
const sharpMs = 500;

export const isSharp = ({ blurMs }: Pick<Timeline, 'blurMs'>): boolean => blurMs <= sharpMs;

export function slowestReplyMs(operations: readonly Operation[], { standing }: Pick<Timeline, 'standing'>): number {
  const stood = ({ gateway, startMs, endMs }: Attempt) =>
    standing.some((interval) => interval.gateway === gateway && startMs <= interval.toMs && endMs >= interval.fromMs);
  return Math.max(
    0,
    ...attemptsOf(operations)
      .filter((attempt) => attempt.outcome !== 'refused' && !stood(attempt))
      .map(({ startMs, endMs }) => endMs - startMs),
  );
}

export function checkReplies(operations: readonly Operation[], timeline: Timeline): string[] {
  const slowest = slowestReplyMs(operations, timeline);
  return slowest > replyBoundMs + timeline.blurMs ? [`an answer took ${Math.round(slowest)} ms`] : [];
}

/** Everything works again soon after the fault is over, by itself. */
export function checkRecovery(operations: readonly Operation[], timeline: Timeline): string[] {
  const tookMs = recoveryTookMs(operations, timeline);
  return tookMs > recoveryBoundMs ? [`requests failed until ${(tookMs / 1_000).toFixed(1)} s after the fault`] : [];
}

/** ms from when all can be well again to the start of the last request that failed; 0 when none did. */
export function recoveryTookMs(operations: readonly Operation[], timeline: Timeline): number {
  return Math.max(0, ...failuresOf(operations, timeline).map(({ startMs }) => startMs - timeline.recoversFromMs));
}

/** As long as a request waits for another one's undecided claim of the same scan before it is told to come again. */
const claimWaitMs = 1_900;

/** Refusals that a kind of request is made to meet. */
const refusals: Partial<Record<OperationKind, number>> = { tight: 402, limited: 429, revoked: 401, waiting: 401 };

/** What the revocation may explain began to be true when keys was asked for it. */
export type Revocation = Pick<Timeline, 'revokeAskedMs'>;

function isMeant(kind: OperationKind, { status, code, startMs, endMs }: Attempt, revocation: Revocation): boolean {
  if (kind === 'revoked' && endMs < revocation.revokeAskedMs) return false;
  // The contract tells a refresh that met another request's undecided claim to come again, with or without a fault.
  if (kind === 'refresh' && code === 'unavailable') return endMs - startMs >= claimWaitMs;
  return status > 0 && refusals[kind] === status;
}

/** Attempts that did not get what they had a right to: refused connections, no answer, 5xx, a 4xx that is not meant. */
export function failuresOf(operations: readonly Operation[], revocation: Revocation): Attempt[] {
  return operations.flatMap(({ kind, attempts }) =>
    attempts.filter((attempt) => attempt.outcome !== 'ok' && !isMeant(kind, attempt, revocation)),
  );
}

/** Every request is valid, so that no fault makes one wrong: what fails is 5xx. */
export function checkRefusals(operations: readonly Operation[], timeline: Timeline): string[] {
  const odd = failuresOf(operations, timeline).filter(({ status }) => status >= 400 && status < 500);
  return odd.length > 0
    ? [`${odd.length} valid requests were refused, first with ${odd[0]?.status} ${odd[0]?.code}`]
    : [];
}

/** Slower than this while a fault lasts, it has met the fault. */
const slowMs = 1_000;

/** Attempts under way during the fault that failed or were slow: a fault that nobody meets shows nothing. */
export function touchedCount(operations: readonly Operation[], timeline: Timeline): number {
  const { injectedMs, healedMs } = timeline;
  const slow = attemptsOf(operations).filter(
    ({ outcome, startMs, endMs }) => outcome === 'ok' && endMs - startMs > slowMs,
  );
  return [...failuresOf(operations, timeline), ...slow].filter(
    ({ startMs, endMs }) => startMs < healedMs && endMs >= injectedMs,
  ).length;
}

/** Every operation under an Idempotency-Key comes to an answer in the end. */
export function checkResolved(operations: readonly Operation[]): string[] {
  const open = operations.filter((operation) => operation.idempotencyKey && isUnknown(operation));
  return open.length > 0 ? [`${open.length} requests under an Idempotency-Key were never answered`] : [];
}

export const attemptsOf = (operations: readonly Operation[]): Attempt[] =>
  operations.flatMap(({ attempts }) => attempts);

export const ofKinds = (...kinds: OperationKind[]) => {
  return ({ kind }: Pick<Operation, 'kind'>) => kinds.includes(kind);
};
