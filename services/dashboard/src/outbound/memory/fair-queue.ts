import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { overloaded } from '../../domain/limit-error.ts';
import type { QueuedRequest, Share } from '../../domain/share.ts';
import { createShares, type ShareUse } from './shares.ts';
import { createTurns } from './turns.ts';

/**
 * Decides when a request is worked on. Pages and MCP messages need the one thread of this process, so a caller with many requests would
 * delay everybody else's.
 *
 * - Each request belongs to one turn (a workspace, a person or a network address) and counts in its {@link Share}s.
 * - It begins when each of its shares has room, and fewer than `runningMax` requests run. Turns alternate, whatever number of requests each
 *   of them has waiting. Within a turn, requests with different shares (the members of a workspace) alternate.
 * - A request runs from its beginning for `runningMs` at most. After that it has used its share of the processor or waits for another
 *   service, and the next request begins. It stays in its shares until `leave`.
 * - A share has too many waiting requests, or no room for `waitMs` -> LimitError for the caller. The share has room, and too many run
 *   or wait in all -> LimitError for nobody's fault.
 * - Bounds: `waitingMax`, the bounds of shares. Each instance counts alone, in memory.
 */
export interface FairQueue {
  /** Call `leave` at the end, also of a request that was refused or has gone. */
  enter(request: QueuedRequest): Place;
  /** Requests of a share that wait or have begun. */
  taken(key: string): number;
}

export interface Place {
  /** Resolves when the request may begin. Rejects with the refusal. */
  begun: Promise<void>;
  /** Counts the request, which has begun, in further shares, and no longer in the share `key`. Throws when one has no room. */
  exchange(key: string, shares: readonly Share[]): void;
  /** Ends the request. May be called more than once. */
  leave(): void;
}

export interface FairQueueOptions {
  runningMax: number;
  runningMs: number;
  waitingMax: number;
  waitMs: number;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
}

interface Entry {
  turn: string;
  /** The keys of its shares. */
  group: string;
  /** By the key of the share. */
  uses: Map<string, ShareUse>;
  cost: number;
  state: 'waiting' | 'running' | 'begun' | 'ended';
  begun: PromiseWithResolvers<void>;
  cancelTimer(): void;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { runningMax, runningMs, waitingMax, waitMs, clock } = options;
  const shares = createShares(clock);
  const waiting = createTurns<Entry>();
  let running = 0;
  let cancelWake = () => {};

  const usesOf = (wanted: readonly Share[]) => new Map(wanted.map((share) => [share.key, shares.use(share)]));
  const roomInMs = ({ uses, cost }: Entry) => {
    let inMs = 0;
    for (const use of uses.values()) inMs = Math.max(inMs, use.roomInMs(cost));
    return inMs;
  };
  const stopRunning = (entry: Entry) => {
    running--;
    entry.state = 'begun';
    entry.cancelTimer();
    for (const use of entry.uses.values()) use.stopRunning();
  };
  const begin = (entry: Entry) => {
    entry.cancelTimer();
    running++;
    entry.state = 'running';
    for (const use of entry.uses.values()) {
      use.endWait();
      use.begin(entry.cost);
    }
    entry.cancelTimer = clock.after(runningMs, () => {
      stopRunning(entry);
      beginAll();
    });
    entry.begun.resolve();
  };
  const beginAll = () => {
    cancelWake();
    cancelWake = () => {};
    while (running < runningMax) {
      const { item, inMs } = waiting.next(roomInMs);
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
    waiting.delete(entry);
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
    enter({ turn, shares: wanted, cost = 1 }) {
      const uses = usesOf(wanted);
      const begun = Promise.withResolvers<void>();
      // The caller may have gone before it is told.
      begun.promise.catch(() => {});
      const group = [...uses.keys()].join();
      const entry: Entry = { turn, group, uses, cost, begun, state: 'waiting', cancelTimer: () => {} };
      waiting.add(entry);
      for (const use of uses.values()) use.wait();
      // First, because the refusal of a flood must cost little.
      const full = uses.values().find((use) => use.hasTooManyWaiting());
      if (full) refuse(entry, full.refusal(cost));
      else beginAll();
      if (entry.state === 'waiting' && waiting.size > waitingMax) refuse(entry, overloaded());
      if (entry.state === 'waiting') entry.cancelTimer = clock.after(waitMs, () => endWait(entry));
      return {
        begun: begun.promise,
        exchange(key, further) {
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
    taken: shares.taken,
  };
}

const gone = () => new AppError('unavailable', 'The caller has disconnected.');

/** The queues of an instance: of all requests, at the rate of their address; and of the work for pages and messages. */
export function createQueues(clock: FairQueueOptions['clock']): { requests: FairQueue; work: FairQueue } {
  const waits = { waitMs: 5_000, clock };
  return {
    requests: createFairQueue({ ...waits, waitingMax: 5_000, runningMax: Number.POSITIVE_INFINITY, runningMs: 10 }),
    work: createFairQueue({ ...waits, waitingMax: 1_000, runningMax: 6, runningMs: 100 }),
  };
}
