import { createDeadline, type Deadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { EndpointRef } from '../../domain/endpoint.ts';
import type { Dependencies } from '../dependencies.ts';

const maxBatchSize = 2_000;
/** The endpoints that one run visits. */
const maxEndpoints = 20;
const maxBatches = 500;
const runMs = 10_000;
/** A consumer that read the endpoint before may insert deliveries until then. It gives up long before. */
const settlesAfterMs = 3 * minuteMs;

/** Ends the open deliveries of a deleted or disabled endpoint. What is left at the deadline, the timer ends. */
export async function endDeliveries<E extends Environment>(
  { deliveries }: Pick<Dependencies<E>, 'deliveries'>,
  ref: EndpointRef<E>,
  deadline: Deadline,
): Promise<void> {
  for (let batch = 0; batch < maxBatches && !deadline.expired; batch++) {
    if ((await deliveries.endSome(ref, maxBatchSize, deadline.timeoutMs())) < maxBatchSize) return;
  }
}

/** Continues what {@link endDeliveries} has left. Concurrency: every step is idempotent. */
export async function endClosedDeliveries<E extends Environment>(
  deps: Pick<Dependencies<E>, 'closings' | 'deliveries' | 'clock'>,
): Promise<void> {
  const { closings, clock } = deps;
  for (const { ref, since } of await closings.list(maxEndpoints, runMs)) {
    await endDeliveries(deps, ref, createDeadline(runMs, { clock }));
    if (clock.now() - since.getTime() >= settlesAfterMs) await closings.delete(ref, { maxTimeMS: runMs });
  }
}
