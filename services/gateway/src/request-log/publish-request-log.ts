import { createDeadline, startPeriodicLoop } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { isRetryable } from '@shopscope/errors';
import type { RequestsCompleted } from '@shopscope/proto';
import type { RequestQueue } from './request-queue.ts';

export type DropReason = 'queue_full' | 'workspace_share' | 'not_published' | 'stopped';

export interface RequestLogOptions {
  queue: Pick<RequestQueue, 'take' | 'takeDue' | 'size'>;
  /** Resolves when the events are durable. */
  publish(events: readonly RequestsCompleted[], timeoutMs: number): Promise<void>;
  clock: Clock;
  onPublished(requests: number): void;
  onDropped(reason: DropReason, requests: number): void;
  onError(error: unknown): void;
}

const intervalMs = 2_000;
const portionSize = 1_000;
const publishTimeoutMs = 2_000;
const stopTimeoutMs = 3_000;

/**
 * Publishes the queued requests that are due for the request log, every two seconds. No request waits for it.
 *
 * - A portion has at most {@link portionSize} requests, so that encoding never blocks other requests for more than a few
 *   milliseconds. One portion is sent at a time.
 * - Each request is counted once, as published or as dropped.
 *
 * Failures:
 * - Kafka refuses a portion, does not answer, or the circuit is open -> the same portion is sent again at the next
 *   interval. The first one may have arrived: consumers store each request once. Meanwhile the queue fills up.
 * - A portion can never be sent, for example because an event is too large -> the portion is dropped and counted.
 * - The process is killed -> the waiting requests are lost. Without an earlier failure, these are the requests of two seconds,
 *   or of up to twelve seconds for workspaces with little traffic among many workspaces.
 *
 * Bounds: the queue and one portion; {@link publishTimeoutMs} per request to Kafka; {@link stopTimeoutMs} for a stop.
 */
export function startRequestLog(options: RequestLogOptions) {
  const { queue, publish, clock, onPublished, onDropped } = options;

  /** The requests that were taken from the queue and are not known to be published. */
  let portion: RequestsCompleted[] = [];
  let isStopped = false;

  const publishWhile = async (take: (max: number) => RequestsCompleted[], mayContinue: () => boolean) => {
    // Takes only the requests that are queued now, so that the loop ends although new requests arrive.
    let left = queue.size;
    while (mayContinue()) {
      if (portion.length === 0) {
        portion = take(Math.min(portionSize, left));
        left -= countOf(portion);
      }
      if (portion.length === 0) return;
      try {
        await publish(portion, publishTimeoutMs);
        if (isStopped) return;
        onPublished(countOf(portion));
      } catch (error) {
        // The producer logs the cause.
        if (isStopped || isRetryable(error)) return;
        options.onError(error);
        onDropped('not_published', countOf(portion));
      }
      portion = [];
    }
  };

  const loop = startPeriodicLoop({
    intervalMs,
    clock,
    run: (abort) => publishWhile(queue.takeDue, () => !abort.aborted),
    onError: options.onError,
  });

  return {
    /**
     * Ends the loop and publishes the waiting requests. Requests that are not published when one try fails, or after
     * {@link stopTimeoutMs}, are dropped and counted. They include the portion whose answer is still missing.
     */
    async stop(): Promise<void> {
      const deadline = createDeadline(stopTimeoutMs, { clock });
      const publishLast = async () => {
        await loop.stop();
        await publishWhile(queue.take, () => !deadline.expired);
      };
      await deadline.race(publishLast()).catch(() => {});
      isStopped = true;
      const dropped = countOf(portion) + queue.size;
      if (dropped > 0) onDropped('stopped', dropped);
    },
  };
}

const countOf = (events: readonly RequestsCompleted[]) =>
  events.reduce((sum, { requests }) => sum + requests.length, 0);
