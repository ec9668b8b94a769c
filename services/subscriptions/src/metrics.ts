import type { ChargeOutcome } from '@shopscope/charging';
import { metricsOf, type Registry } from '@shopscope/telemetry';

export type SubscriptionsMetrics = ReturnType<typeof createMetrics>;

export function createMetrics(registry: Registry) {
  const { counter, gauge } = metricsOf(registry);
  const charges = counter('subscriptions_charges_total', 'Charges of jobs and rescans by outcome', ['outcome']);
  const jobSteps = counter('subscriptions_job_steps_total', 'Steps of jobs by outcome', ['outcome']);
  const activeJobs = gauge('subscriptions_jobs_active', 'Jobs that have not ended', ['environment']);
  const oldestProgress = gauge(
    'subscriptions_jobs_oldest_progress_seconds',
    'Time since the latest step of the active job that stands longest; 0 without one',
    ['environment'],
  );
  return {
    jobStep: (outcome: string): void => jobSteps.inc({ outcome }),
    jobActivity(environment: string, jobs: { active: number; oldestProgressSeconds: number }): void {
      activeJobs.set({ environment }, jobs.active);
      oldestProgress.set({ environment }, jobs.oldestProgressSeconds);
    },
    charge: (outcome: ChargeOutcome): void => charges.inc({ outcome }),
    rescans: counter('subscriptions_rescans_total', 'Executions of rescans by outcome', ['outcome']),
    rescansDue: gauge('subscriptions_rescans_due', 'Workspaces whose rescans are due'),
    oldestRescan: gauge(
      'subscriptions_rescans_oldest_due_seconds',
      'How long the rescans of a workspace have been due; 0 without any',
    ),
    storesDeleted: counter(
      'subscriptions_deleted_stores_total',
      'Stores of deleted lists and watchlists that were deleted',
    ),
    oldestDeletion: gauge(
      'subscriptions_deletion_oldest_seconds',
      'Age of the oldest deleted list or watchlist that still has stores; 0 without one',
      ['environment', 'kind'],
    ),
    oldestFanOut: gauge(
      'subscriptions_fan_out_oldest_seconds',
      'Age of the oldest update of a store whose fan-out has not ended; 0 without one',
      ['environment'],
    ),
  };
}
