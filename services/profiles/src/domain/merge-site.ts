import { confirmableFrom } from './agreement.ts';
import { changeRules } from './change-of-everything.ts';
import { candidatesOf, contextOf, type Merge, shownMerge, statusBefore, withoutType } from './merge.ts';
import { mergePlatform } from './merge-platform.ts';
import { mergeStatus } from './merge-status.ts';
import { isAppearance, isReadAgain, mergeTechnologies } from './merge-technologies.ts';
import type { ObservedSite } from './observation.ts';
import { newRetractables, restoreEntries, restoreStatus, stillRetractable } from './retraction.ts';
import type { Signal } from './signal.ts';
import type { StoreProfile, StoreTechnology } from './store-profile.ts';
import { customPlatform, homeSources, noCatalog, type StoreState } from './values.ts';

/** A full observation of a store in one of these states does not prove that a technology is absent. */
const statesHidingTheStore: ReadonlySet<StoreState> = new Set(['password_protected', 'unreachable', 'closed']);

/** Merges an observed site into the profile of its store. */
export function mergeSite(known: StoreProfile, seen: ObservedSite): Merge {
  const context = contextOf(known, seen);
  const { at } = context;
  const isFull = seen.scope === 'full';
  const reopened = restoreStatus(known, seen, at);
  const status = mergeStatus(statusBefore(reopened.profile), seen.state, context);
  const visited = {
    ...reopened.profile,
    sequence: seen.sequence,
    lastCompletedScanAt: at,
    status: status.value,
  };
  const [pendingStatus] = status.candidates;
  if (status.value.state !== seen.state && pendingStatus) {
    const nothing = { at, isFull, absenceCounts: () => false, platformIsKnown: false };
    return shownMerge(
      {
        ...withPendingStatus(visited, pendingStatus),
        retractable: stillRetractable(visited.retractable, visited, nothing),
      },
      [pendingStatus, ...withoutType(visited, 'status_changed')],
      [...reopened.signals, ...status.signals],
    );
  }

  const absenceCounts = isFull && !statesHidingTheStore.has(seen.state);
  const restored = restoreEntries(visited, seen, at);
  const before = restored.profile;
  const platformIsAbsent = absenceCounts && isReadAgain(platformSources(before), seen.sourcesRead);
  const change = changeRules(before, seen, { at, platformIsAbsent });
  const platform = mergePlatform(
    { platform: before.platform, openCandidate: candidatesOf(before, 'platform_changed')[0] },
    seen.platform,
    {
      ...context,
      absenceCounts: platformIsAbsent,
      isAppearance: isAppearance(platformSources(seen), before.sourcesRead),
      mayConfirm: change.mayConfirm,
    },
  );
  const hasMoved = platform.value.slug !== known.platform.slug;
  const listed = hasMoved ? { ...before, technologies: before.technologies.map(ofOldSite) } : before;
  const everything = change.withPlatform(platform);
  const technologies = mergeTechnologies(
    {
      technologies: listed.technologies,
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
      verdictOn: everything.verdictOn,
    },
  );
  const technologiesOmitted = technologies.omitted || seen.technologiesOmitted;
  const candidates = [...platform.candidates, ...technologies.candidates];
  const signals = [...status.signals, ...platform.signals, ...technologies.signals];
  const profile: StoreProfile = {
    ...before,
    scope: technologiesOmitted ? 'partial' : seen.scope,
    coverageNote: seen.coverageNote,
    storefrontHost: seen.storefrontHost,
    name: seen.name || before.name,
    platform: platform.value,
    technologies: technologies.value,
    technologiesOmitted,
    // Known values that were not observed this time stay. The catalogue has its own date.
    geography: seen.geography ?? before.geography,
    industry: seen.industry ?? before.industry,
    sourcesRead: [...new Set([...before.sourcesRead, ...seen.sourcesRead])].sort(),
    catalog: seen.catalog ?? (before.catalog.coverage === 'none' ? noCatalog(at) : before.catalog),
    changeOfEverything: everything.changeWith(candidates),
  };
  const judged = {
    at,
    isFull,
    absenceCounts: (sources: readonly string[]) => absenceCounts && isReadAgain(sources, seen.sourcesRead),
    platformIsKnown: isFull && (namesPlatform(seen) || platformIsAbsent),
  };
  const retractable = [...stillRetractable(before.retractable, profile, judged), ...newRetractables(listed, signals)];
  return shownMerge({ ...profile, retractable }, candidates, [...reopened.signals, ...restored.signals, ...signals]);
}
/**
 * Replaces the page sources of a technology by `home`. After a move to another platform, the further pages of the old site
 * are gone and cannot be read again. Absence on the home page therefore proves absence.
 */
function ofOldSite(known: StoreTechnology): StoreTechnology {
  const isRecord = (source: string): boolean => source === 'certificate' || source.startsWith('dns.');
  return {
    ...known,
    sources: [...new Set(known.sources.map((source) => (isRecord(source) ? source : 'home')))].sort(),
  };
}

/** Returns the sources that show the platform. The platform is one of the technologies, unless it is `custom`. */
function platformSources({ platform, technologies }: StoreProfile | ObservedSite): readonly string[] {
  return technologies.find(({ slug }) => slug === platform?.slug)?.sources ?? homeSources;
}

/** Whether the observation names a platform. */
const namesPlatform = ({ platform }: ObservedSite): boolean =>
  platform !== null && platform.slug !== customPlatform.slug;

/** Returns the profile of a store whose page contradicts the known status. It shows the old status until another observation agrees. */
function withPendingStatus(visited: StoreProfile, { to, effectiveAt }: Signal): StoreProfile {
  const from = confirmableFrom(effectiveAt).toISOString();
  return {
    ...visited,
    scope: 'partial',
    coverageNote: `Seen as ${to}; the profile is as before until a scan from ${from} on agrees.`,
  };
}
