import { createDeadline, type Deadline } from '@shopscope/async';
import { minuteMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import type { Replay, ReplayRef } from '../../domain/replay.ts';
import type { Dependencies } from '../dependencies.ts';
import { endReplay } from './end-replay.ts';
import { findReplay, replayRefOf } from './find-replay.ts';

const maxBatchSize = 2_000;
const maxBatches = 500;
/** The jobs that one run visits. */
const maxJobs = 20;
const runMs = 10_000;
/** A step that is being executed may queue deliveries until then. It gives up earlier. */
const settlesAfterMs = 2 * minuteMs;

/**
 * Cancels a job and withdraws the deliveries that it has queued and that were not tried. A job that has ended is returned as it is.
 *
 * - The call or the process ends -> the timer withdraws what is left.
 */
export async function cancelReplay<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  id: string,
  context: CallContext,
): Promise<Replay> {
  const ref = replayRefOf(tenant, id);
  const end = { state: 'canceled' as const, withdrawsUntil: new Date(deps.clock.now() + settlesAfterMs) };
  const canceled = await deps.transact((tx) => endReplay(deps, ref, end, tx), context);
  if (!canceled) return findReplay(deps, tenant, id, context);
  await withdraw(deps, ref, canceled.endpointId, context.deadline);
  return canceled;
}

/** Continues what {@link cancelReplay} has left, for {@link runMs} in all. Concurrency: every step is idempotent. */
export async function withdrawDeliveries<E extends Environment>(
  deps: Pick<Dependencies<E>, 'replays' | 'deliveries' | 'queues' | 'clock'>,
): Promise<void> {
  const { replays, clock } = deps;
  const deadline = createDeadline(runMs, { clock });
  const listed = await replays.listWithdrawing(maxJobs, deadline.timeoutMs());
  for (const { ref, endpointId, until } of listed) {
    const isPast = clock.now() >= until.getTime();
    const isComplete = await withdraw(deps, ref, endpointId, deadline.capped(runMs / listed.length));
    if (isPast && isComplete) await replays.endWithdrawal(ref, runMs);
  }
}

/** Returns false if some deliveries are left at the deadline. */
async function withdraw<E extends Environment>(
  { deliveries, queues, clock }: Pick<Dependencies<E>, 'deliveries' | 'queues' | 'clock'>,
  ref: ReplayRef<E>,
  endpointId: string,
  deadline: Deadline,
): Promise<boolean> {
  for (let batch = 0; batch < maxBatches && !deadline.expired; batch++) {
    const withdrawn = await deliveries.withdraw(ref, ref.id, maxBatchSize, runMs);
    // A delivery that was being retried may be due.
    if (withdrawn > 0) await queues.announce(ref, [endpointId], new Date(clock.now()), { maxTimeMS: runMs });
    if (withdrawn < maxBatchSize) return true;
  }
  return false;
}
