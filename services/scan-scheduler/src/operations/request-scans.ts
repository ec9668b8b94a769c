import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';
import type { Dependencies } from './dependencies.ts';
import { requestScan, type ScanRequest } from './request-scan.ts';

/** Larger than the batch of every plan and of the consumer. */
const maxBatchSize = 1_000;
const concurrency = 8;

/**
 * Queues several jobs, `concurrency` at a time. Each request is an idempotent transaction.
 *
 * - A request fails -> the committed requests stay. Rejects with the first failure when no request is running any more,
 *   and the caller sends all requests again.
 * - Bounds: the deadline of `context` for all requests; without `context` the limit of each transaction.
 */
export async function requestScans(
  deps: Dependencies,
  requests: readonly { request: ScanRequest; origin: Origin }[],
  context?: Pick<CallContext, 'deadline'>,
): Promise<void> {
  if (requests.length > maxBatchSize) throw invalidField('requests', `has more than ${maxBatchSize} entries`);
  const waiting = requests.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const { request, origin } of waiting) {
      try {
        await requestScan(deps, request, origin, context);
      } catch (error) {
        failures.push(error);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, work));
  if (failures.length > 0) throw failures[0];
}
