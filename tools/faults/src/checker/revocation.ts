import type { Attempt, Operation } from '../clients/history.ts';
import { attemptsOf, ofKinds, type Timeline } from './timeline.ts';

/** A verified key is trusted for this long from the start of its read. */
export const cacheBoundMs = 30_000;
/** Nobody is let in later, whatever stood still meanwhile. */
export const lastAcceptMs = 60_000;
/** Generous to the second in which the push arrives. */
const pushBoundMs = 5_000;
/** Load that goes on for so long shows that the cache ends. */
export const shownAfterMs = 32_000;

const underTheKey = (operations: readonly Operation[]): Attempt[] =>
  attemptsOf(operations.filter(ofKinds('revoked', 'waiting')));

/** True when every gateway had known the key, and it was still tried when the cache's time was over. */
export function isRevocationShown(operations: readonly Operation[], timeline: Timeline): boolean {
  if (!timeline.isKeyKnown) return false;
  return timeline.endedMs >= timeline.revokedMs + shownAfterMs && isTriedAfter(operations, timeline, cacheBoundMs);
}

export const isPushShown = (operations: readonly Operation[], timeline: Timeline): boolean =>
  timeline.isKeyKnown && isTriedAfter(operations, timeline, pushBoundMs);

function isTriedAfter(operations: readonly Operation[], { revokedMs, blurMs }: Timeline, afterMs: number): boolean {
  return underTheKey(operations).some(
    ({ startMs, outcome, status }) =>
      startMs > revokedMs + afterMs + blurMs && (outcome === 'ok' || (status >= 400 && status < 500)),
  );
}

/** Nothing that began when the cache's time was over is accepted, and nothing at all a minute after the revocation. */
export function checkRevocation(operations: readonly Operation[], timeline: Timeline): string[] {
  const { revokedMs, blurMs } = timeline;
  const late = underTheKey(operations).filter(
    ({ outcome, endMs }) => outcome === 'ok' && endMs > revokedMs + lastAcceptMs,
  );
  return [
    ...checkStarts(operations, timeline, cacheBoundMs + blurMs),
    ...(late.length > 0 ? [`a key was accepted ${late.length} times 60 s after its revocation`] : []),
  ];
}

/** Where the push is unharmed, it ends what the caches hold. */
export const checkPush = (operations: readonly Operation[], timeline: Timeline): string[] =>
  checkStarts(operations, timeline, pushBoundMs + timeline.blurMs);

function checkStarts(operations: readonly Operation[], timeline: Timeline, boundMs: number): string[] {
  const tookMs = revocationTookMs(operations, timeline);
  return tookMs > boundMs ? [`a request that began ${(tookMs / 1_000).toFixed(1)} s after it was accepted`] : [];
}

/** The last instant, ms after the revocation, at which a request that was accepted had begun. */
export function revocationTookMs(operations: readonly Operation[], { revokedMs }: Timeline): number {
  const starts = underTheKey(operations)
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ startMs }) => startMs - revokedMs);
  return Math.max(0, ...starts);
}
