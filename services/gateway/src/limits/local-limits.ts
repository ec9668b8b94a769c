import { type Clock, minuteMs } from '@shopscope/clock';
import type { AdmissionDecision, Limits } from './decision.ts';

/**
 * Enforces limits without Redis. Each gateway admits its share of a key's limits:
 * docs/decisions/0014-enforce-rate-limits-locally-without-redis.md.
 *
 * - A window is a minute of the latest observed Redis time. It counts the requests that Redis admitted for this gateway,
 *   and it stays when Redis becomes available again.
 * - Guarantee: all gateways together admit at most twice the limit in a minute, however often Redis fails. Redis admits at
 *   most the limit. The shares together are at most the limit, except that a share is at least one request.
 * - `createRateLimiter` cannot count these windows: its windows begin with the first use, and by the monotonic clock.
 * - Bound: one window for each key with a request in this minute or in flight.
 */
export type LocalLimits = ReturnType<typeof createLocalLimits>;

interface Window {
  minute: number;
  used: number;
  inFlight: number;
  /** The number of requests that were left after the latest decision of Redis. 0 if Redis did not admit the request. */
  left: number;
  /** The rate at which Redis refused the key, and the monotonic time until which this refusal holds. */
  spentRpm: number;
  spentUntilMs: number;
}

export function createLocalLimits(options: {
  /** Returns the latest observed Redis time. */
  now: Clock['now'];
  monotonicMs: Clock['monotonicMs'];
  replicas: number;
}) {
  const { now, monotonicMs, replicas } = options;
  let windows = new Map<string, Window>();
  let sweptMinute = 0;
  const share = (limit: number) => Math.max(1, Math.floor(limit / replicas));

  const windowOf = (keyId: string, minute: number): Window => {
    if (minute > sweptMinute || minute < sweptMinute - 1) {
      sweptMinute = minute;
      windows = new Map([...windows].filter(([, window]) => window.inFlight > 0));
    }
    let window = windows.get(keyId);
    if (!window) {
      window = { minute, used: 0, inFlight: 0, left: 0, spentRpm: 0, spentUntilMs: 0 };
      windows.set(keyId, window);
    } else if (minute > window.minute || minute < window.minute - 1) {
      // Redis time can step back at a minute boundary. The window then stays.
      window.minute = minute;
      window.used = 0;
      window.left = 0;
    }
    return window;
  };

  const take = (window: Window) => {
    window.inFlight++;
    return () => {
      window.inFlight--;
    };
  };

  const refusal = (
    outcome: 'rate_limited' | 'concurrency_limited',
    remaining: number,
    resetSeconds: number,
  ): AdmissionDecision => ({ outcome, remaining, resetSeconds, release: () => {} });

  const decide = (keyId: string, limits: Limits): AdmissionDecision => {
    const nowMs = now();
    const resetSeconds = 60 - (Math.floor(nowMs / 1000) % 60);
    const window = windowOf(keyId, Math.floor(nowMs / minuteMs));
    if (window.used >= share(limits.rpm)) return refusal('rate_limited', 0, resetSeconds);
    window.used++;
    const remaining = share(limits.rpm) - window.used;
    if (window.inFlight >= share(limits.concurrency)) return refusal('concurrency_limited', remaining, resetSeconds);
    return { outcome: 'admitted', remaining, resetSeconds, release: take(window) };
  };

  return {
    admit: async (keyId: string, limits: Limits) => decide(keyId, limits),
    /** Counts a request that Redis decided about. The returned function releases the slot of an admitted request. */
    record(
      keyId: string,
      { rpm }: Limits,
      { outcome, remaining, lastsUntilMs = 0 }: Omit<AdmissionDecision, 'resetSeconds' | 'release'>,
    ): () => void {
      const isAdmitted = outcome === 'admitted';
      const window = windowOf(keyId, Math.floor(now() / minuteMs));
      window.left = isAdmitted ? remaining : 0;
      if (outcome === 'rate_limited') Object.assign(window, { spentRpm: rpm, spentUntilMs: lastsUntilMs });
      if (!isAdmitted) return () => {};
      window.used++;
      return take(window);
    },
    /**
     * Returns the refusal if Redis has refused the key at this rate or a higher one in the current minute of Redis. The minute is that of
     * the decision: the answer of Redis may arrive in the next minute.
     */
    refusalOf(keyId: string, { rpm }: Limits): AdmissionDecision | undefined {
      const window = windows.get(keyId);
      const leftMs = window && rpm <= window.spentRpm ? window.spentUntilMs - monotonicMs() : 0;
      return leftMs > 0 ? refusal('rate_limited', 0, Math.ceil(leftMs / 1_000)) : undefined;
    },
    /**
     * Whether Redis admits the key and, counting the `undecided` requests as admitted, over half of its rate in this minute and over half
     * of its local concurrency remain.
     */
    isFarFromLimits(keyId: string, { rpm, concurrency }: Limits, undecided: number): boolean {
      const window = windows.get(keyId);
      if (window?.minute !== Math.floor(now() / minuteMs)) return false;
      return window.left - undecided > rpm / 2 && window.inFlight + undecided < share(concurrency) / 2;
    },
  };
}
