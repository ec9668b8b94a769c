/**
 * Gathers the calls of one event-loop turn into one call. The first `load` of a turn schedules the flush for the end of
 * the turn (setImmediate: after everything that arrived together has been read); a full batch leaves at once. With
 * `gatherMs` a batch also waits for the call before it, so that the busier the process is, the more each call carries,
 * and an idle one delays nothing. Equal keys of a batch share one place. Nothing is kept after the answer: this is no
 * cache. When a batch fails, each of its callers gets the error; other batches are not touched.
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
  /** How long a batch waits at most for the end of a call under way, ms. Default 0: it leaves at the end of its turn. */
  gatherMs?: number;
  /** Told the size of every batch that leaves. */
  onBatch?: ((size: number) => void) | undefined;
  /** How the end of a turn is awaited; tests inject it. */
  schedule?: (flush: () => void) => void;
}

interface Waiting<Item, Result> {
  /** Set once the batch's turn is over and it waits for a call under way. */
  gathering: NodeJS.Timeout | undefined;
  items: Item[];
  promises: Promise<Result>[];
  settle: { resolve(result: Result): void; reject(error: unknown): void }[];
  places: Map<string, number>;
}

export function createCoalescer<Item, Result>(options: CoalescerOptions<Item, Result>): Coalescer<Item, Result> {
  const { keyOf, gatherMs = 0 } = options;
  const schedule = options.schedule ?? setImmediate;
  let waiting: Waiting<Item, Result> | undefined;
  let underWay = 0;

  const flushAtEndOfTurn = (batch: Waiting<Item, Result>) => {
    schedule(() => {
      if (waiting !== batch) return;
      if (underWay === 0 || gatherMs === 0) flush(batch);
      else batch.gathering ??= setTimeout(flush, gatherMs, batch);
    });
  };
  const ended = () => {
    underWay--;
    if (waiting?.gathering) flushAtEndOfTurn(waiting);
  };
  const flush = (batch: Waiting<Item, Result>) => {
    if (waiting === batch) waiting = undefined;
    clearTimeout(batch.gathering);
    options.onBatch?.(batch.items.length);
    underWay++;
    options.call(batch.items).then(
      (results) => {
        ended();
        for (const [index, { resolve, reject }] of batch.settle.entries()) {
          if (index < results.length) resolve(results[index] as Result);
          else reject(new Error(`a batch of ${batch.items.length} had ${results.length} results`));
        }
      },
      (error: unknown) => {
        ended();
        for (const { reject } of batch.settle) reject(error);
      },
    );
  };

  return {
    load(item) {
      if (!waiting) {
        waiting = { gathering: undefined, items: [], promises: [], settle: [], places: new Map() };
        flushAtEndOfTurn(waiting);
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
