import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NeighbourCounts } from './counts.ts';

export interface NeighbourOptions {
  gatewayUrls: readonly string[];
  secret: string;
  /** A test key of the same workspace. */
  testSecret: string;
  /** The address at which the dashboard answers MCP messages, and the keys for them. */
  mcp: { url: string; secrets: readonly string[] };
  /** The domains that have a profile. */
  known: readonly string[];
  seed: number;
}

export type NeighbourCommand = 'begin' | 'pause';

/**
 * Starts a greedy neighbour: one workspace, with a live and a test key, and one address without a key that send the worst that the limits admit. It runs in a thread of
 * its own, so that its work does not delay the requests of the bench's clients.
 */
export function startNeighbour(workerData: NeighbourOptions) {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData });
  const failure = Promise.withResolvers<never>();
  worker.once('error', failure.reject);
  // `pause` reports the rejection.
  failure.promise.catch(() => {});
  const command = (name: NeighbourCommand) => worker.postMessage(name);
  return {
    begin: () => command('begin'),
    /** Closes every connection of the neighbour. Resolves to its counts since the start of the thread. */
    async pause(): Promise<NeighbourCounts> {
      const paused = once(worker, 'message');
      command('pause');
      const [counts] = (await Promise.race([paused, failure.promise])) as [NeighbourCounts];
      return counts;
    },
    async stop() {
      await worker.terminate();
    },
  };
}
