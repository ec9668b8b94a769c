import type { Message } from 'kafkajs';

/** An event on its way to a request. */
export interface Waiting {
  topic: string;
  message: Message;
  bytes: number;
  /** Its caller has its answer; a settled event that is still queued is not sent. */
  settled: boolean;
  settle(error?: unknown): void;
}

export interface MicroBatcher {
  add(waiting: Waiting): void;
  readonly queued: number;
  /** Sends what waits, without linger; resolves when nothing is queued or under way. */
  flush(): Promise<void>;
}

/**
 * Gathers events into batches bounded in number and bytes. One batch is under way at a time; what arrives meanwhile
 * forms the next one, which leaves without lingering. `send` settles each event and never rejects.
 *
 * It is not libs/async's keyed batcher, which knows no bound in bytes, no linger, no flush, and no item that its caller
 * withdraws while it waits.
 */
export function createMicroBatcher(options: {
  lingerMs: number;
  maxBatchSize: number;
  maxBytes: number;
  send(batch: readonly Waiting[]): Promise<void>;
}): MicroBatcher {
  const { lingerMs, maxBatchSize, maxBytes, send } = options;
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
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

  // `draining` falls in the same turn that saw the queue empty, so no event is left behind between the two.
  const drain = async () => {
    draining = true;
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) await send(batch);
    draining = false;
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (!draining) drained = drain();
    return drained;
  };

  return {
    add(waiting) {
      queue.push(waiting);
      if (queue.length >= maxBatchSize) void flush();
      else if (!draining) timer ??= setTimeout(flush, lingerMs);
    },
    get queued() {
      return queue.length;
    },
    flush,
  };
}
