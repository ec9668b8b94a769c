import type { Tx } from '@shopscope/mongo';
import type { ObservationCompleted, ProfileUpdated } from '@shopscope/proto';
import { type Origin, originFields } from '@shopscope/telemetry';
import { healedSignals, healFutureTimes, isFuture, notAfter } from '../domain/future-times.ts';
import { type Merge, mergeObservation, optedOut, unchangedMerge } from '../domain/merge-observation.ts';
import { type ParsedObservation, parseObservation } from '../domain/parse-observation.ts';
import { storeBody } from '../domain/store-body.ts';
import { type StoreProfile, storeValuesOf } from '../domain/store-profile.ts';
import { unlistedCategoryOf } from '../domain/values.ts';
import { profileUpdatedOf } from '../outbound/events/profile-updated.ts';
import type { RecordedObservation } from '../outbound/mongo/observations.ts';
import type { SavedSignal } from '../outbound/mongo/signals.ts';
import type { DomainBody } from '../outbound/mongo/store-bodies.ts';
import type { StoreChange, StoredStore } from '../outbound/mongo/stores.ts';
import type { Dependencies } from './dependencies.ts';
import { recordIn } from './record-signals.ts';

export interface MergedObservation {
  result: 'merged' | 'rejected' | 'duplicate';
  /** The reason why the profile does not show the observation. It is '' if the profile shows it, or if the scan was merged before. */
  reason: string;
}

export interface Scanned {
  event: ObservationCompleted;
  /** The request that caused the scan. */
  origin: Origin;
}

/**
 * The largest number of observations in one transaction. One observation costs eight round trips to the database, and a
 * hundred cost nine. A larger transaction gains little and is more likely to conflict with another one.
 */
export const maxObservationsPerMerge = 100;

/**
 * Merges observations in their order, in one transaction that writes the stores, their bodies, the observations, the signals
 * and the events. Resolves to one result per observation, in the same order.
 *
 * - A scan is repeated -> the result is `duplicate`, and nothing changes, because the id of an observation is the id of its scan.
 * - Two instances merge observations of one domain, for example during a rebalance -> their writes of the store conflict. One
 *   transaction runs again and reads the result of the other.
 * - A time is later than the merge, because a clock is wrong -> the time of the merge replaces it. Future dates that the
 *   profile already has are replaced, too, and its body is made again.
 * - The store is opted out -> the result is `rejected`, and nothing of the observation is kept. The entry is read in the transaction, so a
 *   concurrent removal of the store conflicts with it (remove-stores.ts).
 * - An event can never be merged -> the call rejects with `invalid_request`, which names the field, before the transaction begins.
 * - Signals are confirmed -> the time of their record is announced before they are saved: see record-signals.ts.
 * - Bound: {@link maxObservationsPerMerge}, which the callers enforce.
 */
export async function mergeObservations(deps: Dependencies, scanned: readonly Scanned[]): Promise<MergedObservation[]> {
  const nowMs = deps.clock.now();
  const parsed = scanned.map(({ event }) => parseObservation(event, deps.technologies.find, nowMs));
  const end = deps.metrics.mergeDuration.startTimer();
  const merges = await recordIn(deps, (recordedAt) =>
    deps.transact((tx) => mergeNew(deps, { scanned, parsed, nowMs, recordedAt }, tx)),
  );
  end();
  reportFuture(
    deps,
    scanned.filter((_, at) => merges[at]),
    nowMs,
  );
  return merges.map((merge, at) => {
    const result = merge ? (merge.shown ? 'merged' : 'rejected') : 'duplicate';
    count(deps, result, parsed[at], merge);
    return { result, reason: merge?.reason ?? '' };
  });
}

/** A store while observations are merged: its state when it was read, and its current state. */
interface Merging {
  before: StoredStore | undefined;
  profile: StoreProfile | null;
  etag: string;
  /** The body of the last merged observation that changed it. */
  body: DomainBody | null;
}

interface MergeRequest {
  scanned: readonly Scanned[];
  parsed: readonly ParsedObservation[];
  nowMs: number;
  /** Returns the time of the record of confirmations. */
  recordedAt(): Promise<Date>;
}

