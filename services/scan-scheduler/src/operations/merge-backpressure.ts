import type { Clock } from '@shopscope/clock';
import type { TopicProgress } from '@shopscope/kafka';
import { leasePauseMs } from '../domain/schedule.ts';
import type { SchedulerMetrics } from '../metrics.ts';
import type { LeasedScan } from './lease-scan.ts';

/**
 * Slows leasing down while profiles lags behind in observations.v1. A scan that waits in the queue costs nothing and is fresh when it is
 * carried out. An observation that waits for its merge gets older.
 *
 * - Concurrency: each instance measures the lag and paces its own leases. The instances share nothing.
 * - Kafka does not respond -> the last measured lag stays. Before the first measurement, leasing is not slowed down.
 */
export function createMergeBackpressure(options: {
  observations: TopicProgress;
  clock: Clock;
  metrics: Pick<SchedulerMetrics, 'mergeLag'>;
  /** The lag in observations up to which leasing is not slowed down. */
  maxLag: number;
}) {
  const { observations, clock, metrics, maxLag } = options;
  let lag = 0;
  let leasedAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** Measures the lag of profiles. Rejects if Kafka does not respond. */
    async measure(): Promise<void> {
      // The position is read first. Otherwise records that are published and read in between would count as negative lag.
      const consumed = await observations.consumed();
      let behind = 0n;
      for (const [partition, end] of await observations.ends()) behind += end - (consumed.get(partition) ?? 0n);
      lag = Number(behind);
      metrics.mergeLag.set(lag);
    },
    /** Runs `lease`. Resolves with null instead if the pause after the previous lease is not over. */
    async pace(lease: () => Promise<LeasedScan | null>): Promise<LeasedScan | null> {
      if (clock.monotonicMs() - leasedAtMs < leasePauseMs(lag, maxLag)) return null;
      const leased = await lease();
      if (leased) leasedAtMs = clock.monotonicMs();
      return leased;
    },
  };
}
