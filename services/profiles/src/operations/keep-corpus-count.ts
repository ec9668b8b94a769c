import { randomUUID } from 'node:crypto';
import { type Clock, minuteMs } from '@shopscope/clock';
import type { CorpusCount } from '../domain/corpus-count.ts';
import type { ProfilesMetrics } from '../metrics.ts';
import type { CorpusCountStore } from '../outbound/mongo/corpus-counts.ts';
import { type CountOptions, countCorpus } from './count-corpus.ts';
import { maxDomainsPerPage } from './list-domains.ts';

export interface CorpusCountsOptions {
  counts: CorpusCountStore;
  deps: Parameters<typeof countCorpus>[0];
  metrics: Pick<ProfilesMetrics, 'corpusCountedAt' | 'corpusCountDuration'>;
  intervalMs: number;
  clock: Clock;
  rangeSize?: CountOptions['rangeSize'];
}

/** This is longer than the slowest range: two reads of 15 s and the pause. */
const leaseMs = 60_000;
const maxFailurePauseMs = 10 * minuteMs;
const readTimeoutMs = 5_000;

/**
 * Keeps the latest count of the corpus in memory, and counts again when the count is old.
 *
 * - All instances check the latest count. The instance that takes the lease counts. Therefore one count runs at a time, and
 *   at most one per interval.
 * - A count fails -> the earlier count stays. The lease is kept for a while, so that a count that always fails does not run all the time.
 * - The process stops -> the lease is released, and another instance counts. The process is killed -> the lease expires.
 * - The lease is lost, because the process was suspended -> the count is dropped.
 */
export function createCorpusCounts(options: CorpusCountsOptions) {
  const { counts, deps, metrics, intervalMs, clock, rangeSize = maxDomainsPerPage } = options;
  const holder = randomUUID();
  let current: CorpusCount | undefined;

  const show = (count: CorpusCount | undefined) => {
    current = count;
    if (count) metrics.corpusCountedAt.set(count.countedAt.getTime() / 1_000);
  };
  const refresh = async () => {
    const latestAt = await counts.latestAt(readTimeoutMs);
    if (latestAt?.getTime() !== current?.countedAt.getTime()) show(await counts.load(readTimeoutMs));
  };
  /** Whether to count again. A count with a future time, from an instance with a wrong clock, is replaced like an old one. */
  const isDue = () => !current || Math.abs(clock.now() - current.countedAt.getTime()) >= intervalMs;

  const count = async (abort: AbortSignal) => {
    const startedMs = clock.monotonicMs();
    const beforeRange = async () => {
      abort.throwIfAborted();
      if (!(await counts.renewLease(holder, clock.now() + leaseMs))) throw new Error('the lease to count was lost');
    };
    const counted = await countCorpus(deps, { rangeSize, abort, beforeRange });
    if (!(await counts.replace(holder, counted))) throw new Error('the lease to count was lost');
    show(counted);
    metrics.corpusCountDuration.set((clock.monotonicMs() - startedMs) / 1_000);
  };

  return {
    /** Returns the count as of the latest look, or undefined while there is none. */
    current: () => current,
    /** Reads the latest count of any instance. */
    refresh,
    /** Looks for a newer count, and counts if this is due. Rejects if this fails. */
    async look(abort: AbortSignal): Promise<void> {
      await refresh();
      if (!isDue() || !(await counts.takeLease(holder, clock.now(), leaseMs))) return;
      try {
        // Another instance may have counted between the look and the lease.
        await refresh();
        if (isDue()) await count(abort);
        else await counts.releaseLease(holder);
      } catch (error) {
        const pauseMs = Math.min(intervalMs, maxFailurePauseMs);
        // The first error is reported. An error of the lease would add nothing.
        await (abort.aborted ? counts.releaseLease(holder) : counts.renewLease(holder, clock.now() + pauseMs)).catch(
          () => {},
        );
        throw error;
      }
    },
  };
}
