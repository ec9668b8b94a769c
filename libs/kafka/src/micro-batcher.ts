import type { Message } from 'kafkajs';

/** An event that waits for its request. */
export interface Waiting {
  topic: string;
  message: Message;
  bytes: number;
  /** True once the caller has its answer. A queued event that is settled is not sent. */
  settled: boolean;
  settle(error?: unknown): void;
}

export interface MicroBatcher {
  add(waiting: Waiting): void;
  readonly queued: number;
  /** Sends the queued events without linger. Resolves when no event is queued and no request is running. */
  flush(): Promise<void>;
}

/**
 * Gathers events into batches.
 *
 * - Start: a batch starts `lingerMs` after its first event, or when it is full. When `isLast` says that no further event is expected, it
 *   starts at the end of the event-loop turn.
 * - Concurrency: one batch at a time. Events that arrive meanwhile form the next batch, which starts without linger.
 * - Withdrawn event (`settled` while it waits) -> it is not sent.
 * - Bounds: `maxBatchSize` events and `maxBytes` per batch. An event above `maxBytes` is sent alone.
 * - `send` settles each event and never rejects.
 *
 * libs/async's keyed batcher does not replace it: that one has no bound in bytes, no linger, no flush and no withdrawal.
 */
export function createMicroBatcher(options: {
  lingerMs: number;
  /** True when no event is expected beyond the `queued` ones. */
  isLast?: ((queued: number) => boolean) | undefined;
  maxBatchSize: number;
  maxBytes: number;
  send(batch: readonly Waiting[]): Promise<void>;
}): MicroBatcher {
  const { lingerMs, isLast, maxBatchSize, maxBytes, send } = options;
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let endOfTurn: NodeJS.Immediate | undefined;
  let draining = false;
  let drained = Promise.resolve();

  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    let taken = 0;
    let bytes = 0;
    for (const waiting of queue) {
      if (!waiting.settled) {
        if (batch.length === maxBatchSize || (batch.length > 0 && bytes + waiting.bytes > maxBytes)) break;
        batch.push(waiting);
        bytes += waiting.bytes;
      }
      taken += 1;
    }
    queue.splice(0, taken);
    return batch;
  };

  // `draining` becomes false in the turn that finds the queue empty, so no event stays in the queue unnoticed.
  const drain = async () => {
    draining = true;
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) await send(batch);
    draining = false;
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    clearImmediate(endOfTurn);
    endOfTurn = undefined;
    if (!draining) drained = drain();
    return drained;
  };

  return {
    add(waiting) {
      queue.push(waiting);
      if (queue.length >= maxBatchSize) void flush();
      else if (!draining) {
        timer ??= setTimeout(flush, lingerMs);
        if (isLast)
          endOfTurn ??= setImmediate(() => {
            endOfTurn = undefined;
            if (isLast(queue.length)) void flush();
          });
      }
    },
    get queued() {
      return queue.length;
    },
    flush,
  };
}
