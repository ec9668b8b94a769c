import type { Deadline } from '@shopscope/async';
import { periodAt } from '@shopscope/clock';
import type { CallContext } from '@shopscope/grpc';
import { takenBalanceOf } from '../domain/balance.ts';
import type { ReserveItem } from '../domain/charge.ts';
import type { Reserved } from '../domain/reserved.ts';
import { isZero, noUnits, unitNames } from '../domain/units.ts';
import type { Dependencies, Queues } from './dependencies.ts';
import { reserveCertainly } from './reserve-certainly.ts';

/** Charges that one log line names at most. */
const namedMax = 10;
/** Kept of the caller's time to bring it what was decided; of a short one, a quarter. */
const answerMarginMs = 250;

/**
 * Every item by its workspace's queue, parallel to the items. What bills nothing and is not named by an Idempotency-Key
 * needs no record: it is granted as it is. An item whose decision could not be made, or not shortly before the caller's
 * time ends, is undefined, so that one workspace's trouble does not become its neighbours'; when none could be made, the
 * first error is thrown. What is granted after that is a reservation without an event, which the sweeper gives back.
 */
export async function reserveItems(
  deps: Dependencies,
  queues: Queues,
  items: readonly ReserveItem[],
  caller: CallContext,
): Promise<(Reserved | undefined)[]> {
  const leftMs = caller.deadline.timeoutMs();
  const deadline = caller.deadline.capped(leftMs - Math.min(answerMarginMs, leftMs / 4));
  const settled = await Promise.allSettled(
    items.map((item) => {
      const isFree = isZero(item.units) && item.fingerprint === '';
      return deadline.race(
        isFree ? grantNothing(deps, item, deadline) : reserveCertainly(deps, queues, item, deadline),
      );
    }),
  );
  const failures = settled.filter((result) => result.status === 'rejected');
  if (failures.length > 0 && failures.length === settled.length) throw failures[0]?.reason;
  for (const { reason } of failures.slice(0, 1)) {
    const undecided = items.filter((_, n) => settled[n]?.status === 'rejected').slice(0, namedMax);
    const chargeIds = undecided.map(({ chargeId }) => chargeId);
    const requestIds = undecided.map(({ requestId }) => requestId || caller.origin.requestId);
    deps.logger.error({ err: reason, items: failures.length, chargeIds, requestIds }, 'items undecided');
  }
  return settled.map((result, n) => {
    if (result.status === 'rejected') return undefined;
    logRefusal(deps, items[n] as ReserveItem, result.value);
    return result.value;
  });
}

/** A 402 or 409 of the gateway, or the end of an execution that a later one has overtaken, begins here. */
function logRefusal({ logger }: Dependencies, item: ReserveItem, { outcome, ...reserved }: Reserved): void {
  if (outcome === 'granted' || outcome === 'already_settled') return;
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
