import { createRequire } from 'node:module';

/**
 * Stops kafkajs 2.2.4 from waking every live connection 1,000 times a second.
 *
 * - Cause: kafkajs checks each connection for waiting requests and sets the next check at `throttledUntil - now`. That
 *   value is negative when no broker throttles, and Node runs a timer with a negative delay after 1 ms.
 * - Cost: an idle process with a few connections spends about a twentieth of a core.
 * - Patch: a check is scheduled only while a request waits. It runs when the throttling ends, or after
 *   {@link checkIntervalMs} when the request waits for a free in-flight slot.
 * - No request is missed: a request that starts to wait schedules the check itself, and every response checks at once.
 */
interface KafkajsRequestQueue {
  pending: unknown[];
  /** Unix ms. Negative if the broker has never throttled. */
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** The pause between two checks for a free in-flight slot, as in kafkajs. */
const checkIntervalMs = 10;

/** Patches the request queues of all connections of this process. A second call changes nothing. */
export function patchKafkajsBusyPolling(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: KafkajsRequestQueue;
  };
  prototype.scheduleCheckPendingRequests = scheduleWhileRequestsWait;
}

function scheduleWhileRequestsWait(this: KafkajsRequestQueue): void {
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
