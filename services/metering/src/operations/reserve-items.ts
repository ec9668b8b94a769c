import type { Deadline } from '@shopscope/async';
import { periodAt } from '@shopscope/clock';
import type { CallContext } from '@shopscope/grpc';
import { takenBalanceOf } from '../domain/balance.ts';
import type { ReserveItem } from '../domain/charge.ts';
import type { Reserved } from '../domain/reserved.ts';
import { isZero, noUnits, unitNames } from '../domain/units.ts';
import { outcomeLabel } from '../metrics.ts';
import type { Dependencies, Queues } from './dependencies.ts';
import { reserveAfterCatchUp } from './reserve-after-catch-up.ts';

const maxLoggedCharges = 10;
/** Part of the caller's time that is left for the response; at most a quarter of it. */
const responseMarginMs = 250;

/**
 * Decides each item in the queue of its workspace; the results are parallel to the items.
 *
 * - No units and no Idempotency-Key -> granted without a record.
 * - An item fails, or is undecided shortly before the caller's deadline -> undefined for this item, so that one workspace
 *   does not affect the others. A later grant has no usage event, and the sweeper returns its reservation.
 * - Every item fails -> rejects with the first error.
 */
export async function reserveItems(
  deps: Dependencies,
  queues: Queues,
  items: readonly ReserveItem[],
  context: CallContext,
): Promise<(Reserved | undefined)[]> {
  const leftMs = context.deadline.timeoutMs();
  const deadline = context.deadline.capped(leftMs - Math.min(responseMarginMs, leftMs / 4));
  const settled = await Promise.allSettled(
    items.map((item) => {
      const isFree = isZero(item.units) && item.fingerprint === '';
      return deadline.race(
        isFree ? grantNothing(deps, item, deadline) : reserveAfterCatchUp(deps, queues, item, deadline),
      );
    }),
  );
  const failures = settled.filter((result) => result.status === 'rejected');
  if (failures.length > 0 && failures.length === settled.length) throw failures[0]?.reason;
  for (const { reason } of failures.slice(0, 1)) {
    const undecided = items.filter((_, n) => settled[n]?.status === 'rejected').slice(0, maxLoggedCharges);
    const chargeIds = undecided.map(({ chargeId }) => chargeId);
    const requestIds = undecided.map(({ requestId }) => requestId || context.origin.requestId);
    deps.logger.error({ err: reason, items: failures.length, chargeIds, requestIds }, 'items undecided');
  }
  return settled.map((result, n) => {
    if (result.status === 'rejected') return undefined;
    logRefusal(deps, items[n] as ReserveItem, result.value);
    return result.value;
  });
}

/** The cause of a gateway's 402 or 409, or of the end of an execution that a later one has superseded. */
function logRefusal({ logger }: Dependencies, item: ReserveItem, { outcome: decided, ...reserved }: Reserved): void {
  if (decided === 'granted' || decided === 'already_settled') return;
  const outcome = outcomeLabel(decided);
  const { requestId, chargeId, workspaceId, keyId } = item;
  const unit = 'unit' in reserved ? unitNames[reserved.unit] : undefined;
  logger.info({ requestId, chargeId, workspaceId, keyId, outcome, unit }, 'charge refused');
}

async function grantNothing(deps: Dependencies, item: ReserveItem, deadline: Deadline): Promise<Reserved> {
  const { workspaceId } = item;
  const periodStartMs = periodAt(deps.clock.now()).startMs;
  const taken = await deps.allowances.takenBy([workspaceId], periodStartMs, deadline.timeoutMs());
  const balance = takenBalanceOf(periodStartMs, taken.get(workspaceId) ?? noUnits);
  return { outcome: 'granted', attempt: 1, units: noUnits, periodStartMs, balance };
}
