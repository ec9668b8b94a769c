import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { QueuedReserveItem, ReserveItem } from '../domain/charge.ts';
import type { Reserved } from '../domain/reserved.ts';
import type { Dependencies, Queues } from './dependencies.ts';

/** Catch-ups per call. A charge whose attempts change faster is not decided by this call. */
const maxCatchUps = 2;

/**
 * Decides one item in the queue of its workspace. An attempt of an earlier execution needs a catch-up first: the ledger
 * has to read every usage event that is durable now.
 *
 * - Concurrency: the item waits for the catch-up outside the queue. Other items of the workspace neither wait nor fail.
 * - No catch-up in time, or `maxCatchUps` reached -> `internal`. Deadline -> the deadline's error.
 */
export async function reserveAfterCatchUp(
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
