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
import type { StoreValues } from '../../domain/store-profile.ts';

/** The store after the merge. Its values are undefined without a profile. */
interface After extends Pick<ProfileUpdated, 'etag' | 'profileSequence'> {
  values: StoreValues | undefined;
}

/** Creates the event about a merge. `categoryOf` returns the category of a technology, or '' if it is unknown. */
export function profileUpdatedOf(
  {
    domain,
    scanId,
    sequence,
    completedAtMs,
  }: Pick<ObservationCompleted, 'domain' | 'scanId' | 'sequence' | 'completedAtMs'>,
  { shown, reason, signals }: Merge,
  { etag, profileSequence, values }: After,
  categoryOf: (technology: string) => string,
): ProfileUpdated {
  const withCategory = <Told extends { technology: string }>(told: Told) => ({
    ...told,
    category: categoryOf(told.technology),
  });
  return {
    domain,
    scanId,
    sequence,
    outcome: shown ? MergeOutcome.MERGED : MergeOutcome.REJECTED,
    reason,
    completedAtMs,
    etag,
    profileSequence,
    retractions: signals.flatMap(retractionOf).map(withCategory),
    confirmations: signals.flatMap(confirmationOf).map(withCategory),
    platform: values?.platform ?? '',
    country: values?.country ?? '',
    industry: values?.industry ?? '',
  };
}

function confirmationOf(signal: Signal): Omit<ConfirmedSignal, 'category'>[] {
  if (signal.state !== 'confirmed' || !signal.confirmedAt) return [];
  return [{ ...valuesOf(signal), confirmedAtMs: signal.confirmedAt.getTime() }];
}

function retractionOf(signal: Signal): Omit<RetractedSignal, 'category'>[] {
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
