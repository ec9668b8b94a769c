import { Counter, Gauge, Histogram, type Registry } from '@shopscope/telemetry';
import type { BackgroundSource } from './domain/background.ts';
import type { ClaimOutcome } from './domain/job.ts';

export type SchedulerMetrics = ReturnType<typeof createSchedulerMetrics>;

const waitBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export function createSchedulerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    claims: new Counter<'outcome'>({
      name: 'scan_claims_total',
      help: 'Claims of domains, by outcome',
      labelNames: ['outcome'] satisfies ['outcome'],
      registers,
    }) as Counter<'outcome'> & { inc(labels: { outcome: ClaimOutcome }): void },
    claimsDropped: new Counter({
      name: 'scan_claims_dropped_total',
      help: 'Claims dropped because no scan request arrived',
      registers,
    }),
    jobs: new Gauge<'state'>({ name: 'scan_jobs', help: 'Live jobs by state', labelNames: ['state'], registers }),
    jobsEnded: new Counter<'state' | 'code'>({
      name: 'scan_jobs_ended_total',
      help: 'Jobs ended, by state and error code',
      labelNames: ['state', 'code'],
      registers,
    }),
    oldestDue: new Gauge({
      name: 'scan_queue_oldest_seconds',
      help: 'Time since the oldest waiting scan that somebody asked for became due, without parked scans',
      registers,
    }),
    oldestBackground: new Gauge({
      name: 'scan_background_oldest_seconds',
      help: 'Time since the oldest waiting background scan became due',
      registers,
    }),
    backgroundScans: new Counter<'source' | 'outcome'>({
      name: 'scan_background_scans_total',
      help: 'Background scans by source (refresh, list) and outcome: queued, live (a scan of the domain waited already), succeeded, failed',
      labelNames: ['source', 'outcome'] satisfies ['source', 'outcome'],
      registers,
    }) as Counter<'source' | 'outcome'> & {
      inc(labels: { source: BackgroundSource; outcome: 'queued' | 'live' | 'succeeded' | 'failed' }): void;
    },
    refreshOverdue: new Gauge({
      name: 'scan_refresh_overdue_seconds',
      help: 'Time for which the oldest profile has been due for a refresh; 0 when none is due or refreshes are off',
      registers,
    }),
    mergeLag: new Gauge({
      name: 'scan_merge_lag',
      help: 'Observations that profiles has not read yet; above MERGE_LAG_MAX leasing slows down',
      registers,
    }),
    queueAge: new Histogram({
      name: 'scan_queue_age_seconds',
      help: 'Time from the due time of a scan to its lease, without background scans',
      buckets: waitBuckets,
      registers,
    }),
    leaseWait: new Histogram<'outcome'>({
      name: 'scan_lease_wait_seconds',
      help: 'Wait of a scanner for a lease, by outcome',
      labelNames: ['outcome'],
      buckets: waitBuckets,
      registers,
    }),
    attemptsLost: new Counter<'reason'>({
      name: 'scan_attempts_lost_total',
      help: 'Attempts that ended without a merged observation: lease_lost, observation_lost, sequence_passed, abandoned, undecided',
      labelNames: ['reason'],
      registers,
    }),
    parked: new Gauge({
      name: 'scan_parked',
      help: 'Scans that wait for a turn of a pacing target, at most 10,000',
      registers,
    }),
    oldestParked: new Gauge({
      name: 'scan_parked_oldest_seconds',
      help: 'Time since the oldest parked scan became due or was put off',
      registers,
    }),
    putOff: new Counter<'kind'>({
      name: 'scan_visits_put_off_total',
      help: 'Visits that a pacing target put off during their lease, by kind of target: domain, address, platform',
      labelNames: ['kind'],
      registers,
    }),
    requestWait: new Histogram({
      name: 'scan_request_wait_seconds',
      help: 'Wait of an admitted request for its slot at its pacing targets',
      buckets: waitBuckets,
      registers,
    }),
    attempts: new Histogram({
      name: 'scan_attempts',
      help: 'Leases per scan, at its end',
      buckets: [1, 2, 3],
      registers,
    }),
  };
}
