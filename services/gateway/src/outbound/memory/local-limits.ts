import type { Clock } from '@shopscope/clock';
import type { AdmissionDecision, Limits } from '../../domain/admission.ts';
import type { LimitStore } from '../redis/limits.ts';

/**
 * Limits without Redis: each gateway allows its share of a key's limits, in the minutes of Redis time as last heard. It
 * knows what Redis admitted for this gateway in the minute and allows only what its share has left, and its windows stay
 * when Redis comes and goes. So the gateways together admit at most twice the limit in a minute, however often they
 * switch: what Redis admits is at most the limit, and the shares are at most the limit (but never less than one request
 * each). Bounded by the keys of one minute and the requests in flight.
 */
export interface LocalLimits extends LimitStore {
  /** Counts what Redis admitted; the answer gives the slot back. */
  noteAdmitted(keyId: string): () => void;
}

interface Window {
  minute: number;
  used: number;
  inFlight: number;
}

const minuteMs = 60_000;

export function createLocalLimits(options: { now: Clock['now']; replicas: number }): LocalLimits {
  const { now, replicas } = options;
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
      window = { minute, used: 0, inFlight: 0 };
      windows.set(keyId, window);
    } else if (minute > window.minute || minute < window.minute - 1) {
      // What is heard of the time may waver around the minute's end: that begins no window a second time.
      window.minute = minute;
      window.used = 0;
    }
    return window;
  };

  const take = (window: Window) => {
    window.inFlight++;
    return () => {
      window.inFlight--;
    };
  };

  const decide = (keyId: string, limits: Limits): AdmissionDecision => {
    const nowMs = now();
    const resetSeconds = 60 - (Math.floor(nowMs / 1000) % 60);
    const window = windowOf(keyId, Math.floor(nowMs / minuteMs));
    const none = () => {};
    if (window.used >= share(limits.rpm)) return { outcome: 'rate_limited', remaining: 0, resetSeconds, release: none };
    window.used++;
    const remaining = share(limits.rpm) - window.used;
    if (window.inFlight >= share(limits.concurrency)) {
      return { outcome: 'concurrency_limited', remaining, resetSeconds, release: none };
    }
    return { outcome: 'admitted', remaining, resetSeconds, release: take(window) };
  };

  return {
    admit: async (keyId, limits) => decide(keyId, limits),
    noteAdmitted(keyId) {
      const window = windowOf(keyId, Math.floor(now() / minuteMs));
      window.used++;
      return take(window);
    },
  };
}
