import { createDeadline } from '@shopscope/async';
import { canonicalizeDomain } from '@shopscope/domain-name';
import type { Environment } from '@shopscope/environment';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import {
  type ConfirmedSignal,
  MergeOutcome,
  type ProfileUpdated,
  profileUpdated,
  type RetractedSignal,
  type StoreSignal,
} from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { Signal, StoreUpdate } from '../../domain/signal-events.ts';
import type { Published } from '../../operations/append-events.ts';
import { appendSignals } from '../../operations/append-signals.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import type { FanOutDependencies } from '../../operations/event-dependencies.ts';
import { fanOutUpdates } from '../../operations/fan-out-updates.ts';
import { recordSuccesses } from '../../operations/rescans/record-rescan-ends.ts';

const timeoutMs = 10_000;

type UpdateDependencies<E extends Environment> = FanOutDependencies<E> & Pick<Dependencies<E>, 'scanFailures'>;

/**
 * Consumes profile-updates.v1: a merge has confirmed or retracted signals, and ends a series of failures. All of its stores are live data.
 *
 * - The profile of a store was removed -> its signals that wait reach no further workspace.
 */
export const profileUpdatedSubscription = (
  deps: UpdateDependencies<'live'>,
  { onQueued }: { onQueued(): void },
): Subscription<ProfileUpdated> => ({
  type: profileUpdated.live,
  async handle(batch) {
    await recordMerges(deps, batch);
    const removals = new Map(
      batch.flatMap(({ event }, at) => (event.outcome === MergeOutcome.REMOVED ? [[event.domain, at] as const] : [])),
    );
    await deps.fanOuts.delete([...removals.keys()], timeoutMs);
    const updates = batch
      .filter((received, at) => hasSignals(received) && at > (removals.get(received.event.domain) ?? -1))
      .map((received) => updateOf('live', received));
    if (updates.length > 0 && (await fanOutUpdates(deps, updates))) onQueued();
  },
});

/** Consumes profile-updates.v1 of the environment test: each test store belongs to one workspace, which alone gets the signals. */
export const testProfileUpdatedSubscription = (deps: UpdateDependencies<'test'>): Subscription<ProfileUpdated> => ({
  type: profileUpdated.test,
  async handle(batch) {
    await recordMerges(deps, batch);
    for (const received of batch.filter(hasSignals)) {
      const update = updateOf('test', received);
      const { workspaceId = '' } = received.event;
      const { domain } = update.event;
      const watchers = await deps.watchers.ofWorkspace(domain, parseId('workspace_id', workspaceId, 'ws'), timeoutMs);
      await appendSignals(deps, [update], watchers);
    }
  },
});

const hasSignals = ({ event }: Received<ProfileUpdated>): boolean =>
  event.confirmations.length + event.retractions.length > 0;

async function recordMerges<E extends Environment>(
  deps: UpdateDependencies<E>,
  batch: readonly Received<ProfileUpdated>[],
): Promise<void> {
  const merged = batch.filter(({ event }) => event.outcome === MergeOutcome.MERGED);
  const scans = merged.map(({ event: { workspaceId = '', domain, completedAtMs } }) => ({
    workspaceId,
    domain,
    at: new Date(completedAtMs),
  }));
  await recordSuccesses(deps, scans, createDeadline(timeoutMs, { clock: deps.clock }));
}

function updateOf(environment: Environment, { event, meta }: Received<ProfileUpdated>): Published<StoreUpdate> {
  // A live scan may have no caller.
  if ((meta.environment ?? 'live') !== environment) throw new PoisonError('the update is of another environment');
  const { domain, scanId, platform, country, industry } = event;
  const subjectOf = ({ category }: { category: string }) => ({ category, platform, country, industry });
  const canonical = canonicalizeDomain(domain);
  if (!canonical.ok || canonical.value.domain !== domain) throw new PoisonError('the domain is not canonical');
  if (scanId === '') throw new PoisonError('the update has no scan_id');
  const signals = [
    ...event.retractions.map((signal) => ({
      ...signalOf(domain, signal),
      subject: subjectOf(signal),
      retraction: { atMs: signal.retractedAtMs, reason: signal.retractedReason },
    })),
    ...event.confirmations.map((signal) => ({
      ...signalOf(domain, signal),
      subject: subjectOf(signal),
      retraction: null,
    })),
  ];
  return { event: { domain, scanId, signals }, origin: { ...meta, environment } };
}

export function signalOf(
  domain: string,
  signal: Omit<ConfirmedSignal | RetractedSignal | StoreSignal, 'category'>,
): Omit<Signal, 'retraction'> {
  const { id, type, technology, from, to, confidence, effectiveAtMs, confirmedAtMs, storefrontId } = signal;
  const values = { type, technology, from: from ?? null, to: to ?? null, confidence };
  return { id: parseId('id', id, 'evt'), ...values, effectiveAtMs, confirmedAtMs, domain, storefrontId };
}
