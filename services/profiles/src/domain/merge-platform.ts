import type { DetectedPlatform } from './observation.ts';
import { confirm, discard, type MergeContext, newCandidate, newConfirmed, type Signal } from './signal.ts';
import type { Outcome, StorePlatform } from './store-profile.ts';
import { customPlatform } from './values.ts';

export interface PlatformBefore {
  platform: StorePlatform;
  /** The open platform_changed candidate, if any. */
  openCandidate: Signal | undefined;
}

export interface PlatformMergeContext extends MergeContext {
  /** Whether a missing detection proves absence. */
  absenceCounts: boolean;
  /** Whether a source that was read before shows the detected platform. */
  isAppearance: boolean;
  /** Whether the observation confirms a candidate with which it agrees. */
  mayConfirm(candidate: Signal): boolean;
}

/**
 * Merges the detected platform.
 *
 * - Another platform than the known one is detected -> it replaces the known one after successive observations that agree
 *   and confirm it. Until then the candidate stays.
 * - No platform, or `custom`, is detected in an observation that proves absence -> `custom` follows the same rule.
 * - A platform is detected and none was known -> it is shown at once. There is no signal if only sources that were never
 *   read before show it.
 */
export function mergePlatform(
  before: PlatformBefore,
  seen: DetectedPlatform | null,
  context: PlatformMergeContext,
): Outcome<StorePlatform> {
  const { platform, openCandidate } = before;
  const unchanged = { value: platform, candidates: openCandidate ? [openCandidate] : [], signals: [] };
  const { slug, name, confidence } = seen ?? customPlatform;
  if (slug === customPlatform.slug && platform.slug !== slug && !context.absenceCounts) return unchanged;

  const shown = (firstObservedAt: Date): StorePlatform => ({
    slug,
    name,
    confidence,
    firstObservedAt,
    lastConfirmedAt: context.at,
  });
  const discarded = openCandidate ? [discard(openCandidate)] : [];
  if (slug === platform.slug) return { value: shown(platform.firstObservedAt), candidates: [], signals: discarded };

  if (openCandidate?.to === slug) {
    if (!context.mayConfirm(openCandidate)) return unchanged;
    return { value: shown(openCandidate.effectiveAt), candidates: [], signals: [confirm(openCandidate, context.at)] };
  }
  const change = { type: 'platform_changed', technology: slug, from: platform.slug, to: slug, confidence } as const;
  if (platform.slug === customPlatform.slug) {
    const signals = context.isAppearance ? [...discarded, newConfirmed(context, change)] : discarded;
    return { value: shown(context.at), candidates: [], signals };
  }
  const created = newCandidate(context, change);
  return { value: platform, candidates: [created], signals: [...discarded, created] };
}