/** Resolves to the merge of each observation, or undefined for a repeated scan. */
async function mergeNew(
  deps: Dependencies,
  { scanned, parsed, nowMs, recordedAt }: MergeRequest,
  tx: Tx,
): Promise<(Merge | undefined)[]> {
  const domains = new Set(parsed.map(({ observation }) => observation.domain));
  const known = await deps.observations.existing(
    [...domains],
    parsed.map(({ observation }) => observation.scanId),
    tx,
  );
  if (parsed.every(({ observation }) => known.has(observation.scanId))) return parsed.map(() => undefined);
  const stores = new Map<string, Merging>();
  const found = await deps.stores.find([...domains], tx);
  const covered = await deps.optOuts.covered([...domains], tx);
  for (const domain of domains) {
    const before = found.get(domain);
    stores.set(domain, { before, profile: before?.profile ?? null, etag: before?.etag ?? '', body: null });
  }

  const recorded: RecordedObservation[] = [];
  const signals = new Map<string, SavedSignal>();
  const updates: { event: ProfileUpdated; meta: Origin }[] = [];
  const categoryOf = (slug: string) => deps.technologies.find(slug)?.category ?? unlistedCategoryOf(slug);
  const merges = scanned.map(({ event: received, origin }, at) => {
    const { observation } = parsed[at] as ParsedObservation;
    const { domain, scanId, sequence, completedAt } = observation;
    if (known.has(scanId)) return undefined;
    known.add(scanId);
    const store = stores.get(domain) as Merging;
    const { profile: before } = store;
    const corrected = before && healFutureTimes(before, completedAt, nowMs);
    const isCovered = covered.has(domain);
    const removalSequence = store.before?.profile === null ? store.before.sequence : undefined;
    const merge = isCovered ? unchangedMerge(optedOut) : mergeObservation(corrected, observation, removalSequence);
    if (merge.profile) store.profile = merge.profile;
    const healed =
      merge.profile && before && corrected && corrected !== before ? healedSignals(before, corrected) : null;
    if (merge.profile && (merge.shown || healed)) {
      store.body = domainBody(merge.profile, deps.siteUrl);
      store.etag = store.body.etag;
    }
    const completedAtMs = completedAt.getTime();
    const event = { ...received, startedAtMs: notAfter(received.startedAtMs, completedAtMs), completedAtMs };
    if (!isCovered) recorded.push({ event, rejection: merge.reason });
    // A healed signal was confirmed before. The store may have had other values then.
    for (const signal of healed ?? []) signals.set(signal.id, { signal, sequence, values: undefined });
    const values = merge.profile ? storeValuesOf(merge.profile) : undefined;
    for (const signal of merge.signals) {
      // A signal may be confirmed and retracted in one transaction.
      const kept = signal.state === 'retracted' ? signals.get(signal.id)?.values : undefined;
      signals.set(signal.id, { signal, sequence, values: signal.state === 'confirmed' ? values : kept });
    }
    const after = { etag: store.etag, profileSequence: store.profile?.sequence ?? removalSequence ?? 0, values };
    updates.push({ event: profileUpdatedOf(event, merge, after, categoryOf), meta: origin });
    return merge;
  });

  await deps.observations.insert(recorded, tx);
  const changes = [...stores.values()].flatMap(changeOf);
  // Profiles are written first, so that two transactions of one store conflict there.
  await deps.stores.write(changes, tx);
  await deps.storeBodies.write(
    changes.flatMap(({ body }) => body ?? []),
    tx,
  );
  const saved = [...signals.values()];
  const confirms = saved.some(({ values: ofConfirmed }) => ofConfirmed !== undefined);
  await deps.signals.save(saved, confirms ? await recordedAt() : undefined, tx);
  await deps.appendEvents(tx, updates);
  return merges;
}

function reportFuture({ metrics, logger }: Dependencies, scanned: readonly Scanned[], nowMs: number): void {
  const future = scanned.filter(({ event }) => isFuture(event.completedAtMs, nowMs));
  if (future.length === 0) return;
  metrics.futureObservations.inc(future.length);
  const [{ event, origin } = {}] = future;
  const fields = { scanId: event?.scanId, domain: event?.domain, aheadMs: (event?.completedAtMs ?? nowMs) - nowMs };
  logger.warn(
    { ...fields, ...(origin && originFields(origin)), observations: future.length },
    'an observation is of the future',
  );
}

function changeOf({ before, profile, body }: Merging): (StoreChange & Pick<Merging, 'body'>)[] {
  if (!profile || profile === before?.profile) return [];
  return [{ profile, body, sequenceBefore: before?.sequence ?? null }];
}

function domainBody(profile: StoreProfile, siteUrl: string): DomainBody {
  const { domain, sequence, firstScanAt, lastCompletedScanAt } = profile;
  const { bytes, etag } = storeBody(profile, siteUrl);
  return { domain, body: bytes, etag, sequence, firstScanAt, lastCompletedScanAt };
}

function count(
  { metrics }: Dependencies,
  result: MergedObservation['result'],
  parsed: ParsedObservation | undefined,
  merge: Merge | undefined,
): void {
  metrics.merges.inc({ result });
  if (result !== 'duplicate') metrics.unknownSlugs.inc(parsed?.unknownSlugs.length ?? 0);
  if (merge?.shown && merge.profile?.technologiesOmitted) metrics.incompleteProfiles.inc();
  for (const { type, state } of merge?.signals ?? []) metrics.signals.inc({ type, state });
}
