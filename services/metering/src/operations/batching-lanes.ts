import { AppError } from '@shopscope/errors';

/**
 * Serial lanes that gather: while a lane's transaction is in flight, what arrives for it waits and is decided by the next
 * one together. Lanes run beside each other. This only spares conflicts and commits; correctness is the database's, so it
 * needs no agreement with other instances. Bounded per batch and in all; what does not fit is refused at once. A batch
 * that fails, fails whole; what nobody waits for any more is not begun.
 */
export interface BatchingLanes<Item, Result> {
  submit(item: Item, timeoutMs: number): Promise<Result>;
  /** Items waiting or in flight. */
  readonly size: number;
}

export interface BatchingLanesOptions<Item, Result> {
  laneOf(item: Item): string;
  /** Items of one id never share a batch: one is decided after the other. */
  idOf?(item: Item): string;
  /** Results parallel to the items. */
  decide(items: Item[], timeoutMs: number): Promise<readonly Result[]>;
  monotonicMs(): number;
  batchMax?: number;
  queuedMax?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  endMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export function createBatchingLanes<Item, Result>(
  options: BatchingLanesOptions<Item, Result>,
): BatchingLanes<Item, Result> {
  const { laneOf, decide, monotonicMs, batchMax = 1_000, queuedMax = 20_000 } = options;
  const lanes = new Map<string, Waiting<Item, Result>[]>();
  let size = 0;

  const decideBatch = async (batch: Waiting<Item, Result>[]) => {
    const nowMs = monotonicMs();
    const alive = batch.filter((waiting) => waiting.endMs > nowMs);
    for (const waiting of batch) if (waiting.endMs <= nowMs) waiting.reject(tooLate());
    if (alive.length === 0) return;
    try {
      const timeoutMs = Math.max(...alive.map(({ endMs }) => endMs)) - nowMs;
      const items = alive.map(({ item }) => item);
      const results = await decide(items, timeoutMs);
      for (const [n, waiting] of alive.entries()) waiting.resolve(results[n] as Result);
    } catch (error) {
      for (const waiting of alive) waiting.reject(error);
    }
  };

  const run = async (name: string, lane: Waiting<Item, Result>[]) => {
    // What arrives in this turn of the event loop belongs to the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (lane.length > 0) {
      const batch = lane.splice(0, lengthOfBatch(lane, batchMax, options.idOf));
      await decideBatch(batch);
      size -= batch.length;
    }
    lanes.delete(name);
  };

  return {
    submit: (item, timeoutMs) =>
      new Promise((resolve, reject) => {
        if (size >= queuedMax) return reject(full());
        size += 1;
        const waiting = { item, endMs: monotonicMs() + timeoutMs, resolve, reject };
        const name = laneOf(item);
        const lane = lanes.get(name);
        if (lane) return lane.push(waiting);
        const opened = [waiting];
        lanes.set(name, opened);
        void run(name, opened);
      }),
    get size() {
      return size;
    },
  };
}

/** The front of a lane up to the second item of an id. */
function lengthOfBatch<Item>(
  lane: readonly { item: Item }[],
  batchMax: number,
  idOf: ((item: Item) => string) | undefined,
): number {
  const most = Math.min(lane.length, batchMax);
  if (!idOf) return most;
  const ids = new Set<string>();
  for (const { item } of lane) {
    const id = idOf(item);
    if (ids.size === most || ids.has(id)) break;
    ids.add(id);
  }
  return ids.size;
}

const full = () =>
  new AppError('unavailable', 'The service is not available; retry shortly.', { internal: 'the queue is full' });
const tooLate = () => new AppError('internal', 'The request took too long; retry in a few seconds.');
