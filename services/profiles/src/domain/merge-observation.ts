import { bySlug } from './bound-technologies.ts';
import { mergePlatform } from './merge-platform.ts';
import { mergeStatus } from './merge-status.ts';
import { isAppearance, isReadAgain, mergeTechnologies, newTechnology } from './merge-technologies.ts';
import type { Observation, ObservedSite, UnobservedSite } from './observation.ts';
import { type MergeContext, recentSignals, type Signal, type SignalType } from './signal.ts';
import type { StoreProfile, StoreTechnology } from './store-profile.ts';
import {
  customPlatform,
  homeSources,
  noCatalog,
  type StoreState,
  unknownGeography,
  unknownIndustry,
} from './values.ts';

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

/** The reason of an observation that comes after a later one of its domain. */
export const superseded = 'superseded';

/** In these states a full observation does not prove that a technology is absent. */
const statesHidingTheStore: ReadonlySet<StoreState> = new Set(['password_protected', 'unreachable', 'closed']);

export function mergeObservation(before: StoreProfile | null, observation: Observation): Merge {
  if (!before) {
    if (observation.outcome !== 'observed') return unchangedMerge(observation.reason);
    return { profile: firstProfile(observation), shown: true, reason: '', signals: [] };
  }
  if (observation.sequence <= before.sequence) return unchangedMerge(superseded);
  switch (observation.outcome) {
    case 'observed':
      return mergeSeen(before, observation);
    case 'unreachable':
      return mergeUnreachable(before, observation);
    case 'refused':
      return mergeRefused(before, observation);
  }
}

function unchangedMerge(reason: string): Merge {
  return { profile: null, shown: false, reason, signals: [] };
}

/** The first observation emits no signals. */
function firstProfile(seen: ObservedSite): StoreProfile {
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
    technologies: seen.technologies.map((found) => newTechnology(found, at)).sort(bySlug),
    technologiesOmitted: seen.technologiesOmitted,
    geography: seen.geography ?? unknownGeography,
    industry: seen.industry ?? unknownIndustry,
    catalog: seen.catalog ?? noCatalog(at),
    sourcesRead: seen.sourcesRead,
    recentSignals: [],
    candidates: [],
  };
}

function mergeSeen(before: StoreProfile, seen: ObservedSite): Merge {
  const context = contextOf(before, seen);
  const status = mergeStatus(statusBefore(before), seen.state, context);
  const otherCandidates = withoutType(before, 'status_changed');
  const visited = {
    ...before,
    sequence: seen.sequence,
    lastCompletedScanAt: context.at,
    status: status.value,
  };
  if (status.value.state !== seen.state)
    return shownMerge(
      withPendingStatus(visited, seen.state),
      [...status.candidates, ...otherCandidates],
      status.signals,
    );

  const absenceCounts = seen.scope === 'full' && !statesHidingTheStore.has(seen.state);
  const platform = mergePlatform(
    { platform: before.platform, openCandidate: candidatesOf(before, 'platform_changed')[0] },
    seen.platform,
    {
      ...context,
      absenceCounts: absenceCounts && isReadAgain(platformSources(before), seen.sourcesRead),
      isAppearance: isAppearance(platformSources(seen), before.sourcesRead),
    },
  );
  const technologies = mergeTechnologies(
    {
      technologies:
        platform.value.slug === before.platform.slug ? before.technologies : before.technologies.map(ofOldSite),
      openCandidates: candidatesOf(before, 'technology_removed'),
      omitted: before.technologiesOmitted,
    },
    seen.technologies,
    {
      ...context,
      absenceCounts,
      detectedMore: seen.technologiesOmitted,
      scope: seen.scope,
      readNow: seen.sourcesRead,
      readBefore: before.sourcesRead,
    },
  );
  const technologiesOmitted = technologies.omitted || seen.technologiesOmitted;
  return shownMerge(
    {
      ...visited,
      scope: technologiesOmitted ? 'partial' : seen.scope,
      coverageNote: seen.coverageNote,
      storefrontHost: seen.storefrontHost,
      name: seen.name || before.name,
      platform: platform.value,
      technologies: technologies.value,
      technologiesOmitted,
      // Known values that were not observed this time are kept. The catalogue has its own date.
      geography: seen.geography ?? before.geography,
      industry: seen.industry ?? before.industry,
      sourcesRead: [...new Set([...before.sourcesRead, ...seen.sourcesRead])].sort(),
      catalog: seen.catalog ?? (before.catalog.coverage === 'none' ? noCatalog(context.at) : before.catalog),
    },
    [...platform.candidates, ...technologies.candidates],
    [...status.signals, ...platform.signals, ...technologies.signals],
  );
}

