import type { Deadline } from '@shopscope/async';
import { isDuplicateKey, type Tx } from '@shopscope/mongo';
import { type Attempt, attemptOf } from '../domain/attempt.ts';
import { workspacesOf } from '../domain/charge.ts';
import { allowanceKey, type Folded, foldEvents, type UsageEvent } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import type { AllowanceLimits } from '../domain/threshold.ts';
import { ownEvents } from './charge-owners.ts';
import type { Dependencies } from './dependencies.ts';
import { heldUnits, takeHeld } from './held-units.ts';
import { type Recorded, recordAfterReading } from './record-after-reading.ts';
import { writeFolded } from './write-folded.ts';

/**
 * Records usage in the ledger. Only Reserve (for superseded attempts) and refunds write other ledger entries. The events come
 * from Kafka, RecordUsage, VoidCharge and the sweeper.
 *
 * - One transaction reads charges and entries, folds the events, inserts the entries, and changes counters and allowances.
 * - Optimistic: almost every event is the first event of its attempt, and its charge has a record. The first transaction assumes
 *   both and reads only the number of charges. If an assumption is wrong, a second transaction reads first.
 * - An event names a charge of another workspace -> it is logged and changes nothing.
 * - Concurrency: entry ids are unique, so a repeated or concurrent run changes nothing more.
 * - The outcome of the commit is unknown -> the call rejects, and the caller runs it again.
 * - Resolves to the refused lease charges, by {@link attemptKey}. A charge is refused if it was voided, or if it is late: its
 *   lease was closed, and the allowance did not have the units left.
 */
export async function recordUsage(
  deps: Dependencies,
  events: readonly UsageEvent[],
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set();
  const recorded = await record(deps, events, deadline).catch((error: unknown) => {
    if (!(error instanceof OptimisticConflict) && !isDuplicateKey(error)) throw error;
    return recordRead(deps, events, deadline);
  });
  report(deps, events, recorded.folded, recorded.unknown);
  return recorded.refused;
}

function record(deps: Dependencies, events: readonly UsageEvent[], deadline: Deadline): Promise<Recorded> {
  const isOptimistic = events.every(({ kind }) => kind === 'count');
  if (isOptimistic) return deps.transact((tx) => recordOptimistically(deps, events, tx), { deadline });
  return recordRead(deps, events, deadline);
}

/** Reads first. If a key stays duplicate, it may be a charge of another workspace: the events of such charges are left out. */
async function recordRead(deps: Dependencies, events: readonly UsageEvent[], deadline: Deadline): Promise<Recorded> {
  const recordAll = (all: readonly UsageEvent[]) =>
    deps.transact((tx) => recordAfterReading(deps, all, tx), { deadline, retryDuplicateKeys: true });
  try {
    return await recordAll(events);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const own = await ownEvents(deps, events, deadline);
    if (own.length === events.length) throw error;
    return recordAll(own);
  }
}

/** Thrown when an optimistic assumption is wrong. The transaction aborts, and the reading path decides. */
class OptimisticConflict extends Error {}

/** Assumes that no attempt has an entry (if one has, the insert fails with a duplicate key) and that every charge has a record. */
async function recordOptimistically(deps: Dependencies, events: readonly UsageEvent[], tx: Tx): Promise<Recorded> {
  const { held, limits: ofLeases } = await heldUnits(deps, events, tx);
  const reserved = events.filter(({ leaseId }) => leaseId === '');
  const ids = new Set(reserved.map(({ chargeId }) => chargeId));
  // Both reads run outside the transaction, so that it stays short. They may, because a record is kept longer than its events.
  const workspaceIds = workspacesOf(reserved);
  const recorded = deps.charges.countWithIncluded(
    { workspaceIds, ids: [...ids] },
    allowanceKeysOf(reserved),
    tx.maxTimeMS,
  );
  recorded.catch(() => {});
  const retried = events.filter(({ attempt }) => attempt > 1);
  const records = deps.charges.find(
    { workspaceIds, ids: [...new Set(retried.map(({ chargeId }) => chargeId))] },
    { maxTimeMS: tx.maxTimeMS },
  );
  records.catch(() => {});
  const attempts = new Map<string, Attempt>();
  for (const event of events) {
    const key = attemptKey(event.chargeId, event.attempt);
    // The event contains the granted units, which are the units of its reservation.
    if (attempts.has(key)) continue;
    if (event.leaseId !== '' && !takeHeld(held, event)) throw new OptimisticConflict();
    attempts.set(key, attemptOf({ ...event, number: event.attempt }, [], event.units));
  }
  const folded = foldEvents(events, attempts, new Map(), deps.clock.now());
  const limits = recorded.then(({ included }) => {
    const ofReserved = [...included].map(([key, units]) => [key, { included: units }] as const);
    return new Map<string, AllowanceLimits>([...ofReserved, ...ofLeases]);
  });
  limits.catch(() => {});
  await writeFolded(deps, folded, limits, tx);
  if ((await recorded).count < ids.size) throw new OptimisticConflict();
  // After a restore, the record may be of an earlier attempt than the event. The earlier attempt then has to end first.
  const known = await records;
  if (retried.some(({ chargeId, attempt }) => (known.get(chargeId)?.attempt ?? 0) < attempt))
    throw new OptimisticConflict();
  return { folded, unknown: 0, refused: new Set() };
}

const allowanceKeysOf = (events: readonly UsageEvent[]): string[] => [
  ...new Set(events.map(({ workspaceId, periodStartMs }) => allowanceKey(workspaceId, periodStartMs))),
];

function report(deps: Dependencies, events: readonly UsageEvent[], folded: Folded, unknown: number): void {
  const { metrics, logger } = deps;
  const byKind = new Map<string, number>();
  for (const { kind } of folded.entries) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  for (const [kind, count] of byKind) metrics.entries.inc({ kind }, count);
  metrics.duplicates.inc(Math.max(0, events.length - folded.entries.length));
  metrics.unknown.inc(unknown);
  if (unknown > 0) logger.warn({ charges: unknown }, 'usage of charges without a record was counted from their events');
  const { counted, refused } = folded.late;
  metrics.late.inc({ outcome: 'counted' }, counted);
  metrics.late.inc({ outcome: 'refused' }, refused);
  if (counted + refused > 0) logger.error({ counted, refused }, 'usage arrived after the return of its reservation');
}
