import type { Platform } from './platform.ts';

export type RatePacer = ReturnType<typeof createRatePacer>;

const maxWindowMs = 60_000;

/**
 * Delays requests when the rate limit of the minute is spent, so that they wait here and are not refused.
 *
 * - The window is known from the headers of the latest response. Requests in flight count as spent.
 * - Other programs with the same key spend the same window. The service then answers 429, and `refused` closes the
 *   window until Retry-After.
 * - Bound: a request waits one window at a time, at most a minute each.
 */
export function createRatePacer({ nowMs, sleep }: Platform) {
  let limit = Number.POSITIVE_INFINITY;
  let left = Number.POSITIVE_INFINITY;
  let resetsAtMs = 0;
  let inFlight = 0;

  return {
    /** Resolves when a request may be sent. Call `ended` after it. */
    async begin(signal?: AbortSignal): Promise<void> {
      for (;;) {
        const waitMs = resetsAtMs - nowMs();
        if (waitMs <= 0) left = limit - inFlight;
        if (waitMs <= 0 || left > 0) break;
        await sleep(waitMs, signal);
      }
      left -= 1;
      inFlight += 1;
    },

    ended(headers?: Headers): void {
      inFlight -= 1;
      const [max, remaining, resetS] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) =>
        Number.parseInt(headers?.get(name) ?? '', 10),
      ) as [number, number, number];
      if (!(max > 0 && remaining >= 0 && resetS >= 0)) return;
      limit = max;
      left = remaining - inFlight;
      resetsAtMs = nowMs() + Math.min(resetS * 1_000, maxWindowMs);
    },

    /** Call it when the service has refused a request because of its rate. */
    refused(retryAfterMs: number): void {
      left = 0;
      resetsAtMs = nowMs() + Math.min(retryAfterMs, maxWindowMs);
    },
  };
}
