import type { ChargeOutcome } from '@shopscope/charging';
import { metricsOf, type Registry } from '@shopscope/telemetry';

export type SubscriptionsMetrics = ReturnType<typeof createMetrics>;

export function createMetrics(registry: Registry) {
  const { counter, gauge } = metricsOf(registry);
  const charges = counter('subscriptions_charges_total', 'Charges of jobs and rescans by outcome', ['outcome']);
  return {
    charge: (outcome: ChargeOutcome): void => charges.inc({ outcome }),
    storesDeleted: counter(
      'subscriptions_deleted_stores_total',
      'Stores of deleted lists and watchlists that were deleted',
    ),
    oldestDeletion: gauge(
      'subscriptions_deletion_oldest_seconds',
      'Age of the oldest deleted list or watchlist that still has stores; 0 without one',
      ['environment', 'kind'],
    ),
  };
}
