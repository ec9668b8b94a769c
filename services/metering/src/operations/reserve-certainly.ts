import { AppError } from '@shopscope/errors';
import type { ReserveItem } from '../domain/charge.ts';
import type { Reserved } from '../domain/reserved.ts';
import type { Reservation } from './decide-charges.ts';
import type { Dependencies, Queues } from './dependencies.ts';

/** So often the ledger is waited for; a charge whose attempts change faster is not decided by this call. */
const catchUps = 2;

/**
 * Decides one item in its workspace's lane. An attempt of an earlier execution is decided once the ledger has caught up
 * with its events, and the item waits for that outside of the lane: what else comes for the workspace does not wait with
 * it, nor fail when the ledger does not catch up. Rejects then with `internal`, and after `timeoutMs`.
 */
export async function reserveCertainly(
  deps: Dependencies,
  queues: Queues,
  item: ReserveItem,
  timeoutMs: number,
): Promise<Reserved> {
  const endMs = deps.clock.monotonicMs() + timeoutMs;
  const remainingMs = () => endMs - deps.clock.monotonicMs();
  let reservation: Reservation = item;
  for (let caughtUp = 0; ; caughtUp++) {
    const decided = await queues.reservations.submit(reservation, remainingMs());
    if (decided.outcome !== 'doubtful') return decided;
    if (caughtUp === catchUps) throw changesTooFast(item);
    await deps.caughtUp(Math.max(1, remainingMs()));
    reservation = { ...item, certainAttempt: decided.doubtfulAttempt };
  }
}

const changesTooFast = ({ chargeId }: ReserveItem) =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: `attempts of ${chargeId} are opened faster than the ledger catches up`,
  });
