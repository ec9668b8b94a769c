import { invalidField } from '@shopscope/errors';
import {
  confidences,
  type ObservationCompleted,
  ObservationOutcome,
  observationScopes,
  storeStates,
} from '@shopscope/proto';
import { maxTechnologies } from './bound-technologies.ts';
import { notAfter } from './future-times.ts';
import type { DetectedTechnology, Observation, UnobservedSite } from './observation.ts';
import {
  parseCatalog,
  parseGeography,
  parseHost,
  parseIndustry,
  parseNote,
  parseSlugs,
  parseSources,
  parseText,
} from './parse-values.ts';
import { type Confidence, customPlatform, customTheme, isOneOf } from './values.ts';

/** Finds the vocabulary entry of a slug. */
export type FindTechnology = (
  slug: string,
) => Pick<DetectedTechnology, 'slug' | 'name' | 'kind' | 'category'> | undefined;

export interface ParsedObservation {
  observation: Observation;
  /** The slugs that the vocabulary does not contain. The observation omits them. */
  unknownSlugs: string[];
}

/**
 * Validates an event.
 *
 * - Text from pages is truncated, and control characters are removed.
 * - A value is outside the contract -> it counts as not observed.
 * - There are more than {@link maxTechnologies} technologies -> only the first ones are parsed, and the scope is partial.
 *   Such an event comes from a hostile page or a wrong detection.
 * - The scan, domain, sequence, time, outcome, scope or state is invalid -> it throws `invalid_request`, which is not
 *   retryable. The event becomes a dead letter, because a later version of this service may support it.
 */
export function parseObservation(event: ObservationCompleted, find: FindTechnology, nowMs: number): ParsedObservation {
  const facts = parseFacts(event, nowMs);
  const unobserved = (outcome: UnobservedSite['outcome']): ParsedObservation => ({
    observation: { ...facts, outcome, reason: event.reason || outcome },
    unknownSlugs: [],
  });
  switch (event.outcome) {
    case ObservationOutcome.OBSERVED:
      return parseObserved(event, facts, find);
    case ObservationOutcome.UNREACHABLE:
      return unobserved('unreachable');
    case ObservationOutcome.REFUSED:
      return unobserved('refused');
    case ObservationOutcome.NOT_THE_STORE:
      return unobserved('not_the_store');
    default:
      throw invalidField('outcome', `${event.outcome} is not supported`);
  }
}

function parseFacts({ scanId, domain, sequence, completedAtMs }: ObservationCompleted, nowMs: number) {
  if (scanId === '' || scanId.length > 100) throw invalidField('scan_id', 'must have 1 to 100 characters');
  if (!/^[a-z0-9.-]{3,253}$/.test(domain)) throw invalidField('domain', 'must be a canonical domain');
  if (!Number.isSafeInteger(sequence)) throw invalidField('sequence', 'is too large');
  if (!(completedAtMs > 0 && completedAtMs < 8.64e15)) throw invalidField('completed_at_ms', 'must be a time');
  return { scanId, domain, sequence, completedAt: new Date(notAfter(completedAtMs, nowMs)) };
}

function parseObserved(
  event: ObservationCompleted,
  facts: ReturnType<typeof parseFacts>,
  find: FindTechnology,
): ParsedObservation {
  const { scope, statusState } = event;
  if (!isOneOf(observationScopes, scope)) throw invalidField('scope', `"${scope.slice(0, 50)}" is not supported`);
  if (!isOneOf(storeStates, statusState)) {
    throw invalidField('status_state', `"${statusState.slice(0, 50)}" is not supported`);
  }
  const unknownSlugs: string[] = [];
  const platform =
    event.platform && event.platform.slug !== customPlatform.slug ? find(event.platform.slug) : undefined;
  const slug = event.platform?.slug ?? '';
  if (!platform && slug !== '' && slug !== customPlatform.slug) unknownSlugs.push(slug);

  const technologiesOmitted = event.technologies.length > maxTechnologies;
  const observation: Observation = {
    ...facts,
    outcome: 'observed',
    scope: technologiesOmitted ? 'partial' : scope,
    coverageNote: parseNote(event.coverageNote) || null,
    storefrontHost: parseHost(event.storefrontHost) || facts.domain,
    state: statusState,
    name: parseText(event.name),
    platform: platform
      ? { slug: platform.slug, name: platform.name, confidence: parseConfidence(event.platform?.confidence) }
      : null,
    technologies: parseTechnologies(event, find, unknownSlugs),
    technologiesOmitted,
    geography: parseGeography(event.geography),
    industry: parseIndustry(event.industry),
    catalog: parseCatalog(event.catalog, facts.completedAt),
    sourcesRead: parseSources(event.sourcesRead),
    furtherPlatforms: parseSlugs(event.furtherPlatforms),
  };
  return { observation, unknownSlugs };
}

/** Names and categories come from the vocabulary. Only a custom theme keeps the name of the event. */
function parseTechnologies(event: ObservationCompleted, find: FindTechnology, unknown: string[]): DetectedTechnology[] {
  const bySlug = new Map<string, DetectedTechnology>();
  for (const seen of event.technologies.slice(0, maxTechnologies)) {
    if (bySlug.has(seen.slug)) continue;
    const known = find(seen.slug);
    const themeName = seen.slug === customTheme.slug ? parseText(seen.name) || 'Custom theme' : undefined;
    if (!known && themeName === undefined) {
      unknown.push(seen.slug);
      continue;
    }
    bySlug.set(seen.slug, {
      slug: seen.slug,
      name: themeName ?? known?.name ?? seen.slug,
      kind: known?.kind ?? customTheme.kind,
      category: known?.category ?? customTheme.category,
      confidence: parseConfidence(seen.confidence),
      installState: seen.installState === 'active' ? 'active' : 'configured',
      sources: parseSources(seen.sources),
    });
  }
  return [...bySlug.values()];
}

function parseConfidence(text: string | undefined): Confidence {
  return text !== undefined && isOneOf(confidences, text) ? text : 'low';
}
