import type { Clock } from '@shopscope/clock';
import { metricsOf, type Registry } from '@shopscope/telemetry';

export type WebhooksMetrics = ReturnType<typeof createMetrics>;

export function createMetrics(registry: Registry, clock: Pick<Clock, 'now'>) {
  const { counter, gauge, collectedGauge, histogram } = metricsOf(registry);
  const attempts = counter('webhooks_attempts_total', 'Attempts by outcome', ['environment', 'outcome']);
  const latency = histogram(
    'webhooks_attempt_duration_seconds',
    'Durations of attempts',
    [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    ['environment'],
  );
  const refused = counter('webhooks_refused_hosts_total', 'Hosts that resolved to an address that is not public');
  const inFlight = gauge('webhooks_attempts_in_flight', 'Attempts that are being made', ['environment']);
  const oldestReady = gauge(
    'webhooks_oldest_ready_seconds',
    'How long the longest waiting endpoint has been ready; 0 without one',
    ['environment'],
  );
  const deletions = new Map<string, Date | undefined>();
  // The age grows from scrape to scrape, even while the timer does not run.
  collectedGauge(
    'webhooks_deletion_oldest_seconds',
    'Age of the oldest deleted workspace that still has data; 0 without one',
    (ages) => {
      for (const [environment, at] of deletions) {
        ages.set({ environment, kind: 'workspace' }, at ? Math.max(0, clock.now() - at.getTime()) / 1_000 : 0);
      }
    },
    ['environment', 'kind'],
  );
  return {
    oldestDeletion: (environment: string, at: Date | undefined): unknown => deletions.set(environment, at),
    created: counter('webhooks_deliveries_total', 'Deliveries that were made from events', ['environment']),
    lost: counter('webhooks_attempts_lost_total', 'Attempts that were not recorded, because their leases had ended'),
    attempt(environment: string, outcome: 'succeeded' | 'failed', latencyMs: number): void {
      attempts.inc({ environment, outcome });
      latency.observe({ environment }, latencyMs / 1_000);
    },
    refused: (): void => refused.inc(),
    inFlight: (environment: string, n: number): void => inFlight.set({ environment }, n),
    oldestReady: (environment: string, seconds: number): void => oldestReady.set({ environment }, seconds),
  };
}
