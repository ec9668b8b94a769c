import type { ObservationCompleted } from '@shopscope/proto';
import { type KeptSignal, keepSignals } from './kept-signal.ts';
import { mergeObservation } from './merge-observation.ts';
import { type FindTechnology, parseObservation } from './parse-observation.ts';
import { type StoreProfile, storeValuesOf } from './store-profile.ts';

/** A store without its body. */
export interface MergedStore {
  profile: StoreProfile;
  signals: readonly KeptSignal[];
}

export interface MergedContext {
  /** The time of the record of every signal. */
  recordedAt: Date;
  find: FindTechnology;
  nowMs: number;
}

/** Merges the observations of one store in their order, without a database. Returns undefined if none of them makes a profile. */
export function mergedStore(
  observations: Iterable<ObservationCompleted>,
  { recordedAt, find, nowMs }: MergedContext,
): MergedStore | undefined {
  let profile: StoreProfile | null = null;
  let signals: KeptSignal[] = [];
  for (const event of observations) {
    const { observation } = parseObservation(event, find, nowMs);
    const merge = mergeObservation(profile, observation);
    profile = merge.profile ?? profile;
    if (profile) signals = keepSignals(signals, merge.signals, { values: storeValuesOf(profile), recordedAt });
  }
  return profile ? { profile, signals } : undefined;
}
