import type { Tx } from '@shopscope/mongo';
import { MergeOutcome, type ObservationCompleted, type ProfileUpdated } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { type Merge, mergeObservation as merge } from '../domain/merge-observation.ts';
import { type ParsedObservation, parseObservation } from '../domain/parse-observation.ts';
import { storeBody } from '../domain/store-body.ts';
import type { Dependencies } from './dependencies.ts';

export type MergeResult = 'merged' | 'rejected' | 'duplicate';

/**
 * Merges one observation. One transaction writes the store, the observation, the signals and the event.
 *
 * - Repeated scan -> `duplicate`, no change: the observation's id is the scan's id.
 * - Two instances merge observations of one domain, for example during a rebalance -> a write conflict on the store.
 *   One transaction runs again and reads the other's result.
 * - An event that can never be merged -> throws `invalid_request`.
 */
export async function mergeObservation(
  deps: Dependencies,
  event: ObservationCompleted,
  origin: Origin,
): Promise<MergeResult> {
  const parsed = parseObservation(event, deps.technologies.find);
  const end = deps.metrics.mergeDuration.startTimer();
  const { result, merged } = await deps.transact((tx) => mergeIfNew(deps, event, parsed, origin, tx));
  end();
  count(deps, result, parsed, merged);
  const { scanId, domain, sequence } = event;
  const reason = merged?.reason || undefined;
  deps.logger.info({ requestId: origin.requestId, scanId, domain, sequence, reason }, `observation ${result}`);
  return result;
}

async function mergeIfNew(
  deps: Dependencies,
  event: ObservationCompleted,
  { observation }: ParsedObservation,
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
    await deps.stores.writeSequenceAndCandidates(merged.profile, tx);
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
  await deps.appendEvent(tx, update, origin);
  return { result: merged.shown ? 'merged' : 'rejected', merged };
}

function count(
  { metrics }: Dependencies,
  result: MergeResult,
  parsed: ParsedObservation,
  merged: Merge | undefined,
): void {
  metrics.merges.inc({ result });
  if (result !== 'duplicate') metrics.unknownSlugs.inc(parsed.unknownSlugs.length);
  for (const { type, state } of merged?.signals ?? []) metrics.signals.inc({ type, state });
}
