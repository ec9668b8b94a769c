const stepMs = 60_000;

/**
 * The instant of a change, for the reconciler's search of changed periods: rounded up to the minute, so that no search after the
 * change misses it. Changes within one minute leave the index of these instants as it is.
 */
export const touchedAt = (nowMs: number): Date => new Date(Math.ceil(nowMs / stepMs) * stepMs);
