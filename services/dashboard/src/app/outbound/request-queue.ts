import { createKeyedSlots } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { overloaded } from '../domain/limit-error.ts';
import type { QueuedRequest, Share } from '../domain/share.ts';
import { createIsBusy, createTurnBounds } from './event-loop.ts';
import { createShares, type ShareUse } from './shares.ts';

export type RequestQueue = ReturnType<typeof createRequestQueue>;
export type Place = ReturnType<RequestQueue['enter']>;

export interface RequestQueueOptions {
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
 */
export function createRequestQueue(options: RequestQueueOptions) {
  const { maxRunning, runningMs, maxWaiting, waitMs, clock } = options;
  const { maxStrangersRunning = maxRunning, busyRunningMs = runningMs, isBusy = () => false } = options;
  const shares = createShares(clock);
  const slots = createKeyedSlots({ max: maxRunning, groups: { known: maxRunning, strangers: maxStrangersRunning } });
  const eventLoop = options.perTurn && createTurnBounds(options.perTurn, slots.recheck);
  const waiting = { known: 0, strangers: 0 };
  let wakeAtMs = Number.POSITIVE_INFINITY;
  let cancelWake = () => {};

  const recheckIn = (ms: number) => {
    const atMs = clock.monotonicMs() + ms;
    // Room at an infinite time comes with the end of another request.
    if (atMs >= wakeAtMs) return;
    cancelWake();
    wakeAtMs = atMs;
    cancelWake = clock.after(Math.max(1, ms), () => {
      wakeAtMs = Number.POSITIVE_INFINITY;
      slots.recheck();
    });
  };
  const usesOf = (wanted: readonly Share[]) => new Map(wanted.map((share) => [share.key, shares.use(share)]));
  const roomInMs = (uses: Map<string, ShareUse>, cost: number) => {
    let inMs = 0;
    for (const use of uses.values()) inMs = Math.max(inMs, use.roomInMs(cost));
    return inMs;
  };

  return {
    /** Adds a request. The caller must call `leave` at the end, even if the request was refused or its client has disconnected. */
    enter({ turn, shares: wanted, isStranger = false, cost = 1 }: QueuedRequest) {
      const kind = isStranger ? 'strangers' : 'known';
      const uses = usesOf(wanted);
      const begun = Promise.withResolvers<void>();
      // The caller may have stopped waiting. Without this handler, the rejection would be unhandled.
      begun.promise.catch(() => {});
      let state: 'waiting' | 'running' | 'begun' | 'ended' = 'waiting';
      let leaveSlots = () => {};
      let cancelTimer = () => {};

      const endWait = () => {
        cancelTimer();
        waiting[kind]--;
        for (const use of uses.values()) use.endWait();
      };
      const refuse = (error: AppError) => {
        endWait();
        state = 'ended';
        begun.reject(error);
        leaveSlots();
      };
      const refuseLate = () => {
        slots.recheck();
        if (state !== 'waiting') return;
        const blocking = uses.values().find((use) => use.roomInMs(cost) > 0);
        refuse(blocking ? blocking.refusal(cost) : overloaded());
      };
      const stopRunning = () => {
        state = 'begun';
        cancelTimer();
        for (const use of uses.values()) use.stopRunning();
      };
      const begin = () => {
        endWait();
        state = 'running';
        eventLoop?.begin(kind);
        for (const use of uses.values()) use.begin(cost);
        const startMs = clock.monotonicMs();
        const check = () => {
          if (clock.monotonicMs() - startMs < busyRunningMs && isBusy()) {
            cancelTimer = clock.after(runningMs, check);
            return;
          }
          stopRunning();
          leaveSlots();
        };
        cancelTimer = clock.after(runningMs, check);
        begun.resolve();
      };

      waiting[kind]++;
      for (const use of uses.values()) use.wait();
      // This check comes first, because refusing a flood of requests must cost little.
      const full = uses.values().find((use) => use.hasTooManyWaiting());
      if (full) refuse(full.refusal(cost));
      else {
        const mayBegin = () => {
          if (eventLoop?.hasRoom(kind) === false) return false;
          const inMs = roomInMs(uses, cost);
          if (inMs > 0) recheckIn(inMs);
          return inMs === 0;
        };
        leaveSlots = slots.enter([kind, turn, [...uses.keys()].join()], begin, { mayBegin });
      }
      if (state === 'waiting' && waiting[kind] > maxWaiting) refuse(overloaded());
      if (state === 'waiting') cancelTimer = clock.after(waitMs, refuseLate);
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
            if (state !== 'running') use.stopRunning();
            uses.set(addedKey, use);
          }
          const given = uses.get(key);
          if (state === 'running') given?.stopRunning();
          given?.end();
          uses.delete(key);
          slots.recheck();
        },
        /** Ends the request. May be called more than once. */
        leave() {
          if (state === 'waiting') refuse(gone());
          if (state === 'ended') return;
          const wasRunning = state === 'running';
          if (wasRunning) stopRunning();
          for (const use of uses.values()) use.end();
          state = 'ended';
          if (wasRunning) leaveSlots();
          else slots.recheck();
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
  clock: RequestQueueOptions['clock'],
  /** False for clocks that tests move: turns of the event loop and the load of this thread do not follow such a clock. */
  { isOfThread = true } = {},
): { requests: RequestQueue; work: RequestQueue } {
  const waits = { waitMs: 5_000, clock };
  return {
    requests: createRequestQueue({ ...waits, maxWaiting: 5_000, maxRunning: Number.POSITIVE_INFINITY, runningMs: 10 }),
    work: createRequestQueue({
      ...waits,
      maxWaiting: 1_000,
      maxRunning: 6,
      maxStrangersRunning: 4,
      runningMs: 100,
      ...(isOfThread && { perTurn: { known: 2, strangers: 1 }, busyRunningMs: 1_000, isBusy: createIsBusy(clock) }),
    }),
  };
}
