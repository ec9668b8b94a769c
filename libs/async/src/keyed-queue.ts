import type { Deadline } from './deadline.ts';
import { createKeyedBatcher } from './keyed-batcher.ts';

export type KeyedQueue = ReturnType<typeof createKeyedQueue>;

/**
 * Runs the work of a key one piece after another, in the order of the calls. The work of different keys runs concurrently. It is for
 * transactions that would conflict on one document: without the queue, many calls would retry beyond their deadline.
 */
export function createKeyedQueue() {
  const batcher = createKeyedBatcher<{ key: string; work(): Promise<unknown> }, unknown>({
    keyOf: ({ key }) => key,
    waitForRunningMs: Number.POSITIVE_INFINITY,
    maxBatchSize: 1,
    run: (pieces) => Promise.all(pieces.map(({ work }) => work())),
  });
  return {
    run: async <T>(key: string, work: () => Promise<T>, deadline: Deadline): Promise<T> =>
      (await batcher.submit({ key, work }, deadline)) as T,
  };
}
