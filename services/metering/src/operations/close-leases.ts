import type { TopicProgress } from '@shopscope/kafka';
import { unitNames } from '@shopscope/proto';
import { closeAfterMs, keepMs, type Lease, leaseCountKey, partsOfCountKey } from '../domain/lease.ts';
import type { LeasedAllowance } from '../outbound/mongo/leases.ts';
import { type AfterReading, createAfterReading } from './after-reading.ts';
import type { Dependencies } from './dependencies.ts';

const maxPageSize = 1_000;
/** The number of leases per bulk write. */
const maxBatchSize = 500;
/** A tick reads at most this many pages. The next tick continues. */
const maxPagesPerTick = 50;
const timeoutMs = 10_000;

type ClosingLease = Lease & { allowance: string };

/**
 * Removes ended leases from their allowances. The units that the ledger has not settled return to the allowances.
 *
 * - A gateway has ended the lease, and the ledger has settled every unit of it -> the lease is removed at once.
 * - Otherwise, 42 s after the end of the lease -> the lease is marked as ended, so that no call changes it. It is removed once
 *   usage.v1 has been read up to the end that it has after the marking.
 *
 * The count of a lease is closed before the lease is removed. A crash between the two steps leaves the count pending, and the next
 * run of any instance removes the lease.
 */
export function createLeaseCloser(deps: Dependencies, progress: TopicProgress): AfterReading {
  let after: LeasedAllowance | undefined;
  let ended: ClosingLease[] = [];
  let overdueMs = 0;
  const afterReading = createAfterReading({
    metrics: deps.metrics,
    work: 'leases',
    progress,
    collect: async () => (ended.length > 0 ? ended : undefined),
    finish: (leases, abort) => closeAll(deps, leases, abort),
  });

  return {
    async tick(abort) {
      // An earlier run that did not complete has closed these counts.
      await removeClosed(deps, await deps.leaseCounts.pending(maxPageSize, timeoutMs)).catch(notClosed(deps));
      ended = [];
      for (let page = 0; page < maxPagesPerTick && !abort?.aborted; page++) {
        const allowances = await deps.leases.leased(after, maxPageSize, timeoutMs);
        if (!after) overdueMs = 0;
        overdueMs = Math.max(overdueMs, longestOverdueMs(allowances, deps.clock.now()));
        const closing = await closingLeases(deps, allowances);
        const settled = new Set(await settledLeases(deps, closing));
        // These leases miss no event, so they need not wait for the reading of usage.v1.
        await closeAll(deps, [...settled], abort);
        ended.push(...closing.filter((lease) => lease.isEnded && !settled.has(lease)));
        after = allowances.length < maxPageSize ? undefined : allowances.at(-1);
        if (!after) {
          deps.metrics.leasesOverdue.set(overdueMs / 1_000);
          break;
        }
      }
      return afterReading.tick(abort);
    },
  };
}

/**
 * Closes the counts of the leases and removes the leases. A failure is logged, and a later run closes the others. Resolves to the
 * number of removed leases.
 */
async function closeAll(deps: Dependencies, leases: readonly ClosingLease[], abort?: AbortSignal): Promise<number> {
  const byKey = new Map(leases.map((lease) => [leaseCountKey(lease.allowance, lease.id), lease]));
  let closed = 0;
  for (const keys of chunks([...byKey.keys()], maxBatchSize)) {
    if (abort?.aborted) break;
    try {
      const settled = await deps.leaseCounts.close(keys, deps.clock.now(), timeoutMs);
      for (const key of await removeClosed(deps, settled)) {
        const lease = byKey.get(key);
        if (!lease) continue;
        const returned = lease.granted - (settled.get(key) ?? 0);
        const unit = unitNames[lease.unit];
        deps.metrics.leasesClosed.inc({ outcome: returned > 0 ? 'returned' : 'settled', unit });
        deps.metrics.leaseUnitsReturned.inc({ unit }, Math.max(0, returned));
        closed += 1;
      }
    } catch (error) {
      await notClosed(deps)(error);
    }
  }
  return closed;
}

/** Logs the failure and kills abandoned transactions: one that a dead instance left open on a count or allowance fails the batch. */
const notClosed =
  ({ logger, killAbandonedTransactions }: Dependencies) =>
  async (error: unknown): Promise<void> => {
    logger.error({ err: error }, 'leases were not closed; a later run tries again');
    await killAbandonedTransactions();
  };

/** Returns the time in ms since the first of the leases could be marked as ended. Returns 0 if none can be marked yet. */
const longestOverdueMs = (allowances: readonly LeasedAllowance[], nowMs: number): number =>
  allowances
    .flatMap(({ leases }) => leases)
    .reduce((longest, { endsAt }) => Math.max(longest, nowMs - endsAt.getTime() - closeAfterMs), 0);

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}

/** Marks the leases that ended long enough ago. Then returns the closing leases, which no call changes any more, if they may be removed. */
async function closingLeases(deps: Dependencies, allowances: readonly LeasedAllowance[]): Promise<ClosingLease[]> {
  const nowMs = deps.clock.now();
  // This only selects candidates. The update decides, by the time of MongoDB.
  const mayHaveEnded = ({ leases }: LeasedAllowance) =>
    leases.some(({ isEnded, endsAt }) => !isEnded && endsAt.getTime() + closeAfterMs <= nowMs);
  const ids = allowances.filter(mayHaveEnded).map(({ id }) => id);
  await deps.leases.markEnded(ids, timeoutMs);
  const marked = await deps.leases.findMany(ids, { maxTimeMS: timeoutMs });
  return allowances.flatMap((allowance) =>
    (marked.get(allowance.id) ?? allowance).leases
      .filter(({ isClosing, openedAt }) => isClosing && openedAt.getTime() + keepMs <= nowMs)
      .map((lease) => ({ ...lease, allowance: allowance.id })),
  );
}

/** Returns the leases whose units the ledger has all settled: no event of them is missing. */
async function settledLeases(deps: Dependencies, closing: readonly ClosingLease[]): Promise<ClosingLease[]> {
  const counts = await deps.leaseCounts.findMany(
    closing.map(({ allowance, id }) => leaseCountKey(allowance, id)),
    { maxTimeMS: timeoutMs },
  );
  return closing.filter(
    ({ allowance, id, granted }) => granted === (counts.get(leaseCountKey(allowance, id))?.settled ?? 0),
  );
}

/** Removes leases whose counts are closed. Resolves to the keys of the removed leases. */
async function removeClosed(deps: Dependencies, settledByKey: ReadonlyMap<string, number>): Promise<string[]> {
  const closed = [...settledByKey].map(([key, settled]) => {
    const { allowance, leaseId: id } = partsOfCountKey(key);
    return { key, allowance, id, settled };
  });
  await deps.leases.remove(closed, deps.clock.now(), timeoutMs);
  const ids = [...new Set(closed.map(({ allowance }) => allowance))];
  const after = await deps.leases.findMany(ids, { maxTimeMS: timeoutMs });
  const isGone = ({ allowance, id }: (typeof closed)[number]) =>
    !after.get(allowance)?.leases.some((lease) => lease.id === id);
  const gone = closed.filter(isGone).map(({ key }) => key);
  await deps.leaseCounts.forget(gone, deps.clock.now(), timeoutMs);
  return gone;
}
