import type { Deadline } from '@shopscope/async';
import { isStale } from '@shopscope/enrich';
import type { Environment } from '@shopscope/environment';
import { type Units, unitsOf } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { isScannable } from '@shopscope/test-tenant';
import type { Member } from '../../domain/member.ts';
import type { GroupRef } from '../../domain/store-group.ts';
import type { Dependencies } from '../dependencies.ts';

/** What a job would find and bill. A scan that joins another one is free, so the job may bill less. */
export interface Quote {
  matched: number;
  stale: number;
  unknown: number;
  units: Units;
}

const batchSize = 2_000;
/** The batches that are counted at the same time. */
const maxConcurrent = 4;

/**
 * Counts the stores of a list as they are now, and hands each batch of them to `onBatch`, in the order of their domains. Memory is bounded
 * by {@link maxConcurrent} batches. The list may change meanwhile.
 */
export async function countList<E extends Environment>(
  { listStores, charging, readSnapshot, clock }: Dependencies<E>,
  list: GroupRef<E>,
  query: { refresh: boolean; freshnessDays: number },
  { origin, deadline }: { origin: Origin; deadline: Deadline },
  onBatch: (members: readonly Member[]) => Promise<void> = async () => {},
): Promise<Quote & { total: number }> {
  const counts = { matched: 0, stale: 0, unknown: 0 };
  /** The stores for which no scan can be requested. */
  let unscannable = 0;
  const nowMs = clock.now();
  const count = async (members: readonly Member[]) => {
    const domains = members.map(({ domain }) => domain);
    unscannable += domains.filter((domain) => !isScannable(list.environment, domain)).length;
    const times = await charging.profiles.scanTimes(domains, origin, deadline, list.workspaceId);
    for (const time of times) {
      if (time === undefined) counts.unknown += 1;
      else counts[isStale(time, query.freshnessDays, nowMs) ? 'stale' : 'matched'] += 1;
    }
  };
  let failure: PromiseRejectedResult | undefined;
  /** Never rejects, because the next batch is read meanwhile. */
  const runBatch = async (members: readonly Member[]) => {
    const outcomes = await Promise.allSettled([count(members), onBatch(members)]);
    failure ??= outcomes.find((outcome) => outcome.status === 'rejected');
  };
  await readSnapshot(async (snapshot) => {
    const running = new Set<Promise<void>>();
    try {
      for await (const members of listStores.batches(list, batchSize, snapshot)) {
        if (failure) break;
        const batch = runBatch(members).finally(() => running.delete(batch));
        running.add(batch);
        if (running.size >= maxConcurrent) await Promise.race(running);
      }
    } finally {
      // When the count has failed, no batch is written any more.
      await Promise.all(running);
    }
    if (failure) throw failure.reason;
  }, deadline);
  const { matched, stale, unknown } = counts;
  const lookupLive = query.refresh ? stale + unknown - unscannable : 0;
  const units = unitsOf({ lookupCached: matched + stale, lookupLive });
  return { ...counts, units, total: matched + stale + unknown };
}
