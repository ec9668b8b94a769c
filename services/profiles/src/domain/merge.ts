import type { Observation } from './observation.ts';
import { type MergeContext, recentSignals, type Signal, type SignalType } from './signal.ts';
import type { StoreProfile } from './store-profile.ts';

/** The result of merging one observation into a profile. The merge is a pure function of profile and observation. */
export interface Merge {
  /** The new profile. It is null if the profile is unchanged or does not exist. */
  profile: StoreProfile | null;
  /** Whether the profile shows the observation. If so, a new body is made. */
  shown: boolean;
  /** The reason why the profile does not show the observation. It is '' if the profile shows it. */
  reason: string;
  /** The signals that are new or have a new state. */
  signals: Signal[];
}

export function shownMerge(profile: StoreProfile, candidates: Signal[], signals: Signal[]): Merge {
  const recent = recentSignals(profile.recentSignals, signals);
  return { profile: { ...profile, candidates, recentSignals: recent }, shown: true, reason: '', signals };
}

export function hiddenMerge(profile: StoreProfile, reason: string, signals: Signal[]): Merge {
  return { profile, shown: false, reason, signals };
}

/** Returns the context of a merge. Its date is not before the profile's, because dates of a profile never move back. */
export function contextOf(
  before: StoreProfile,
  { domain, sequence, completedAt, signalSeed }: Observation,
): MergeContext {
  return {
    domain,
    sequence,
    at: completedAt > before.lastCompletedScanAt ? completedAt : before.lastCompletedScanAt,
    signalSeed,
  };
}

export function statusBefore(before: StoreProfile) {
  const [openCandidate] = candidatesOf(before, 'status_changed');
  return { status: before.status, openCandidate, platform: before.platform.slug };
}

export function candidatesOf(profile: StoreProfile, type: SignalType): Signal[] {
  return profile.candidates.filter((signal) => signal.type === type);
}

export function withoutType(profile: StoreProfile, type: SignalType): Signal[] {
  return profile.candidates.filter((signal) => signal.type !== type);
}
