import type { Tx } from '@shopscope/mongo';
import { noUnits } from '@shopscope/proto';
import { allowanceKey, type Folded } from '../domain/fold.ts';
import { type AllowanceLimits, announcedAfter, mayBeReached, reachedBy } from '../domain/threshold.ts';
import type { ThresholdReached } from '../outbound/events/allowance-threshold-reached.ts';
import type { CheckedThresholds } from '../outbound/mongo/usage-counters.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Writes the changes of folded events, and an event for each threshold that the used units reach.
 *
 * - Cost: the command that changes the counters also returns whether a threshold may be reached. Only then the counters are read.
 * - Once: the counter of the workspace has the highest announced threshold of each unit. Every transaction that counts units of the workspace
 *   writes this counter, so two of them conflict.
 * - The plan changed -> the next fold compares with what the latest Reserve or lease included.
 */
export async function writeFolded(
  deps: Dependencies,
  folded: Folded,
  limits: Promise<ReadonlyMap<string, AllowanceLimits>>,
  tx: Tx,
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.ledger.insert(folded.entries, tx);
  const checked = checkedBy(folded, await limits);
  if (await deps.counters.add(folded.used, nowMs, tx, checked)) await announceReached(deps, checked, nowMs, tx);
  await deps.allowances.add(folded.taken, nowMs, tx);
  await deps.leaseCounts.add(folded.settled, tx);
}

function checkedBy({ used, taken }: Folded, limits: ReadonlyMap<string, AllowanceLimits>): CheckedThresholds[] {
  const deltas = new Map(
    taken.map(({ workspaceId, periodStartMs, units }) => [allowanceKey(workspaceId, periodStartMs), units]),
  );
  return used.flatMap(({ workspaceId, periodStartMs, keyId }) => {
    const key = allowanceKey(workspaceId, periodStartMs);
    const limit = keyId === '' ? limits.get(key) : undefined;
    const thresholds = limit ? mayBeReached(limit, deltas.get(key) ?? noUnits) : [];
    return thresholds.length > 0 ? [{ workspaceId, periodStartMs, thresholds }] : [];
  });
}

async function announceReached(
  deps: Dependencies,
  checked: readonly CheckedThresholds[],
  nowMs: number,
  tx: Tx,
): Promise<void> {
  const counters = await deps.counters.announcedOf(checked, tx);
  const changes = checked.flatMap(({ workspaceId, periodStartMs, thresholds }) => {
    const counter = counters.get(allowanceKey(workspaceId, periodStartMs));
    const reached = counter ? reachedBy(thresholds, counter.used, counter.announced) : [];
    return counter && reached.length > 0 ? [{ workspaceId, periodStartMs, counter, reached }] : [];
  });
  await deps.counters.setAnnounced(
    changes.map(({ workspaceId, periodStartMs, counter, reached }) => {
      return { workspaceId, periodStartMs, announced: announcedAfter(counter.announced, reached) };
    }),
    tx,
  );
  const events = changes.flatMap(({ workspaceId, periodStartMs, counter, reached }) =>
    reached.map(({ unit, percent, included }): ThresholdReached => {
      return { owner: workspaceId, periodStartMs, unit, percent, included, used: counter.used[unit], atMs: nowMs };
    }),
  );
  await deps.appendThresholds(tx, events);
}
