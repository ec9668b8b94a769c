import { periodAt } from '@shopscope/clock';
import type { Tx } from '@shopscope/mongo';
import type { Reservation } from '../domain/charge.ts';
import { noUnits } from '../domain/units.ts';
import type { Dependencies } from './dependencies.ts';
import { type Decided, openedBy } from './reserve-batch.ts';
import { takeWhole } from './take-allowance.ts';

/** A charge that no Idempotency-Key names has an id of its own: nearly always, nobody has seen it before. */
export const mayBeFresh = (items: readonly Reservation[]) =>
  items.every(({ fingerprint, certainAttempt }) => fingerprint === '' && certainAttempt === undefined);

/**
 * The body of a reserving transaction that reads nothing: it supposes that no charge has a record and that the allowance
 * holds all of them. A record there is, of a call sent again, refutes it with a duplicate key, and the transaction is gone.
 * Undefined, with nothing written, when the allowance does not hold them all: what each of them means is then to be read
 * first, because one of them may be a call sent again, and hold its units already.
 */
export async function reserveFresh(
  deps: Dependencies,
  workspaceId: string,
  items: readonly Reservation[],
  ticket: string,
  tx: Tx,
): Promise<Decided | undefined> {
  const nowMs = deps.clock.now();
  const period = { workspaceId, periodStartMs: periodAt(nowMs).startMs };
  const wanted = items.map((item) => ({ ...item, credit: noUnits }));
  const taken = await takeWhole(deps, period, wanted, nowMs, tx);
  if (!taken) return undefined;
  const opened = items.map((item) => openedBy(item, 1, nowMs, deps));
  await deps.charges.insert(opened, ticket, nowMs, tx);
  return {
    periodStartMs: period.periodStartMs,
    decisions: items.map(() => ({ kind: 'open', number: 1, superseded: undefined, charge: undefined })),
    exhausted: items.map(() => undefined),
    opened,
    taken,
  };
}
