import { mergePlatform } from './merge-platform.ts';
import { mergeStatus } from './merge-status.ts';
import { firstSeen, mergeTechnologies } from './merge-technologies.ts';
import type { Observation, SiteNotSeen, SiteSeen } from './observation.ts';
import { recentSignals, type Sighting, type Signal, type SignalType } from './signal.ts';
import type { StoreProfile } from './store-profile.ts';
import { customPlatform, noCatalog, type StoreState, unknownGeography, unknownIndustry } from './values.ts';

/** What an observation does to a store. Pure: the same profile and observation give the same merge. */
export interface Merge {
  /** The profile afterwards; null when the observation leaves it as it is, or there is none. */
  profile: StoreProfile | null;
  /** Whether the profile shows the observation, so that a new body is made. */
  shown: boolean;
  /** Why it is not shown; '' when it is. */
  reason: string;
  /** Signals that are new or changed their state. */
  signals: Signal[];
}

/** Behind these pages there may be anything; any other full look that agrees with the status is evidence of absence. */
const hidesTheShop: ReadonlySet<StoreState> = new Set(['password_protected', 'unreachable']);

export function mergeObservation(before: StoreProfile | null, observation: Observation): Merge {
  if (!before) {
    if (observation.outcome !== 'observed') return untouched(observation.reason);
    return { profile: firstProfile(observation), shown: true, reason: '', signals: [] };
  }
  if (observation.sequence <= before.sequence) return untouched('superseded');
  switch (observation.outcome) {
    case 'observed':
      return mergeSeen(before, observation);
    case 'unreachable':
      return mergeUnreachable(before, observation);
    case 'refused':
      return mergeRefused(before, observation);
  }
}

function untouched(reason: string): Merge {
  return { profile: null, shown: false, reason, signals: [] };
}

/** A store that was never seen before has no past to differ from: no signals. */
function firstProfile(seen: SiteSeen): StoreProfile {
  const at = seen.completedAt;
  return {
    domain: seen.domain,
    sequence: seen.sequence,
    lastCompletedScanAt: at,
    scope: seen.scope,
    coverageNote: seen.coverageNote,
    storefrontHost: seen.storefrontHost,
    name: seen.name || seen.domain,
    platform: { ...(seen.platform ?? customPlatform), firstObservedAt: at, lastConfirmedAt: at },
    status: { state: seen.state, asOf: at },
    technologies: seen.technologies.map((found) => firstSeen(found, at)).sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    geography: seen.geography ?? unknownGeography,
    industry: seen.industry ?? unknownIndustry,
    catalog: seen.catalog ?? noCatalog(at),
    recentSignals: [],
    candidates: [],
  };
}

function mergeSeen(before: StoreProfile, seen: SiteSeen): Merge {
  const sighting = sightingOf(before, seen);
  const status = mergeStatus(statusBefore(before), seen.state, sighting);
  const open = withoutType(before, 'status_changed');
  const looked = {
    ...before,
    sequence: seen.sequence,
    lastCompletedScanAt: sighting.at,
    status: status.value,
  };
  if (status.value.state !== seen.state)
    return shown(inDoubt(looked, seen.state), [...status.candidates, ...open], status.signals);

  const absenceCounts = seen.scope === 'full' && !hidesTheShop.has(seen.state);
  const platform = mergePlatform(
    { platform: before.platform, doubt: candidatesOf(before, 'platform_changed')[0] },
    seen.platform,
    { ...sighting, absenceCounts },
  );
  const technologies = mergeTechnologies(
    { technologies: before.technologies, doubts: candidatesOf(before, 'technology_removed') },
    seen.technologies,
    { ...sighting, absenceCounts, scope: seen.scope },
  );
  return shown(
    {
      ...looked,
      scope: seen.scope,
      coverageNote: seen.coverageNote,
      storefrontHost: seen.storefrontHost,
      name: seen.name || before.name,
      platform: platform.value,
      technologies: technologies.value,
      // What was known and not seen this time stays; a catalogue says itself how old it is.
      geography: seen.geography ?? before.geography,
      industry: seen.industry ?? before.industry,
      catalog: seen.catalog ?? (before.catalog.coverage === 'none' ? noCatalog(sighting.at) : before.catalog),
    },
    [...platform.candidates, ...technologies.candidates],
    [...status.signals, ...platform.signals, ...technologies.signals],
  );
}

/** The page contradicts the status: until a second observation agrees, only the doubt and the date are new. */
function inDoubt(looked: StoreProfile, state: StoreState): StoreProfile {
  return {
    ...looked,
    scope: 'partial',
    coverageNote: `Seen once as ${state}; the profile is as before until a second observation agrees.`,
  };
}

function mergeUnreachable(before: StoreProfile, missed: SiteNotSeen): Merge {
  const sighting = sightingOf(before, missed);
  const status = mergeStatus(statusBefore(before), 'unreachable', sighting);
  const open = withoutType(before, 'status_changed');
  const profile = { ...before, sequence: missed.sequence };
  if (status.value.state !== 'unreachable') {
    return kept({ ...profile, candidates: [...status.candidates, ...open] }, missed.reason, status.signals);
  }
  return shown(
    {
      ...profile,
      lastCompletedScanAt: sighting.at,
      status: status.value,
      scope: 'partial',
      coverageNote: 'The site did not answer; the rest of the profile is as last seen.',
    },
    open,
    status.signals,
  );
}

/** A site that refuses a visit says nothing of itself, except that it answers: a doubt about that is discarded. */
function mergeRefused(before: StoreProfile, missed: SiteNotSeen): Merge {
  const answered = (signal: Signal) => signal.type === 'status_changed' && signal.to === 'unreachable';
  const discarded = before.candidates.filter(answered).map((signal): Signal => ({ ...signal, state: 'discarded' }));
  const candidates = before.candidates.filter((signal) => !answered(signal));
  return kept({ ...before, sequence: missed.sequence, candidates }, missed.reason, discarded);
}

function shown(profile: StoreProfile, candidates: Signal[], signals: Signal[]): Merge {
  const recent = recentSignals(profile.recentSignals, signals);
  return { profile: { ...profile, candidates, recentSignals: recent }, shown: true, reason: '', signals };
}

function kept(profile: StoreProfile, reason: string, signals: Signal[]): Merge {
  return { profile, shown: false, reason, signals };
}

/** Scanners' clocks differ by a little; a profile's dates never run backwards. */
function sightingOf(before: StoreProfile, { domain, sequence, completedAt }: Observation): Sighting {
  return { domain, sequence, at: completedAt > before.lastCompletedScanAt ? completedAt : before.lastCompletedScanAt };
}

function statusBefore(before: StoreProfile) {
  const [doubt] = candidatesOf(before, 'status_changed');
  return { status: before.status, doubt, platform: before.platform.slug };
}

function candidatesOf(profile: StoreProfile, type: SignalType): Signal[] {
  return profile.candidates.filter((signal) => signal.type === type);
}

function withoutType(profile: StoreProfile, type: SignalType): Signal[] {
  return profile.candidates.filter((signal) => signal.type !== type);
}
