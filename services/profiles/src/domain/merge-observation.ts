import { bySlug } from './bound-technologies.ts';
import { contextOf, hiddenMerge, type Merge, shownMerge, statusBefore, withoutType } from './merge.ts';
import { mergeSite } from './merge-site.ts';
import { mergeStatus } from './merge-status.ts';
import { newTechnology } from './merge-technologies.ts';
import type { Observation, ObservedSite, UnobservedSite } from './observation.ts';
import { newRetractables } from './retraction.ts';
import type { Signal } from './signal.ts';
import type { StoreProfile } from './store-profile.ts';
import { customPlatform, noCatalog, unknownGeography, unknownIndustry } from './values.ts';

export type { Merge } from './merge.ts';

/** The reason of an observation that arrives after a later observation of its domain. */
export const superseded = 'superseded';
/** The reason of an observation of a store that is opted out. */
export const optedOut = 'opted_out';

/** `removalSequence`: the sequence with which the profile was removed. */
export function mergeObservation(
  before: StoreProfile | null,
  observation: Observation,
  removalSequence?: number,
): Merge {
  if (!before) {
    if (removalSequence !== undefined && observation.sequence <= removalSequence) return unchangedMerge(superseded);
    if (observation.outcome !== 'observed') return unchangedMerge(observation.reason);
    return { profile: firstProfile(observation), shown: true, reason: '', signals: [] };
  }
  if (observation.sequence <= before.sequence) return unchangedMerge(superseded);
  switch (observation.outcome) {
    case 'observed':
      return mergeSite(before, observation);
    case 'unreachable':
      return mergeUnreachable(before, observation);
    case 'refused':
      return mergeRefused(before, observation);
    case 'not_the_store':
      // Such an observation proves nothing about the store, not even that it can be reached. Only its sequence is stored.
      return hiddenMerge({ ...before, sequence: observation.sequence }, observation.reason, []);
  }
}

export function unchangedMerge(reason: string): Merge {
  return { profile: null, shown: false, reason, signals: [] };
}

/** Returns the profile after the first observation of a store. The first observation emits no signals. */
function firstProfile(seen: ObservedSite): StoreProfile {
  const at = seen.completedAt;
  return {
    domain: seen.domain,
    sequence: seen.sequence,
    firstScanAt: at,
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
    changeOfEverything: null,
    retractable: [],
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
      retractable: [...before.retractable, ...newRetractables(before, status.signals)],
    },
    otherCandidates,
    status.signals,
  );
}

/** A refusal proves only that the site is reachable. It therefore discards a candidate for `unreachable`. */
function mergeRefused(before: StoreProfile, missed: UnobservedSite): Merge {
  const isUnreachableCandidate = (signal: Signal) => signal.type === 'status_changed' && signal.to === 'unreachable';
  const discarded = before.candidates
    .filter(isUnreachableCandidate)
    .map((signal): Signal => ({ ...signal, state: 'discarded' }));
  const candidates = before.candidates.filter((signal) => !isUnreachableCandidate(signal));
  return hiddenMerge({ ...before, sequence: missed.sequence, candidates }, missed.reason, discarded);
}
