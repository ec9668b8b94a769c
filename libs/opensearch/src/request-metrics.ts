import type { ApiResponse, Client } from '@opensearch-project/opensearch';
import type { Clock } from '@shopscope/clock';
import { latencyBuckets, metricsOf, type Registry } from '@shopscope/telemetry';
import { failureOf } from './errors.ts';

/** Each of these operations has its own time series. All others share one. */
const named = ['search', 'bulk', 'count', 'point_in_time', 'refresh'];

/**
 * Measures each request of a client, with its retries as one request. The outcomes are `ok`, `failed` (unavailable or too many requests)
 * and `refused` (any other error).
 */
export function measureRequests(client: Client, registry: Registry, clock: Pick<Clock, 'monotonicMs'>): void {
  const duration = metricsOf(registry).histogram(
    'opensearch_request_duration_seconds',
    'Duration of requests to OpenSearch, by operation and outcome',
    latencyBuckets,
    ['operation', 'outcome'],
  );
  const startedMs = new WeakMap<object, number>();
  client.on('request', (_: unknown, { meta }: ApiResponse) => {
    if (!startedMs.has(meta)) startedMs.set(meta, clock.monotonicMs());
  });
  client.on('response', (error: unknown, { meta }: ApiResponse) => {
    const seconds = (clock.monotonicMs() - (startedMs.get(meta) ?? clock.monotonicMs())) / 1_000;
    duration.observe({ operation: operationOf(meta.request.params.path), outcome: outcomeOf(error) }, seconds);
  });
}

function operationOf(path: string): string {
  const last = path.split('/').findLast((segment) => named.includes(segment.replace(/^_/, '')));
  return last?.replace(/^_/, '') ?? 'other';
}

function outcomeOf(error: unknown): string {
  if (!error) return 'ok';
  const kind = failureOf(error);
  return kind === 'unavailable' || kind === 'too_many_requests' ? 'failed' : 'refused';
}
