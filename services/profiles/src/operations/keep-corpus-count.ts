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

/** Longer than the slowest range: two reads of 15 s and the pause. */
const leaseMs = 60_000;
const maxFailurePauseMs = 10 * minuteMs;
const readTimeoutMs = 5_000;

/**
 * Keeps the latest count of the corpus in memory, and counts again when it is old.
 *
 * - All instances look; the one that takes the lease counts. So one count runs at a time, and at most one per interval.
 * - A count fails -> the earlier one stays. The lease stays taken for a while, so that a count that always fails does not run
 *   all the time.
 * - The process stops -> the lease ends, and another instance counts. The process is killed -> the lease expires.
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
  /** A count with a time in the future, from an instance with a wrong clock, is replaced like an old one. */
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
    /** Undefined while there is none. At most one look behind the database. */
    current: () => current,
    /** Reads the latest count of all instances. */
    refresh,
    /** Looks for a newer count, and counts when it is due. Rejects when this fails. */
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
        // The error is reported; this one would only say the same.
        await (abort.aborted ? counts.releaseLease(holder) : counts.renewLease(holder, clock.now() + pauseMs)).catch(
          () => {},
        );
        throw error;
      }
    },
  };
}
