import { type Merge, mergeObservation } from '../../src/domain/merge-observation.ts';
import type { Observation } from '../../src/domain/observation.ts';
import type { Signal } from '../../src/domain/signal.ts';
import type { StoreProfile } from '../../src/domain/store-profile.ts';

/** Merges the observations in order and groups all written signals by their last state. */
export function mergeAll(...observations: Observation[]) {
  let profile: StoreProfile | null = null;
  let last: Merge | undefined;
  const signals = new Map<string, Signal>();
  for (const observation of observations) {
    last = mergeObservation(profile, observation);
    profile = last.profile ?? profile;
    for (const signal of last.signals) signals.set(signal.id, signal);
  }
  const all = [...signals.values()];
  return {
    profile: profile as StoreProfile,
    last: last as Merge,
    confirmed: all.filter(({ state }) => state === 'confirmed'),
    candidates: all.filter(({ state }) => state === 'candidate'),
    discarded: all.filter(({ state }) => state === 'discarded'),
    retracted: all.filter(({ state }) => state === 'retracted'),
    slugs: profile?.technologies.map(({ slug }) => slug),
  };
}
