import { dayMs } from '@shopscope/clock';
import type { ObservedSite } from './observation.ts';
import { type RetractionReason, retract, type Signal } from './signal.ts';
import type { Retractable, StoreProfile } from './store-profile.ts';
import { customPlatform } from './values.ts';

/**
 * Retraction (decision 61). Several observations confirmed a change together. The change was not true if the next full
 * observation that can decide this sees the replaced entry again, at most {@link maxRetractableMs} after the confirmation.
 *
 * - That observation refutes the change -> the entry returns with its earlier first_observed_at. No addition is signalled.
 * - That observation does not refute the change -> the change remains valid. A later return is a separate change.
 * - A partial observation refutes nothing. Entries that it sees are added as usual, and the change remains valid.
 * - A change that a single observation confirms cannot be retracted, because that observation saw the new state.
 */
export const maxRetractableMs = 30 * dayMs;

const reasons: Record<Retractable['kind'], RetractionReason> = {
  technology: 'technology_seen_again',
  platform: 'platform_seen_again',
  status: 'status_seen_again',
};

export interface Restored {
  /** The profile before the changes that the observation refutes. */
  profile: StoreProfile;
  /** The retracted signals of these changes. */
  signals: Signal[];
}

export function restoreStatus(profile: StoreProfile, seen: ObservedSite, at: Date): Restored {
  const restored = restore(profile, at, ({ kind, signal }) => {
    return kind === 'status' && seen.scope === 'full' && signal.from === seen.state;
  });
  const status = restored.signals.length > 0 ? { ...profile.status, state: seen.state } : profile.status;
  return { ...restored, profile: { ...restored.profile, status } };
}

/** Restores the platform and the technologies. The observation has the same status as the profile. */
export function restoreEntries(profile: StoreProfile, seen: ObservedSite, at: Date): Restored {
  const shown = new Set(seen.technologies.map(({ slug }) => slug));
  return restore(profile, at, (each) => {
    if (seen.scope !== 'full' || each.kind === 'status') return false;
    if (each.kind === 'technology') return shown.has(each.technology.slug);
    return each.platform.slug === seen.platform?.slug;
  });
}

function restore(profile: StoreProfile, at: Date, isRefuted: (each: Retractable) => boolean): Restored {
  const refuted = profile.retractable.filter((each) => isRecent(each, at) && isRefuted(each));
  if (refuted.length === 0) return { profile, signals: [] };
  let { platform } = profile;
  const technologies = [...profile.technologies];
  for (const each of refuted) {
    if (each.kind === 'platform') platform = each.platform;
    if (each.kind === 'technology') technologies.push(each.technology);
  }
  const retractable = profile.retractable.filter((each) => !refuted.includes(each));
  return {
    profile: { ...profile, platform, technologies, retractable },
    signals: refuted.map(({ kind, signal }) => retract(signal, at, reasons[kind])),
  };
}

const isRecent = ({ signal }: Retractable, at: Date): boolean =>
  at.getTime() - (signal.confirmedAt ?? signal.effectiveAt).getTime() <= maxRetractableMs;

/** Returns the changes that the observation confirmed, with the entries that they replaced. */
export function newRetractables(before: StoreProfile, signals: readonly Signal[]): Retractable[] {
  const wasCandidate = new Set(before.candidates.map(({ id }) => id));
  return signals
    .filter(({ id, state }) => state === 'confirmed' && wasCandidate.has(id))
    .flatMap((signal): Retractable[] => {
      if (signal.type === 'status_changed') return [{ kind: 'status', signal }];
      // The absence of a platform cannot be seen again.
      if (signal.type === 'platform_changed')
        return before.platform.slug === customPlatform.slug
          ? []
          : [{ kind: 'platform', signal, platform: before.platform }];
      const technology = before.technologies.find(({ slug }) => slug === signal.technology);
      return technology ? [{ kind: 'technology', signal, technology }] : [];
    });
}

export interface Judged {
  at: Date;
  /** Whether the observation is full. */
  isFull: boolean;
  /** Whether a technology with these sources is absent if the observation does not show it. */
  absenceCounts(sources: readonly string[]): boolean;
  /** Whether the observation determines the platform of the store. */
  platformIsKnown: boolean;
}

/** Returns the changes that the next observation may still refute. */
export function stillRetractable(known: readonly Retractable[], profile: StoreProfile, judged: Judged): Retractable[] {
  return known.filter((each) => {
    if (!isRecent(each, judged.at)) return false;
    if (each.kind === 'status') return !judged.isFull && profile.status.state === each.signal.to;
    if (each.kind === 'platform') return !judged.platformIsKnown && profile.platform.slug === each.signal.to;
    const isListed = profile.technologies.some(({ slug }) => slug === each.technology.slug);
    return !isListed && !judged.absenceCounts(each.technology.sources);
  });
}
