import { createDeadline, startPeriodicLoop } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { RequestsCompleted } from '@shopscope/proto';
import type { RequestQueue } from '../outbound/memory/request-queue.ts';

/**
 * Publishes the queued requests for the request log twice a second. No request waits for it.
 *
 * - Portions: at most {@link portionSize} requests per request to Kafka, so that encoding never blocks other requests for
 *   more than a few milliseconds. One portion at a time.
 *
 * Failures:
 * - Kafka refuses a portion or does not answer -> the portion is dropped and counted. It may have arrived all the same:
 *   consumers store each request once. The rest waits for the next interval.
 * - Process is killed -> the requests of the last half second are missing.
 *
 * Bounds: the queue's, {@link publishTimeoutMs} per request to Kafka, {@link stopTimeoutMs} for a stop.
 */
export interface RequestLogPublisher {
  /** Ends the loop and publishes what is queued. What is left after {@link stopTimeoutMs} is dropped and counted. */
  stop(): Promise<void>;
}

export type DropReason = 'queue_full' | 'workspace_share' | 'not_published' | 'stopped';

export interface RequestLogOptions {
  queue: Pick<RequestQueue, 'take' | 'size'>;
  /** Resolves when the events are durable. */
  publish(events: readonly RequestsCompleted[], timeoutMs: number): Promise<void>;
  clock: Clock;
  onPublished(requests: number): void;
  onDropped(reason: DropReason, requests: number): void;
  onError(error: unknown): void;
}

const intervalMs = 500;
const portionSize = 1_000;
const publishTimeoutMs = 2_000;
const stopTimeoutMs = 3_000;

export function startRequestLog(options: RequestLogOptions): RequestLogPublisher {
  const { queue, publish, clock, onPublished, onDropped } = options;

  const publishWhile = async (mayContinue: () => boolean) => {
    // Only what is queued now, so that the loop ends although requests go on.
    let left = queue.size;
    while (left > 0 && mayContinue()) {
      const events = queue.take(Math.min(portionSize, left));
      const count = events.reduce((sum, { requests }) => sum + requests.length, 0);
      left -= count;
      try {
        await publish(events, publishTimeoutMs);
        onPublished(count);
      } catch {
        // The producer logs the cause.
        onDropped('not_published', count);
        return;
      }
    }
  };

  const loop = startPeriodicLoop({
    intervalMs,
    clock,
    run: (abort) => publishWhile(() => !abort.aborted),
    onError: options.onError,
  });

  return {
    async stop() {
      const deadline = createDeadline(stopTimeoutMs, { clock });
      const publishLast = async () => {
        await loop.stop();
        await publishWhile(() => !deadline.expired);
      };
      await deadline.race(publishLast()).catch(() => {});
      if (queue.size > 0) onDropped('stopped', queue.size);
    },
  };
}
