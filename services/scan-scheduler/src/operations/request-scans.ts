import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Origin } from '@shopscope/telemetry';
import type { Dependencies } from './dependencies.ts';
import { requestScan, type ScanRequest } from './request-scan.ts';

/** Above every plan's batch and every consumed chunk. */
const requestsMax = 1_000;
const concurrency = 8;

/**
 * Many scan requests, a few at a time. Each is a transaction of its own and idempotent: when one fails the others stand,
 * and the caller sends all of them again. Rejects with the first failure, once none is under way any more. A caller's
 * time bounds all of them together; without one each has a transaction's own bound.
 */
export async function requestScans(
  deps: Dependencies,
  requests: readonly { request: ScanRequest; origin: Origin }[],
  caller?: Pick<CallContext, 'deadline'>,
): Promise<void> {
  if (requests.length > requestsMax) throw invalidField('requests', `has more than ${requestsMax} entries`);
  const waiting = requests.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const { request, origin } of waiting) {
      try {
        await requestScan(deps, request, origin, caller);
      } catch (error) {
        failures.push(error);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, work));
  if (failures.length > 0) throw failures[0];
}
