import { type Clock, systemClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { type Deadline, latestDeadline, noDeadline, sharedDeadline } from './deadline.ts';

/**
 * Gathers items into batches, with one queue per key. Items of one key share batches. Batches of different keys run independently. A
 * slow or failing batch therefore affects only its own key.
 *
 * - Start: a batch starts at the end of the event-loop turn of its first item (`setImmediate`), so that all items of the turn share it.
 *   While another batch of the key runs, it waits up to `waitForRunningMs` longer. With `lingerMs` it waits for further items when no batch
 *   runs.
 * - The batch is full (`maxBatchSize`) -> it starts at once. In a serial batcher (`waitForRunningMs` is Infinity) this only ends a linger.
 * - Concurrency: with `waitForRunningMs: Infinity` the batches of a key run one after the other. Otherwise they overlap.
 * - `run` rejects -> every item of that batch rejects with the same error.
 * - An item's deadline passes -> its caller gets the deadline's error. If all callers of an item expire before its batch starts, the item
 *   is not run.
 * - Bounds: `maxBatchSize` and `maxWeight` per batch; `maxQueued` items in total that wait or run. Further items are refused.
 */
export interface KeyedBatcher<Item, Result> {
  /** Rejects with the batch's error, with the deadline's error, or with `unavailable` when the queue is full. */
  submit(item: Item, deadline?: Deadline): Promise<Result>;
  /** The number of items that wait or run. */
  readonly size: number;
  /** Starts the waiting items without linger. Resolves when no item waits or runs. */
  flush(): Promise<void>;
}

export interface KeyedBatcherOptions<Item, Result> {
  /** Default: one queue for all items. */
  keyOf?(item: Item): string;
  /** Items with equal ids in a waiting batch share one place: `run` gets the item once, and each caller gets its result. */
  dedupeBy?(item: Item): string;
  /** Items with equal ids never share a batch: the later item waits for the next batch. For serial batchers only. */
  exclusiveBy?(item: Item): string;
  /**
   * Resolves with the results, parallel to `items`. If it resolves with undefined, every item does. `deadline` ends with the latest
   * deadline of the batch's callers and is cancelled only when all of theirs are.
   */
  run(items: Item[], deadline: Deadline): Promise<readonly Result[] | undefined>;
  /** Default 1,000. */
  maxBatchSize?: number;
  /** Returns the weight of an item, such as its bytes. A batch of several items weighs at most `maxWeight`. */
  weightOf?(item: Item): number;
  maxWeight?: number;
  /** Default 20,000. */
  maxQueued?: number;
  /** The maximum time that a batch waits for its key's running batch, in ms. Default 0. */
  waitForRunningMs?: number;
  /** How long the first item waits for others when no batch runs, in ms. For serial batchers. Default 0. */
  lingerMs?: number;
  /** Whether no item beyond the `waiting` ones is expected; they then do not linger. Called at the end of each turn with a new item. */
  isLast?: ((waiting: number) => boolean) | undefined;
  /** Called with the size of each batch at its start. */
  onBatch?: ((size: number) => void) | undefined;
  clock?: Pick<Clock, 'after'>;
  /** Calls back at the end of the event-loop turn. Default: setImmediate. */
  atEndOfTurn?(callback: () => void): void;
}

/** One item and the callers that wait for it. */
interface Place<Item, Result> {
  item: Item;
  deadlines: Deadline[];
  outcome: PromiseWithResolvers<Result>;
}

interface Queue<Item, Result> {
  places: Place<Item, Result>[];
  /** The waiting places by `dedupeBy`. Undefined while there is none. */
  byId: Map<string, Place<Item, Result>> | undefined;
  running: number;
  /** Whether the turn of the first waiting item has ended and the item does not linger. */
  due: boolean;
  /** Whether the end of a turn is awaited. */
  turnPending: boolean;
  cancelTimer: (() => void) | undefined;
}

export function createKeyedBatcher<Item, Result = void>(
  options: KeyedBatcherOptions<Item, Result>,
): KeyedBatcher<Item, Result> {
  const { keyOf = () => '', dedupeBy, exclusiveBy, run, onBatch } = options;
  const { maxBatchSize = 1_000, maxQueued = 20_000, waitForRunningMs = 0, lingerMs = 0, isLast } = options;
  const { weightOf, maxWeight = Number.POSITIVE_INFINITY } = options;
  const { clock = systemClock, atEndOfTurn = setImmediate } = options;
  const isSerial = waitForRunningMs === Number.POSITIVE_INFINITY;
  const queues = new Map<string, Queue<Item, Result>>();
  let size = 0;
  let drained: PromiseWithResolvers<void> | undefined;

  /** Returns how many items from the front fit into a batch: those before the second item of an exclusive id, and at least one. */
  const lengthOfBatch = (places: readonly Place<Item, Result>[]): number => {
    const most = Math.min(places.length, maxBatchSize);
    if (!exclusiveBy && !weightOf) return most;
    const ids = new Set<string>();
    let weight = 0;
    for (let n = 0; n < most; n++) {
      const { item } = places[n] as Place<Item, Result>;
      if (weightOf) weight += weightOf(item);
      if (n > 0 && weight > maxWeight) return n;
      if (!exclusiveBy) continue;
      const id = exclusiveBy(item);
      if (ids.has(id)) return n;
      ids.add(id);
    }
    return most;
  };

  const takeBatch = (queue: Queue<Item, Result>): Place<Item, Result>[] => {
    const length = lengthOfBatch(queue.places);
    queue.cancelTimer?.();
    queue.cancelTimer = undefined;
    if (length === queue.places.length) {
      const batch = queue.places;
      queue.places = [];
      queue.byId = undefined;
      queue.due = false;
      return batch;
    }
    const batch = queue.places.splice(0, length);
    if (dedupeBy) for (const { item } of batch) queue.byId?.delete(dedupeBy(item));
    return batch;
  };

  const runBatch = async (batch: Place<Item, Result>[]): Promise<void> => {
    const live: Place<Item, Result>[] = [];
    const callers: Deadline[] = [];
    for (const place of batch) {
      // Every caller of such a place has the error of its deadline already, or gets it from its deadline.
      if (place.deadlines.every(({ expired }) => expired)) rejectExpired(place.outcome, place.deadlines);
      else {
        live.push(place);
        for (const deadline of place.deadlines) callers.push(deadline);
      }
    }
    if (live.length === 0) return;
    try {
      onBatch?.(live.length);
      const items = live.map(({ item }) => item);
      const results = await run(items, sharedDeadline(callers));
      if (results && results.length < live.length) {
        throw new Error(`a batch of ${live.length} items had ${results.length} results`);
      }
      live.forEach(({ outcome }, index) => {
        outcome.resolve(results?.[index] as Result);
      });
    } catch (error) {
      for (const { outcome } of live) outcome.reject(error);
    }
  };

  const start = async (key: string, queue: Queue<Item, Result>) => {
    const batch = takeBatch(queue);
    queue.running += 1;
    await runBatch(batch);
    queue.running -= 1;
    size -= batch.length;
    if (size === 0) {
      drained?.resolve();
      drained = undefined;
    }
    if (queue.places.length === 0) {
      if (queue.running === 0) queues.delete(key);
    } else if (queue.due || lingerMs > 0) {
      if (isSerial) void start(key, queue);
      // Callers that just got a result may submit again in this turn.
      else atEndOfTurn(() => endOfTurn(key, queue));
    }
  };

  const endOfTurn = (key: string, queue: Queue<Item, Result>) => {
    queue.turnPending = false;
    if (queue.places.length === 0) return;
    if (lingerMs > 0 && queue.running === 0 && !isLast?.(queue.places.length)) {
      queue.cancelTimer ??= clock.after(lingerMs, () => void start(key, queue));
      return;
    }
    queue.due = true;
    if (queue.running === 0 || waitForRunningMs === 0) void start(key, queue);
    else if (!isSerial) queue.cancelTimer ??= clock.after(waitForRunningMs, () => void start(key, queue));
  };

  return {
    submit(item, deadline = noDeadline) {
      const key = keyOf(item);
      let queue = queues.get(key);
      const id = dedupeBy?.(item);
      const shared = id === undefined ? undefined : queue?.byId?.get(id);
      if (shared) {
        shared.deadlines.push(deadline);
        return deadline.race(shared.outcome.promise);
      }
      if (size >= maxQueued) return Promise.reject(queueIsFull());
      if (!queue) {
        queue = { places: [], byId: undefined, running: 0, due: false, turnPending: false, cancelTimer: undefined };
        queues.set(key, queue);
      }
      const place = { item, deadlines: [deadline], outcome: Promise.withResolvers<Result>() };
      const opened = queue;
      if (!opened.turnPending && (isLast || opened.places.length === 0)) {
        opened.turnPending = true;
        atEndOfTurn(() => endOfTurn(key, opened));
      }
      opened.places.push(place);
      if (id !== undefined) {
        opened.byId ??= new Map();
        opened.byId.set(id, place);
      }
      size += 1;
      const startsFull = !isSerial || (lingerMs > 0 && opened.running === 0);
      if (startsFull && opened.places.length >= maxBatchSize) void start(key, opened);
      return deadline.race(place.outcome.promise);
    },
    flush() {
      if (size === 0) return Promise.resolve();
      for (const [key, queue] of queues) {
        queue.due = queue.places.length > 0;
        if (queue.due && queue.running === 0) void start(key, queue);
      }
      drained ??= Promise.withResolvers();
      return drained.promise;
    },
    get size() {
      return size;
    },
  };
}

/** Rejects with the deadline's error. The callers have that error already, so an unhandled rejection would be no fault. */
function rejectExpired<Result>(outcome: PromiseWithResolvers<Result>, deadlines: readonly Deadline[]): void {
  outcome.promise.catch(() => {});
  try {
    latestDeadline(deadlines).timeoutMs();
  } catch (error) {
    outcome.reject(error);
  }
}

const queueIsFull = () =>
  new AppError('unavailable', 'The service is not available; retry shortly.', { internal: 'the queue is full' });
