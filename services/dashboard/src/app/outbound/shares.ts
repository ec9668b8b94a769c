import { createRateLimiter } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { LRUCache } from 'lru-cache';
import { LimitError, overloaded } from '../domain/limit-error.ts';
import type { Share } from '../domain/share.ts';

/** The use of a share by one request. */
export type ShareUse = ReturnType<ReturnType<typeof createShares>['use']>;

interface Counts {
  begun: number;
  running: number;
  waiting: number;
}

/** The share that was used least recently is forgotten. Its requests that have begun keep their own counts. */
const maxShares = 50_000;

export function createShares(clock: Pick<Clock, 'monotonicMs'>) {
  const all = new LRUCache<string, Counts>({ max: maxShares });
  const rates = createRateLimiter({ clock, maxKeys: maxShares });

  const countsOf = (key: string): Counts => {
    const known = all.get(key);
    if (known) return known;
    const counts = { begun: 0, running: 0, waiting: 0 };
    all.set(key, counts);
    return counts;
  };

  return {
    taken(key: string): number {
      const counts = all.get(key);
      return counts ? counts.waiting + counts.begun : 0;
    },
    use(share: Share) {
      const { key, whose, bounds } = share;
      const { perSecond, burst = 0, atOnce = Number.POSITIVE_INFINITY, running = Number.POSITIVE_INFINITY } = bounds;
      const counts = countsOf(key);
      const rate = perSecond === undefined ? undefined : rates.of(key, { max: burst, perMs: perSecond / 1_000 });
      const missingMs = (cost: number) => rate?.waitMs(cost) ?? 0;
      return {
        wait: () => void counts.waiting++,
        endWait: () => void counts.waiting--,
        begin(cost: number): void {
          rate?.spend(cost);
          counts.begun++;
          counts.running++;
        },
        stopRunning: () => void counts.running--,
        end: () => void counts.begun--,
        hasTooManyWaiting: () => counts.waiting > (bounds.waiting ?? Number.POSITIVE_INFINITY),
        /** Returns the time until there is room: 0 if there is room now, Infinity if another request must end first. */
        roomInMs(cost: number): number {
          if (counts.begun >= atOnce || counts.running >= running) return Number.POSITIVE_INFINITY;
          return missingMs(cost);
        },
        refusal(cost: number): LimitError {
          const rateMs = missingMs(cost);
          const queuedMs = perSecond === undefined ? 0 : (counts.waiting / perSecond) * 1_000;
          if (whose === undefined) return overloaded();
          const seconds = Math.max(rateMs, queuedMs) / 1_000;
          return rateMs > 0
            ? new LimitError('rate_limited', `There were too many requests from ${whose}.`, seconds)
            : new LimitError('concurrency_limited', `Too many requests from ${whose} came at the same time.`, seconds);
        },
      };
    },
  };
}
