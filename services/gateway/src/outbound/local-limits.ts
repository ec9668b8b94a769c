import type { Clock } from '@shopscope/clock';
import type { Decision, Limits } from '../domain/admission.ts';
import type { LimitStore } from './redis/limits.ts';

/**
 * Limits without Redis: each gateway allows its share of a key's limits, in a fixed minute window of its own. The shares
 * of all gateways together are the limit (but never less than one request each), so at most twice the limit passes in
 * the minute in which Redis is lost. Bounded by the keys of one minute and the requests in flight.
 */
interface Window {
  minute: number;
  used: number;
  inFlight: number;
}

const minuteMs = 60_000;

export function createLocalLimits({ clock, replicas }: { clock: Pick<Clock, 'now'>; replicas: number }): LimitStore {
  let windows = new Map<string, Window>();
  let sweptMinute = 0;
  const share = (limit: number) => Math.max(1, Math.floor(limit / replicas));

  const windowOf = (keyId: string, minute: number): Window => {
    if (minute !== sweptMinute) {
      sweptMinute = minute;
      windows = new Map([...windows].filter(([, window]) => window.inFlight > 0));
    }
    let window = windows.get(keyId);
    if (!window) {
      window = { minute, used: 0, inFlight: 0 };
      windows.set(keyId, window);
    } else if (window.minute !== minute) {
      window.minute = minute;
      window.used = 0;
    }
    return window;
  };

  const decide = (keyId: string, limits: Limits): Decision => {
    const nowMs = clock.now();
    const minute = Math.floor(nowMs / minuteMs);
    const resetSeconds = 60 - (Math.floor(nowMs / 1000) % 60);
    const window = windowOf(keyId, minute);
    const none = () => {};
    if (window.used >= share(limits.rpm)) return { outcome: 'rate_limited', remaining: 0, resetSeconds, release: none };
    window.used++;
    const remaining = share(limits.rpm) - window.used;
    if (window.inFlight >= share(limits.concurrency)) {
      return { outcome: 'concurrency_limited', remaining, resetSeconds, release: none };
    }
    window.inFlight++;
    const release = () => {
      window.inFlight--;
    };
    return { outcome: 'admitted', remaining, resetSeconds, release };
  };

  return { admit: async (keyId, limits) => decide(keyId, limits) };
}
