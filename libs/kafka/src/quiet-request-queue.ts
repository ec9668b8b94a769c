import { createRequire } from 'node:module';

/**
 * kafkajs 2.2.4 asks every live connection 1,000 times a second, for ever, whether a request waits: after each check it
 * sets the next one at `throttledUntil - now`, which is below zero when nobody throttles, and a timer below zero runs
 * after 1 ms. An idle process with a few connections spends about a twentieth of a core on it. Here a check is set
 * only while a request waits: at the end of the throttling, or soon when it waits for a place among those in flight.
 * Nothing is missed, because a request that begins to wait sets the check itself, and an answer checks at once.
 */
export interface RequestQueue {
  pending: unknown[];
  /** Unix ms; below zero when the broker never throttled. */
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** As in kafkajs: how soon places in flight are looked for again, ms. */
const checkIntervalMs = 10;

/** Changes the queues of all connections in this process; changing them again changes nothing. */
export function quietRequestQueues(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue;
  };
  prototype.scheduleCheckPendingRequests = scheduleWhileWaiting;
}

function scheduleWhileWaiting(this: RequestQueue): void {
  if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
  const throttledMs = this.throttledUntil - Date.now();
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    },
    throttledMs > 0 ? throttledMs : checkIntervalMs,
  );
}
