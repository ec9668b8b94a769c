import type { SeenPlatform } from './observation.ts';
import { candidate, confirm, confirmed, discard, type Sighting, type Signal } from './signal.ts';
import type { Outcome, StorePlatform } from './store-profile.ts';
import { customPlatform } from './values.ts';

export interface PlatformBefore {
  platform: StorePlatform;
  /** The open platform_changed, when there is one. */
  doubt: Signal | undefined;
}

export interface PlatformSighting extends Sighting {
  /** Whether not seeing something means that it is not there. */
  absenceCounts: boolean;
}

/**
 * One known platform replaces another after two successive observations that agree; so does `custom`, when the platform
 * was looked for everywhere and not found. A platform where none was known is shown at once: it contradicts nothing.
 */
export function mergePlatform(
  before: PlatformBefore,
  seen: SeenPlatform | null,
  sighting: PlatformSighting,
): Outcome<StorePlatform> {
  const { platform, doubt } = before;
  const unchanged = { value: platform, candidates: doubt ? [doubt] : [], signals: [] };
  if (!seen && platform.slug !== customPlatform.slug && !sighting.absenceCounts) return unchanged;

  const { slug, name, confidence } = seen ?? customPlatform;
  const shown = (firstObservedAt: Date): StorePlatform => ({
    slug,
    name,
    confidence,
    firstObservedAt,
    lastConfirmedAt: sighting.at,
  });
  const dropped = doubt ? [discard(doubt)] : [];
  if (slug === platform.slug) return { value: shown(platform.firstObservedAt), candidates: [], signals: dropped };

  if (doubt?.to === slug) {
    return { value: shown(doubt.effectiveAt), candidates: [], signals: [confirm(doubt, sighting.at)] };
  }
  const change = { type: 'platform_changed', technology: slug, from: platform.slug, to: slug, confidence } as const;
  if (platform.slug === customPlatform.slug) {
    return { value: shown(sighting.at), candidates: [], signals: [...dropped, confirmed(sighting, change)] };
  }
  const opened = candidate(sighting, change);
  return { value: platform, candidates: [opened], signals: [...dropped, opened] };
}
