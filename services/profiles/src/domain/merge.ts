import type { Observation } from './observation.ts';
import { type MergeContext, recentSignals, type Signal, type SignalType } from './signal.ts';
import type { StoreProfile } from './store-profile.ts';

/** The effect of one observation on a store. The merge is a pure function of profile and observation. */
export interface Merge {
  /** The new profile; null when it is unchanged or does not exist. */
  profile: StoreProfile | null;
  /** Whether the profile shows the observation. Then a new body is made. */
  shown: boolean;
  /** Why the profile does not show the observation; '' when it does. */
  reason: string;
  /** Signals that are new or have a new state. */
  signals: Signal[];
}

export function shownMerge(profile: StoreProfile, candidates: Signal[], signals: Signal[]): Merge {
  const recent = recentSignals(profile.recentSignals, signals);
  return { profile: { ...profile, candidates, recentSignals: recent }, shown: true, reason: '', signals };
}

export function hiddenMerge(profile: StoreProfile, reason: string, signals: Signal[]): Merge {
  return { profile, shown: false, reason, signals };
}

/** A profile's dates never move back, although the clocks of scanners differ a little. */
export function contextOf(before: StoreProfile, { domain, sequence, completedAt }: Observation): MergeContext {
  return { domain, sequence, at: completedAt > before.lastCompletedScanAt ? completedAt : before.lastCompletedScanAt };
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
