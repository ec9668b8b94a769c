import { metricsOf, type Registry } from '@shopscope/telemetry';

export type SubscriptionsMetrics = ReturnType<typeof createMetrics>;

export function createMetrics(registry: Registry) {
  const { counter, gauge } = metricsOf(registry);
  return {
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
