import type { Tx } from '@shopscope/mongo';
import { MergeOutcome, type ObservationCompleted, type ProfileUpdated } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { type Merge, mergeObservation as merge } from '../domain/merge-observation.ts';
import { type ReadObservation, readObservation } from '../domain/read-observation.ts';
import { storeBody } from '../domain/store-body.ts';
import type { Dependencies } from './dependencies.ts';

export type MergeResult = 'merged' | 'rejected' | 'duplicate';

/**
 * Takes one observation in: the store, the observation, the signals and the event that tells of them change in one
 * transaction, or not at all. A scan is merged once, whatever is repeated: the observation's id is the scan's, and who
 * finds it there has nothing to do. Two instances that meet at one domain, as they may during a rebalance, conflict on
 * the store; the transaction of one runs again and sees what the other did. Throws `invalid_request` for events that can never be merged.
 */
export async function mergeObservation(
  deps: Dependencies,
  event: ObservationCompleted,
  origin: Origin,
): Promise<MergeResult> {
  const read = readObservation(event, deps.technologies.find);
  const end = deps.metrics.mergeDuration.startTimer();
  const { result, merged } = await deps.transact((tx) => mergeOnce(deps, event, read, origin, tx));
  end();
  count(deps, result, read, merged);
  const { scanId, domain, sequence } = event;
  const reason = merged?.reason || undefined;
  deps.logger.info({ requestId: origin.requestId, scanId, domain, sequence, reason }, `observation ${result}`);
  return result;
}

async function mergeOnce(
  deps: Dependencies,
  event: ObservationCompleted,
  { observation }: ReadObservation,
  origin: Origin,
  tx: Tx,
): Promise<{ result: MergeResult; merged?: Merge }> {
  const { domain, scanId, sequence } = observation;
  if (await deps.observations.exists(scanId, tx)) return { result: 'duplicate' };
  const before = await deps.stores.find(domain, tx);
  const merged = merge(before?.profile ?? null, observation);

  await deps.observations.insert(event, merged.reason, tx);
  let etag = before?.etag ?? '';
  if (merged.profile && merged.shown) {
    const body = storeBody(merged.profile, deps.siteUrl);
    etag = body.etag;
    await deps.stores.write(merged.profile, body, before?.profile.sequence ?? null, tx);
  } else if (merged.profile) {
    await deps.stores.writeUnshown(merged.profile, tx);
  }
  await deps.signals.save(merged.signals, sequence, tx);

  const update: ProfileUpdated = {
    domain,
    scanId,
    sequence,
    outcome: merged.shown ? MergeOutcome.MERGED : MergeOutcome.REJECTED,
    reason: merged.reason,
    completedAtMs: event.completedAtMs,
    etag,
  };
  await deps.announce(tx, update, origin);
  return { result: merged.shown ? 'merged' : 'rejected', merged };
}

function count({ metrics }: Dependencies, result: MergeResult, read: ReadObservation, merged: Merge | undefined): void {
  metrics.merges.inc({ result });
  if (result !== 'duplicate') metrics.unknownSlugs.inc(read.unknownSlugs.length);
  for (const { type, state } of merged?.signals ?? []) metrics.signals.inc({ type, state });
}
