import { performance } from 'node:perf_hooks';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { overloaded } from '../domain/limit-error.ts';
import type { QueuedRequest, Share } from '../domain/share.ts';
import { createShares, type ShareUse } from './shares.ts';
import { createTurns } from './turns.ts';

export type FairQueue = ReturnType<typeof createFairQueue>;
export type Place = ReturnType<FairQueue['enter']>;

export interface FairQueueOptions {
  maxRunning: number;
  /** Default: `maxRunning`. */
  maxStrangersRunning?: number;
  /** Default: no bound. */
  perTurn?: { known: number; strangers: number };
  runningMs: number;
  busyRunningMs?: number;
  /** Whether the thread has had almost no idle time lately. */
  isBusy?: () => boolean;
  maxWaiting: number;
  waitMs: number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
}

/** A queue of the strangers, or of all others. */
interface Lane {
  waiting: ReturnType<typeof createTurns<Entry>>;
  running: number;
  maxRunning: number;
  /** The number of requests that have begun in this turn of the event loop. */
  begunInTurn: number;
  maxPerTurn: number;
}

interface Entry {
  lane: Lane;
  turn: string;
  /** The keys of the shares in which the request counts. */
  group: string;
  /** The uses of the shares, by the key of the share. */
  uses: Map<string, ShareUse>;
  cost: number;
  state: 'waiting' | 'running' | 'begun' | 'ended';
  begun: PromiseWithResolvers<void>;
  cancelTimer(): void;
}

/**
 * Decides when the work on a request begins. Pages and MCP messages share the one thread of this process. Without the queue, a caller with
 * many requests would delay all other callers.
 *
 * - Each request belongs to one turn (a workspace, a person or a network address) and counts in its {@link Share}s.
 * - A request begins when each of its shares has room and fewer than `maxRunning` requests run. Turns alternate, whatever number of
 *   requests waits in each turn. Within a turn, requests with different shares (the members of a workspace) alternate.
 * - A request runs for `runningMs` from its beginning. After that time it has used its share of the processor or waits for another service,
 *   and the next request begins. The request stays in its shares until `leave`. While the thread has no idle time, the request runs for up
 *   to `busyRunningMs`, because further requests would only delay those that have begun.
 * - In one turn of the event loop, at most `perTurn` requests of each kind begin. A rendering seldom waits. Without this bound, all new
 *   requests would be rendered before a page that has read its data could continue.
 * - At most `maxStrangersRunning` requests of strangers run. Strangers and all others begin alternately, because one attacker can have any
 *   number of network addresses, and each address is a turn.
 * - A share has too many waiting requests, or no room for `waitMs` -> LimitError of this share. The share has room, but too many requests
 *   run or wait in all -> LimitError that names no caller.
 * - Bounds: `maxWaiting` of strangers and of all others, the bounds of shares. Each instance counts alone, in memory.
 * - createKeyedSlots of @shopscope/async cannot replace it: a slot has one key, no rate and no cost, and keys do not alternate.
 */
