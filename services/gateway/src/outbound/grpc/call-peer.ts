import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@shopscope/errors';
import type { CallOptions } from '@shopscope/grpc';

/**
 * One call of a neighbouring service. A connection that broke is tried again at once on another instance, twice at most
 * and within the caller's time; every call is safe to repeat, because reads change nothing and writes carry their ids.
 * Whatever fails in the end is `internal` outside: which neighbour it was is for the log alone.
 */
const pausesMs = [25, 150];

export async function callPeer<Result>(
  run: (options: CallOptions) => Promise<Result>,
  { timeoutMs, ...origin }: { timeoutMs: number } & Pick<CallOptions, 'origin' | 'origins'>,
): Promise<Result> {
  const endMs = performance.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await run({ ...origin, timeoutMs: endMs - performance.now() });
    } catch (error) {
      const pauseMs = pausesMs[attempt];
      const again = error instanceof AppError && error.code === 'unavailable' && pauseMs !== undefined;
      if (!again || performance.now() + pauseMs >= endMs) throw toInternal(error);
      await delay(pauseMs);
    }
  }
}

/** What two callers of one answer ask together: the longer bound. Each waits `within` its own. */
export const longerBound = <Item extends { timeoutMs: number }>(earlier: Item, later: Item): Item =>
  later.timeoutMs > earlier.timeoutMs ? { ...earlier, timeoutMs: later.timeoutMs } : earlier;

/** One caller's wait for a call that it shares; rejects with `internal` when its own bound ends before the call does. */
export async function within<Result>(timeoutMs: number, shared: Promise<Result>): Promise<Result> {
  const { promise: bound, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(toInternal(new Error(`no answer within ${timeoutMs} ms`))), timeoutMs);
  try {
    return await Promise.race([shared, bound]);
  } finally {
    clearTimeout(timer);
  }
}

function toInternal(error: unknown): AppError {
  return new AppError('internal', 'The service could not answer; retry in a few seconds.', { cause: error });
}