/**
 * After a move to another platform the further pages of the old site are gone, and nothing can be read there again. Absence
 * on the home page counts in their place.
 */
function ofOldSite(known: StoreTechnology): StoreTechnology {
  const isRecord = (source: string): boolean => source === 'certificate' || source.startsWith('dns.');
  return {
    ...known,
    sources: [...new Set(known.sources.map((source) => (isRecord(source) ? source : 'home')))].sort(),
  };
}

/** What shows the platform. It is one of the technologies, unless it is `custom`. */
function platformSources({ platform, technologies }: StoreProfile | ObservedSite): readonly string[] {
  return technologies.find(({ slug }) => slug === platform?.slug)?.sources ?? homeSources;
}

/** The page contradicts the known status. Until a second observation agrees, only the candidate and the date change. */
function withPendingStatus(visited: StoreProfile, state: StoreState): StoreProfile {
  return {
    ...visited,
    scope: 'partial',
    coverageNote: `Seen as ${state}; the profile is as before until ${state === 'unreachable' ? 'an observation at least six hours later' : 'a second observation'} agrees.`,
  };
}

function mergeUnreachable(before: StoreProfile, missed: UnobservedSite): Merge {
  const context = contextOf(before, missed);
  const status = mergeStatus(statusBefore(before), 'unreachable', context);
  const otherCandidates = withoutType(before, 'status_changed');
  const profile = { ...before, sequence: missed.sequence };
  if (status.value.state !== 'unreachable') {
    return hiddenMerge(
      { ...profile, candidates: [...status.candidates, ...otherCandidates] },
      missed.reason,
      status.signals,
    );
  }
  return shownMerge(
    {
      ...profile,
      lastCompletedScanAt: context.at,
      status: status.value,
      scope: 'partial',
      coverageNote: 'The site did not answer; the rest of the profile is as last seen.',
    },
    otherCandidates,
    status.signals,
  );
}

/** A refusal proves only that the site is reachable. So it discards a candidate for `unreachable`. */
function mergeRefused(before: StoreProfile, missed: UnobservedSite): Merge {
  const isUnreachableCandidate = (signal: Signal) => signal.type === 'status_changed' && signal.to === 'unreachable';
  const discarded = before.candidates
    .filter(isUnreachableCandidate)
    .map((signal): Signal => ({ ...signal, state: 'discarded' }));
  const candidates = before.candidates.filter((signal) => !isUnreachableCandidate(signal));
  return hiddenMerge({ ...before, sequence: missed.sequence, candidates }, missed.reason, discarded);
}

function shownMerge(profile: StoreProfile, candidates: Signal[], signals: Signal[]): Merge {
  const recent = recentSignals(profile.recentSignals, signals);
  return { profile: { ...profile, candidates, recentSignals: recent }, shown: true, reason: '', signals };
}

function hiddenMerge(profile: StoreProfile, reason: string, signals: Signal[]): Merge {
  return { profile, shown: false, reason, signals };
}

/** A profile's dates never move back, although the clocks of scanners differ a little. */
function contextOf(before: StoreProfile, { domain, sequence, completedAt }: Observation): MergeContext {
  return { domain, sequence, at: completedAt > before.lastCompletedScanAt ? completedAt : before.lastCompletedScanAt };
}

function statusBefore(before: StoreProfile) {
  const [openCandidate] = candidatesOf(before, 'status_changed');
  return { status: before.status, openCandidate, platform: before.platform.slug };
}

function candidatesOf(profile: StoreProfile, type: SignalType): Signal[] {
  return profile.candidates.filter((signal) => signal.type === type);
}

function withoutType(profile: StoreProfile, type: SignalType): Signal[] {
  return profile.candidates.filter((signal) => signal.type !== type);
}
