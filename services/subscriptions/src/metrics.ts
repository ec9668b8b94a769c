import type { ChargeOutcome } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { metricsOf, type Registry } from '@shopscope/telemetry';

export type SubscriptionsMetrics = ReturnType<typeof createMetrics>;

/** The labels of data that the timer deletes step by step. */
type Deletions = { environment: Environment; kind: 'list' | 'watchlist' | 'workspace' };

export function createMetrics(registry: Registry, clock: Pick<Clock, 'now'>) {
  const { counter, gauge, collectedGauge } = metricsOf(registry);
  const charges = counter('subscriptions_charges_total', 'Charges of jobs and rescans by outcome', [
    'environment',
    'outcome',
  ]);
  const jobSteps = counter('subscriptions_job_steps_total', 'Steps of jobs by outcome', ['environment', 'outcome']);
  const activeJobs = gauge('subscriptions_jobs_active', 'Jobs that have not ended', ['environment']);
  const oldestProgress = gauge(
    'subscriptions_jobs_oldest_progress_seconds',
    'Time since the latest step of the active job with the longest pause; 0 without one',
    ['environment'],
  );
  const oldest = new Map<string, { labels: Deletions; at: Date | undefined }>();
  // The age grows from scrape to scrape, even while the timer does not run.
  collectedGauge(
    'subscriptions_deletion_oldest_seconds',
    'Age of the oldest deleted list, watchlist or workspace that still has data; 0 without one',
    (gauge) => {
      for (const { labels, at } of oldest.values()) {
        gauge.set(labels, at ? Math.max(0, clock.now() - at.getTime()) / 1_000 : 0);
      }
    },
    ['environment', 'kind'],
  );
  return {
    jobStep: (environment: Environment, outcome: string): void => jobSteps.inc({ environment, outcome }),
    jobActivity(environment: string, jobs: { active: number; oldestProgressSeconds: number }): void {
      activeJobs.set({ environment }, jobs.active);
      oldestProgress.set({ environment }, jobs.oldestProgressSeconds);
    },
    charge: (environment: Environment, outcome: ChargeOutcome): void => charges.inc({ environment, outcome }),
    rescans: counter('subscriptions_rescans_total', 'Executions of rescans by outcome', ['environment', 'outcome']),
    rescansDue: gauge('subscriptions_rescans_due', 'Workspaces whose rescans are due', ['environment']),
    oldestRescan: gauge(
      'subscriptions_rescans_oldest_due_seconds',
      'How long the rescans of a workspace have been due; 0 without any',
      ['environment'],
    ),
    storesDeleted: counter(
      'subscriptions_deleted_stores_total',
      'Stores of deleted lists and watchlists that were deleted',
      ['environment'],
    ),
    /** Sets the time of the oldest deletion that has not ended. Undefined if there is none. */
    oldestDeletion(labels: Deletions, at: Date | undefined): void {
      oldest.set(`${labels.environment} ${labels.kind}`, { labels, at });
    },
    oldestFanOut: gauge(
      'subscriptions_fan_out_oldest_seconds',
      'Age of the oldest update of a store whose fan-out has not ended; 0 without one',
      ['environment'],
    ),
  };
}
