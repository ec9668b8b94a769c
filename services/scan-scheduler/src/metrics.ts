import { metricsOf, type Registry } from '@shopscope/telemetry';

export type SchedulerMetrics = ReturnType<typeof createMetrics>;
/** The metrics of operations on jobs. */
export type JobMetrics = Pick<SchedulerMetrics, 'claims' | 'claimsDropped' | 'jobsEnded'>;

const waitBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export function createMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOf(registry);
  return {
    claims: counter('scan_claims_total', 'Claims of domains, by outcome', ['outcome']),
    claimsDropped: counter('scan_claims_dropped_total', 'Claims dropped because no scan request arrived'),
    jobs: gauge('scan_jobs', 'Live jobs by state', ['state']),
    jobsEnded: counter('scan_jobs_ended_total', 'Jobs ended, by state and error code', ['state', 'code']),
    oldestDue: gauge(
      'scan_queue_oldest_seconds',
      'Time since the oldest waiting scan that somebody asked for became due, without parked scans',
    ),
    oldestBackground: gauge(
      'scan_background_oldest_seconds',
      'Time since the oldest waiting background scan became due',
    ),
    backgroundScans: counter(
      'scan_background_scans_total',
      'Background scans by source (refresh, list) and outcome: queued, live (a scan of the domain waited already), succeeded, failed',
      ['source', 'outcome'],
    ),
    refreshOverdue: gauge(
      'scan_refresh_overdue_seconds',
      'Time for which the oldest profile has been due for a refresh; 0 when none is due or refreshes are off',
    ),
    mergeLag: gauge(
      'scan_merge_lag',
      'Observations that profiles has not read yet; above MERGE_LAG_MAX leasing slows down',
    ),
    queueAge: histogram(
      'scan_queue_age_seconds',
      'Time from the due time of a scan to its lease, without background scans',
      waitBuckets,
    ),
    leaseWait: histogram('scan_lease_wait_seconds', 'Wait of a scanner for a lease, by outcome', waitBuckets, [
      'outcome',
    ]),
    attemptsLost: counter(
      'scan_attempts_lost_total',
      'Attempts that ended without a merged observation: lease_lost, observation_lost, sequence_passed, abandoned, undecided',
      ['reason'],
    ),
    parked: gauge('scan_parked', 'Scans that wait for a turn of a pacing target, at most 10,000'),
    oldestParked: gauge('scan_parked_oldest_seconds', 'Time since the oldest parked scan became due or was put off'),
    putOff: counter(
      'scan_visits_put_off_total',
      'Visits that a pacing target put off during their lease, by kind of target: domain, address, platform',
      ['kind'],
    ),
    requestWait: histogram(
      'scan_request_wait_seconds',
      'Wait of an admitted request for its slot at its pacing targets',
      waitBuckets,
    ),
    attempts: histogram('scan_attempts', 'Leases per scan, at its end', [1, 2, 3]),
  };
}
