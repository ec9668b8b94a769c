import { createDeadline, type Deadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import type { EndpointRef } from '../../domain/endpoint.ts';
import type { Dependencies } from '../dependencies.ts';

/** A transaction changes at most this many deliveries, each with a body of up to 20 KB. */
const maxBatchSize = 500;
/** The endpoints that one run visits. */
const maxEndpoints = 20;
const maxBatches = 2_000;
const runMs = 10_000;
/** A consumer that read the endpoint before may insert deliveries until then. It gives up long before. */
const settlesAfterMs = 3 * minuteMs;

type EndDependencies<E extends Environment> = Pick<Dependencies<E>, 'closings' | 'deliveries' | 'transact'>;

/**
 * Ends the open deliveries of a deleted or disabled endpoint. Returns false if some are left at the deadline. The timer ends them.
 *
 * - The endpoint becomes active -> its closing is deleted, and no delivery that it gets afterwards is ended.
 * - An attempt is being made -> it is not recorded, and its delivery has failed.
 */
export async function endDeliveries<E extends Environment>(
  { closings, deliveries, transact }: EndDependencies<E>,
  ref: EndpointRef<E>,
  deadline: Deadline,
): Promise<boolean> {
  const endBatch = () =>
    transact(async (tx) => ((await closings.hold(ref, tx)) ? deliveries.endSome(ref, maxBatchSize, tx) : 0), {
      deadline,
    });
  try {
    for (let batch = 0; batch < maxBatches && !deadline.expired; batch++) {
      if ((await endBatch()) < maxBatchSize) return true;
    }
  } catch (error) {
    if (!deadline.expired) throw error;
  }
  return false;
}

/** Continues what {@link endDeliveries} has left, for {@link runMs} in all. Concurrency: every step is idempotent. */
export async function endClosedDeliveries<E extends Environment>(
  deps: EndDependencies<E> & Pick<Dependencies<E>, 'clock'>,
): Promise<void> {
  const { closings, clock } = deps;
  const deadline = createDeadline(runMs, { clock });
  const listed = await closings.list(maxEndpoints, deadline.timeoutMs());
  for (const { ref, since } of listed) {
    // One endpoint with many deliveries leaves the others their part of the time.
    const isComplete = await endDeliveries(deps, ref, deadline.capped(runMs / listed.length));
    if (isComplete && clock.now() - since.getTime() >= settlesAfterMs) await closings.delete(ref, { maxTimeMS: runMs });
  }
}
