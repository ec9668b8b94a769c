import { startPeriodicLoop } from '@shopscope/async';
import { type Clock, hourMs } from '@shopscope/clock';
import type { Environment, Handles, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { SequenceStore } from '../outbound/mongo/sequences.ts';

/**
 * Calls that wait until the sequence of a workspace continues.
 *
 * - Cost: one query per {@link pollMs} for all waiting calls of this instance; none while no call waits.
 * - The query fails -> the calls keep waiting, and the next query decides.
 * - The instance stops -> all calls end at once, as if their time had passed.
 * - Bounds: {@link defaultBounds}. A further call gets `concurrency_limited`.
 */
export interface EventWaits<E extends Environment> extends Handles<E> {
  /** Resolves to true when the last sequence is above `position`; to false after `maxMs`, when `abort` aborts, or when the instance stops. */
  beyond(tenant: Tenant<E>, position: number, maxMs: number, abort: AbortSignal): Promise<boolean>;
  readonly waiting: number;
  stop(): Promise<void>;
}

export const pollMs = 200;
const queryTimeoutMs = 2_000;
const defaultBounds = { waiting: 5_000, perWorkspace: 200 };

interface Waiter {
  position: number;
  end(isBeyond: boolean): void;
}

export function createEventWaits<E extends Environment>(options: {
  environment: E;
  sequences: Pick<SequenceStore<E>, 'lasts'>;
  clock: Pick<Clock, 'sleep' | 'after'>;
  onError(error: unknown): void;
  /** The numbers of calls that may wait at the same time: in total, and of one workspace. */
  bounds?: { waiting: number; perWorkspace: number };
}): EventWaits<E> {
  const { environment, sequences, clock, onError, bounds = defaultBounds } = options;
  const byWorkspace = new Map<string, Set<Waiter>>();
  let waiting = 0;
  let isStopped = false;

  const loop = startPeriodicLoop({
    intervalMs: pollMs,
    clock,
    pauseMs: () => (waiting > 0 ? pollMs : hourMs),
    async run() {
      if (waiting === 0) return;
      const lasts = await sequences.lasts([...byWorkspace.keys()], queryTimeoutMs);
      for (const [workspaceId, last] of lasts) {
        for (const waiter of byWorkspace.get(workspaceId) ?? []) if (last > waiter.position) waiter.end(true);
      }
    },
    onError,
  });

  const add = (workspaceId: string, waiter: Waiter) => {
    const waiters = byWorkspace.get(workspaceId) ?? new Set();
    if (waiting >= bounds.waiting || waiters.size >= bounds.perWorkspace) throw tooManyWaiting();
    byWorkspace.set(workspaceId, waiters.add(waiter));
    waiting += 1;
    // While no call waits, the pause of the loop is long.
    if (waiting === 1) loop.wake();
  };
  const remove = (workspaceId: string, waiter: Waiter) => {
    const waiters = byWorkspace.get(workspaceId);
    if (!waiters?.delete(waiter)) return;
    waiting -= 1;
    if (waiters.size === 0) byWorkspace.delete(workspaceId);
  };

  return {
    environment,
    async beyond({ workspaceId }, position, maxMs, abort) {
      if (isStopped || abort.aborted) return false;
      const ended = Promise.withResolvers<boolean>();
      const waiter: Waiter = { position, end: ended.resolve };
      add(workspaceId, waiter);
      const endWithoutEvent = () => ended.resolve(false);
      const cancelTimer = clock.after(maxMs, endWithoutEvent);
      abort.addEventListener('abort', endWithoutEvent, { once: true });
      try {
        return await ended.promise;
      } finally {
        cancelTimer();
        abort.removeEventListener('abort', endWithoutEvent);
        remove(workspaceId, waiter);
      }
    },
    get waiting() {
      return waiting;
    },
    async stop() {
      isStopped = true;
      for (const waiters of byWorkspace.values()) for (const waiter of waiters) waiter.end(false);
      await loop.stop();
    },
  };
}

const tooManyWaiting = () =>
  new AppError('concurrency_limited', 'Too many requests wait for events; retry shortly, or without wait.');
