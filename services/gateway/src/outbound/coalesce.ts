/**
 * Gathers the calls of one event-loop turn into one call. The first `load` of a turn schedules the flush for the end of
 * the turn (setImmediate: after everything that arrived together has been read); a full batch leaves at once. Distinct
 * keys of a turn share one place. Nothing is kept after the answer: this is no cache. When a batch fails, each of its
 * callers gets the error; other batches are not touched.
 */
export interface Coalescer<Item, Result> {
  load(item: Item): Promise<Result>;
}

export interface CoalescerOptions<Item, Result> {
  /** Distinct keys per call. */
  maxBatch: number;
  /** Items with the same key are asked once; leave it out where every item counts by itself. */
  keyOf?: (item: Item) => string;
  /** What a later item with the key of an earlier one changes in that one; without it the earlier one stays. */
  join?: (earlier: Item, later: Item) => Item;
  /** Results parallel to the items. */
  call(items: Item[]): Promise<Result[]>;
  /** Told the size of every batch that leaves. */
  onBatch?: ((size: number) => void) | undefined;
  /** How the end of a turn is awaited; tests inject it. */
  schedule?: (flush: () => void) => void;
}

interface Waiting<Item, Result> {
  items: Item[];
  promises: Promise<Result>[];
  settle: { resolve(result: Result): void; reject(error: unknown): void }[];
  places: Map<string, number>;
}

export function createCoalescer<Item, Result>(options: CoalescerOptions<Item, Result>): Coalescer<Item, Result> {
  const { keyOf } = options;
  const schedule = options.schedule ?? setImmediate;
  let waiting: Waiting<Item, Result> | undefined;

  const flush = (batch: Waiting<Item, Result>) => {
    if (waiting === batch) waiting = undefined;
    options.onBatch?.(batch.items.length);
    options.call(batch.items).then(
      (results) => {
        for (const [index, { resolve, reject }] of batch.settle.entries()) {
          if (index < results.length) resolve(results[index] as Result);
          else reject(new Error(`a batch of ${batch.items.length} had ${results.length} results`));
        }
      },
      (error: unknown) => {
        for (const { reject } of batch.settle) reject(error);
      },
    );
  };

  return {
    load(item) {
      if (!waiting) {
        const batch: Waiting<Item, Result> = { items: [], promises: [], settle: [], places: new Map() };
        waiting = batch;
        schedule(() => {
          if (waiting === batch) flush(batch);
        });
      }
      const batch = waiting;
      const key = keyOf?.(item);
      const place = key === undefined ? undefined : batch.places.get(key);
      if (place !== undefined) {
        if (options.join) batch.items[place] = options.join(batch.items[place] as Item, item);
        return batch.promises[place] as Promise<Result>;
      }
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      if (key !== undefined) batch.places.set(key, batch.items.length);
      batch.items.push(item);
      batch.promises.push(promise);
      batch.settle.push({ resolve, reject });
      if (batch.items.length >= options.maxBatch) flush(batch);
      return promise;
    },
  };
}
