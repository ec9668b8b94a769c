import type { Deadline } from '@shopscope/async';
import { AppError } from '@shopscope/errors';
import type { Reservation, ReserveItem } from '../domain/charge.ts';
import type { Reserved } from '../domain/reserved.ts';
import type { Dependencies, Queues } from './dependencies.ts';

/** So often the ledger is waited for; a charge whose attempts change faster is not decided by this call. */
const catchUps = 2;

/**
 * Decides one item in its workspace's queue. An attempt of an earlier execution is decided once the ledger has caught up
 * with its events, and the item waits for that outside of the queue: what else comes for the workspace does not wait with
 * it, nor fail when the ledger does not catch up. Rejects then with `internal`, and at `deadline`.
 */
export async function reserveCertainly(
  deps: Dependencies,
  queues: Queues,
  item: ReserveItem,
  deadline: Deadline,
): Promise<Reserved> {
  let reservation: Reservation = item;
  for (let caughtUp = 0; ; caughtUp++) {
    const decided = await queues.reservations.submit(reservation, deadline);
    if (decided.outcome !== 'doubtful') return decided;
    if (caughtUp === catchUps) throw changesTooFast(item);
    await deps.caughtUp(deadline);
    reservation = { ...item, certainAttempt: decided.doubtfulAttempt };
  }
}

const changesTooFast = ({ chargeId }: ReserveItem) =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: `attempts of ${chargeId} are opened faster than the ledger catches up`,
  });
