import { confidenceOf, type Detection } from '../engine/detect.ts';
import { customPlatform, mixedPlatforms, ownPlatforms, predecessors } from '../rules/index.ts';
import type { DetectedPlatform } from '../types.ts';

/**
 * Selects the platform of the page among the detected ones. Order of precedence:
 *
 * 1. platforms for shops that the page states, before those that only have traces
 * 2. platforms with own rules, before imported ones
 * 3. more independent families of evidence
 * 4. platforms that are used only for stores, before platforms that also serve other sites
 *
 * A stated site builder has no precedence, because the shop in the site may use another platform.
 */
function rank(detection: Detection): number {
  const stated = detection.stated && !mixedPlatforms.has(detection.rule.slug) ? 2000 : 0;
  const own = ownPlatforms.has(detection.rule.slug) ? 1000 : 0;
  const onlySells = mixedPlatforms.has(detection.rule.slug) ? 0 : 50;
  return stated + own + Math.min(detection.weight, 300) + detection.families.size * 100 + onlySells;
}

export const isPlatform = ({ rule }: Detection): boolean => rule.kind === 'platform';

/** Returns undefined if the page has no traces of a platform. Weak traces do not count. */
export function primaryPlatform(found: ReadonlyMap<string, Detection>): Detection | undefined {
  const candidates = [...found.values()].filter(
    (detection) => isPlatform(detection) && confidenceOf(detection) !== 'low',
  );
  const followed = new Set(candidates.flatMap(({ rule }) => predecessors.get(rule.slug) ?? []));
  return candidates
    .filter(({ rule, stated }) => stated || !followed.has(rule.slug))
    .sort((one, other) => rank(other) - rank(one) || (one.rule.slug < other.rule.slug ? -1 : 1))[0];
}

export function platformOf(detection: Detection | undefined): DetectedPlatform {
  if (!detection) return { slug: customPlatform.slug, name: customPlatform.name, confidence: 'low' };
  return { slug: detection.rule.slug, name: detection.rule.name, confidence: confidenceOf(detection) };
}
