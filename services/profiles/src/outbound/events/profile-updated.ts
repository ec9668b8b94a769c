import { deriveId } from '@shopscope/ids';
import {
  type ConfirmedSignal,
  MergeOutcome,
  type ObservationCompleted,
  type ProfileUpdated,
  type RetractedSignal,
} from '@shopscope/proto';
import type { Merge } from '../../domain/merge-observation.ts';
import type { Signal } from '../../domain/signal.ts';

/** Creates the event about a merge. `after`: the store after the merge. */
export function profileUpdatedOf(
  { domain, scanId, sequence, completedAtMs }: ObservationCompleted,
  { shown, reason, signals }: Merge,
  { etag, profileSequence }: Pick<ProfileUpdated, 'etag' | 'profileSequence'>,
): ProfileUpdated {
  return {
    domain,
    scanId,
    sequence,
    outcome: shown ? MergeOutcome.MERGED : MergeOutcome.REJECTED,
    reason,
    completedAtMs,
    etag,
    profileSequence,
    retractions: signals.flatMap(retractionOf),
    confirmations: signals.flatMap(confirmationOf),
  };
}

function confirmationOf(signal: Signal): ConfirmedSignal[] {
  if (signal.state !== 'confirmed' || !signal.confirmedAt) return [];
  return [{ ...valuesOf(signal), confirmedAtMs: signal.confirmedAt.getTime() }];
}

function retractionOf(signal: Signal): RetractedSignal[] {
  const { confirmedAt, retractedAt, retractedReason } = signal;
  if (!confirmedAt || !retractedAt || !retractedReason) return [];
  const times = { confirmedAtMs: confirmedAt.getTime(), retractedAtMs: retractedAt.getTime() };
  return [{ ...valuesOf(signal), ...times, retractedReason }];
}

function valuesOf({ id, domain, type, technology, from, to, confidence, effectiveAt }: Signal) {
  return {
    id,
    type,
    technology,
    from: from ?? undefined,
    to: to ?? undefined,
    confidence,
    effectiveAtMs: effectiveAt.getTime(),
    storefrontId: deriveId('sf', domain),
  };
}
