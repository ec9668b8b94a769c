import type { Deadline } from '@shopscope/async';
import { periodAt } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isZero, noUnits, unitNames } from '@shopscope/proto';
import { originFields } from '@shopscope/telemetry';
import { takenBalanceOf } from '../domain/balance.ts';
import type { QueuedReserveItem, ReserveItem } from '../domain/charge.ts';
import type { Reserved } from '../domain/reserved.ts';
import { outcomeLabel } from '../metrics.ts';
import type { Dependencies, Queues } from './dependencies.ts';

const maxLoggedCharges = 10;
/** The part of the caller's time that is kept for the response. It is at most a quarter of that time. */
const responseMarginMs = 250;
/** The number of catch-ups per call. The call does not decide a charge whose attempts change faster. */
const maxCatchUps = 2;

/**
 * Decides each item in the queue of its workspace. Resolves to one result per item, in the same order.
 *
 * - An item has no units and no Idempotency-Key -> it is granted without a record.
 * - An item fails, or is undecided shortly before the caller's deadline -> its result is undefined, so that one workspace
 *   does not affect the others. If it is granted later, no usage event follows, and the sweeper returns its reservation.
 * - Every item fails -> the call rejects with the first error.
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
    const environment = context.origin.environment ?? undefined;
    const fields = { items: failures.length, chargeIds, requestIds, environment };
    deps.logger.error({ err: reason, ...fields }, 'items undecided');
  }
  return settled.map((result, n) => {
    if (result.status === 'rejected') return undefined;
    logRefusal(deps, context, items[n] as ReserveItem, result.value);
    return result.value;
  });
}

/**
 * Decides one item in the queue of its workspace. If another execution opened the latest attempt, a catch-up may be
 * needed first: the ledger has to read every usage event that is durable now.
 *
 * - Concurrency: the item waits for the catch-up outside the queue. Other items of the workspace neither wait nor fail.
 * - The catch-up takes too long, or `maxCatchUps` is reached -> rejects with `internal`. The deadline ends -> rejects with its error.
 */
async function reserveAfterCatchUp(
  deps: Dependencies,
  queues: Queues,
  item: ReserveItem,
  deadline: Deadline,
): Promise<Reserved> {
  let reservation: QueuedReserveItem = item;
  for (let catchUps = 0; ; catchUps++) {
    const decided = await queues.reservations.submit(reservation, deadline);
    if (decided.outcome !== 'needs_catch_up') return decided;
    if (catchUps === maxCatchUps) throw changesTooFast(item);
    await deps.caughtUp(deadline);
    reservation = { ...item, verifiedAttempt: decided.unverifiedAttempt };
  }
}

const changesTooFast = ({ chargeId }: ReserveItem) =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: `attempts of ${chargeId} are opened faster than the ledger catches up`,
  });

/** Logs why a gateway responds with 402 or 409, or why it ends an execution that a later one has superseded. */
function logRefusal(
  { logger }: Dependencies,
  { origin: { environment } }: CallContext,
  { requestId, chargeId, workspaceId, keyId }: ReserveItem,
  { outcome: decided, ...reserved }: Reserved,
): void {
  if (decided === 'granted' || decided === 'already_settled') return;
  const outcome = outcomeLabel(decided);
  const unit = 'unit' in reserved ? unitNames[reserved.unit] : undefined;
  const fields = { ...originFields({ requestId, environment }), chargeId, workspaceId, keyId, outcome, unit };
  logger.info(fields, 'charge refused');
}

async function grantNothing(deps: Dependencies, item: ReserveItem, deadline: Deadline): Promise<Reserved> {
  const { workspaceId } = item;
  const periodStartMs = periodAt(deps.clock.now()).startMs;
  const taken = await deps.allowances.takenBy([workspaceId], periodStartMs, deadline.timeoutMs());
  const balance = takenBalanceOf(periodStartMs, taken.get(workspaceId)?.taken ?? noUnits);
  return { outcome: 'granted', attempt: 1, units: noUnits, periodStartMs, balance };
}