export function createFairQueue(options: FairQueueOptions) {
  const { maxRunning, runningMs, maxWaiting, waitMs, clock } = options;
  const { maxStrangersRunning = maxRunning, busyRunningMs = runningMs, isBusy = () => false } = options;
  const shares = createShares(clock);
  const { perTurn = { known: Number.POSITIVE_INFINITY, strangers: Number.POSITIVE_INFINITY } } = options;
  const newLane = (max: number, maxPerTurn: number): Lane => ({
    ...{ waiting: createTurns<Entry>(), running: 0, maxRunning: max, begunInTurn: 0, maxPerTurn },
  });
  const known = newLane(maxRunning, perTurn.known);
  const strangers = newLane(maxStrangersRunning, perTurn.strangers);
  /** The lane whose request begins next comes first. */
  let lanes = [known, strangers];
  let running = 0;
  let isTurnEnding = false;
  let cancelWake = () => {};

  const usesOf = (wanted: readonly Share[]) => new Map(wanted.map((share) => [share.key, shares.use(share)]));
  const roomInMs = ({ uses, cost }: Entry) => {
    let inMs = 0;
    for (const use of uses.values()) inMs = Math.max(inMs, use.roomInMs(cost));
    return inMs;
  };
  const stopRunning = (entry: Entry) => {
    running--;
    entry.lane.running--;
    entry.state = 'begun';
    entry.cancelTimer();
    for (const use of entry.uses.values()) use.stopRunning();
  };
  const begin = (entry: Entry) => {
    entry.cancelTimer();
    running++;
    entry.lane.running++;
    entry.lane.begunInTurn++;
    endTurn();
    entry.state = 'running';
    for (const use of entry.uses.values()) {
      use.endWait();
      use.begin(entry.cost);
    }
    const startMs = clock.monotonicMs();
    const check = () => {
      if (clock.monotonicMs() - startMs < busyRunningMs && isBusy()) {
        entry.cancelTimer = clock.after(runningMs, check);
        return;
      }
      stopRunning(entry);
      beginAll();
    };
    entry.cancelTimer = clock.after(runningMs, check);
    entry.begun.resolve();
  };
  const endTurn = () => {
    if (isTurnEnding || options.perTurn === undefined) return;
    isTurnEnding = true;
    setImmediate(() => {
      isTurnEnding = false;
      for (const lane of lanes) lane.begunInTurn = 0;
      beginAll();
    });
  };
  /** The next request that can begin, of the first lane that has one. If there is none: the time after which one can begin. */
  const next = (): { item?: Entry; inMs: number } => {
    let inMs = Number.POSITIVE_INFINITY;
    for (const lane of lanes) {
      if (lane.running >= lane.maxRunning || lane.begunInTurn >= lane.maxPerTurn) continue;
      const found = lane.waiting.next(roomInMs);
      if (found.item) {
        lanes = [...lanes.filter((other) => other !== lane), lane];
        return found;
      }
      inMs = Math.min(inMs, found.inMs);
    }
    return { inMs };
  };
  const beginAll = () => {
    cancelWake();
    cancelWake = () => {};
    while (running < maxRunning) {
      const { item, inMs } = next();
      if (item) {
        begin(item);
        continue;
      }
      if (Number.isFinite(inMs)) cancelWake = clock.after(Math.max(1, inMs), beginAll);
      return;
    }
  };
  const refuse = (entry: Entry, error: AppError) => {
    entry.cancelTimer();
    entry.lane.waiting.delete(entry);
    for (const use of entry.uses.values()) use.endWait();
    entry.state = 'ended';
    entry.begun.reject(error);
  };
  const endWait = (entry: Entry) => {
    beginAll();
    if (entry.state !== 'waiting') return;
    const blocking = entry.uses.values().find((use) => use.roomInMs(entry.cost) > 0);
    refuse(entry, blocking ? blocking.refusal(entry.cost) : overloaded());
  };

  return {
    /** Adds a request. The caller must call `leave` at the end, even if the request was refused or its client has disconnected. */
    enter({ turn, shares: wanted, isStranger = false, cost = 1 }: QueuedRequest) {
      const lane = isStranger ? strangers : known;
      const uses = usesOf(wanted);
      const begun = Promise.withResolvers<void>();
      // The caller may have stopped waiting. Without this handler, the rejection would be unhandled.
      begun.promise.catch(() => {});
      const group = [...uses.keys()].join();
      const entry: Entry = { lane, turn, group, uses, cost, begun, state: 'waiting', cancelTimer: () => {} };
      lane.waiting.add(entry);
      for (const use of uses.values()) use.wait();
      // This check comes first, because refusing a flood of requests must cost little.
      const full = uses.values().find((use) => use.hasTooManyWaiting());
      if (full) refuse(entry, full.refusal(cost));
      else beginAll();
      if (entry.state === 'waiting' && lane.waiting.size > maxWaiting) refuse(entry, overloaded());
      if (entry.state === 'waiting') entry.cancelTimer = clock.after(waitMs, () => endWait(entry));
      return {
        /** Resolves when the request may begin. Rejects with a LimitError. */
        begun: begun.promise,
        /** Counts a begun request in the shares `further`, and no longer in the share `key`. Throws when one of them has no room. */
        exchange(key: string, further: readonly Share[]) {
          const added = usesOf(further.filter((share) => !uses.has(share.key)));
          const full = added.values().find((use) => use.roomInMs(cost) > 0);
          if (full) throw full.refusal(cost);
          for (const [addedKey, use] of added) {
            use.begin(cost);
            if (entry.state !== 'running') use.stopRunning();
            uses.set(addedKey, use);
          }
          const given = uses.get(key);
          if (entry.state === 'running') given?.stopRunning();
          given?.end();
          uses.delete(key);
          beginAll();
        },
        /** Ends the request. May be called more than once. */
        leave() {
          if (entry.state === 'waiting') refuse(entry, gone());
          if (entry.state === 'ended') return;
          if (entry.state === 'running') stopRunning(entry);
          for (const use of uses.values()) use.end();
          entry.state = 'ended';
          beginAll();
        },
      };
    },
    /** The number of requests of a share that wait or have begun. */
    taken: shares.taken,
  };
}

const gone = () => new AppError('unavailable', 'The caller has disconnected.');

/** The queues of an instance: one of all requests, at the rate of their address, and one of the work for pages and messages. */
export function createQueues(
  clock: FairQueueOptions['clock'],
  /** False for clocks that tests move: turns of the event loop and the load of this thread do not follow such a clock. */
  { isOfThread = true } = {},
): { requests: FairQueue; work: FairQueue } {
  const waits = { waitMs: 5_000, clock };
  return {
    requests: createFairQueue({ ...waits, maxWaiting: 5_000, maxRunning: Number.POSITIVE_INFINITY, runningMs: 10 }),
    work: createFairQueue({
      ...waits,
      ...{ maxWaiting: 1_000, maxRunning: 6, maxStrangersRunning: 4, runningMs: 100 },
      ...(isOfThread && { perTurn: { known: 2, strangers: 1 }, busyRunningMs: 1_000, isBusy: createIsBusy(clock) }),
    }),
  };
}

/** The minimum duration of a sample. A shorter sample is not reliable. */
const sampleMs = 50;
const busyUtilization = 0.95;

/** Whether this thread had almost no idle time in the last sample. */
function createIsBusy({ monotonicMs }: Pick<Clock, 'monotonicMs'>): () => boolean {
  let sample = performance.eventLoopUtilization();
  let sampledAtMs = monotonicMs();
  let isBusy = false;
  return () => {
    if (monotonicMs() - sampledAtMs >= sampleMs) {
      const now = performance.eventLoopUtilization();
      isBusy = performance.eventLoopUtilization(now, sample).utilization > busyUtilization;
      [sample, sampledAtMs] = [now, monotonicMs()];
    }
    return isBusy;
  };
}
