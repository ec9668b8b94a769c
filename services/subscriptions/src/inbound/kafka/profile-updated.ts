import { createDeadline } from '@shopscope/async';
import { canonicalizeDomain } from '@shopscope/domain-name';
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
import type { Dependencies } from '../../operations/dependencies.ts';
import type { FanOutDependencies } from '../../operations/event-dependencies.ts';
import { fanOutUpdates } from '../../operations/fan-out-updates.ts';
import { recordSuccesses } from '../../operations/rescans/record-rescan-ends.ts';

const timeoutMs = 10_000;

/** Consumes profile-updates.v1: a merge has confirmed or retracted signals, and ends a series of failures. All of its stores are live data. */
export const profileUpdatedSubscription = (
  deps: FanOutDependencies<'live'> & Pick<Dependencies<'live'>, 'scanFailures'>,
  { onQueued }: { onQueued(): void },
): Subscription<ProfileUpdated> => ({
  type: profileUpdated.live,
  async handle(batch) {
    const merged = batch.filter(({ event }) => event.outcome === MergeOutcome.MERGED);
    const scans = merged.map(({ event: { domain, completedAtMs } }) => ({ domain, at: new Date(completedAtMs) }));
    await recordSuccesses(deps, scans, createDeadline(timeoutMs, { clock: deps.clock }));
    const withSignals = batch.filter(({ event }) => event.confirmations.length + event.retractions.length > 0);
    if (withSignals.length === 0) return;
    if (await fanOutUpdates(deps, withSignals.map(updateOf))) onQueued();
  },
});

function updateOf({ event, meta }: Received<ProfileUpdated>): Published<StoreUpdate> {
  if (meta.environment === 'test') throw new PoisonError('an update of a live store has the environment test');
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
  // The scan may have no caller, but its signals are events of live workspaces.
  return { event: { domain, scanId, signals }, origin: { ...meta, environment: 'live' } };
}

export function signalOf(
  domain: string,
  signal: Omit<ConfirmedSignal | RetractedSignal | StoreSignal, 'category'>,
): Omit<Signal, 'retraction'> {
  const { id, type, technology, from, to, confidence, effectiveAtMs, confirmedAtMs, storefrontId } = signal;
  const values = { type, technology, from: from ?? null, to: to ?? null, confidence };
  return { id: parseId('id', id, 'evt'), ...values, effectiveAtMs, confirmedAtMs, domain, storefrontId };
}
