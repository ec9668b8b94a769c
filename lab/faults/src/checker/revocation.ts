import type { Attempt, Operation } from '../clients/history.ts';
import { attemptsOf, ofKinds, type Timeline } from './timeline.ts';

/** A gateway accepts a cached key for at most this long after the start of its verification. */
export const cacheBoundMs = 30_000;
/** Nobody accepts a revoked key later than this after the revocation, not even a process that was suspended. */
export const lastAcceptMs = 60_000;
/** The push normally arrives within a second. */
const pushBoundMs = 5_000;
/** A load that lasts this long after the revocation shows that cached keys expire. */
export const measuredAfterMs = 32_000;

const underTheKey = (operations: readonly Operation[]): Attempt[] =>
  attemptsOf(operations.filter(ofKinds('revoked', 'queued')));

/** Whether every gateway had the key in its cache, and requests with the key began after the cache entry had expired. */
export function isRevocationMeasured(operations: readonly Operation[], timeline: Timeline): boolean {
  if (!timeline.isKeyCached) return false;
  return timeline.endedMs >= timeline.revokedMs + measuredAfterMs && isTriedAfter(operations, timeline, cacheBoundMs);
}

export const isPushMeasured = (operations: readonly Operation[], timeline: Timeline): boolean =>
  timeline.isKeyCached && isTriedAfter(operations, timeline, pushBoundMs);

function isTriedAfter(
  operations: readonly Operation[],
  { revokedMs, maxLoopDelayMs }: Timeline,
  afterMs: number,
): boolean {
  return underTheKey(operations).some(
    ({ startMs, outcome, status }) =>
      startMs > revokedMs + afterMs + maxLoopDelayMs && (outcome === 'ok' || (status >= 400 && status < 500)),
  );
}

/** Checks that no request is accepted that began after the cache entry had expired, and that none is accepted 60 s after the revocation. */
export function checkRevocation(operations: readonly Operation[], timeline: Timeline): string[] {
  const { revokedMs, maxLoopDelayMs } = timeline;
  const late = underTheKey(operations).filter(
    ({ outcome, endMs }) => outcome === 'ok' && endMs > revokedMs + lastAcceptMs,
  );
  return [
    ...checkStarts(operations, timeline, cacheBoundMs + maxLoopDelayMs),
    ...(late.length > 0 ? [`a key was accepted ${late.length} times 60 s after its revocation`] : []),
  ];
}

/** Checks that key events remove the revoked key from every cache within {@link pushBoundMs}. It is for faults that do not affect key events. */
export const checkPush = (operations: readonly Operation[], timeline: Timeline): string[] =>
  checkStarts(operations, timeline, pushBoundMs + timeline.maxLoopDelayMs);

function checkStarts(operations: readonly Operation[], timeline: Timeline, boundMs: number): string[] {
  const tookMs = revocationTookMs(operations, timeline);
  return tookMs > boundMs
    ? [`a request that began ${(tookMs / 1_000).toFixed(1)} s after the revocation was accepted`]
    : [];
}

/** Returns the latest start of an accepted request, in ms after the revocation. */
export function revocationTookMs(operations: readonly Operation[], { revokedMs }: Timeline): number {
  const starts = underTheKey(operations)
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ startMs }) => startMs - revokedMs);
  return Math.max(0, ...starts);
}
