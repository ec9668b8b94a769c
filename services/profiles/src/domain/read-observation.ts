import { invalidField } from '@shopscope/errors';
import { type ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import type { Observation, SeenTechnology } from './observation.ts';
import { readCatalog, readGeography, readHost, readIndustry, readText } from './read-values.ts';
import { type Confidence, confidences, customPlatform, customTheme, isOneOf, scopes, storeStates } from './values.ts';

/** What the vocabulary says of a slug. */
export interface KnownTechnology {
  slug: string;
  name: string;
  kind: string;
  category: string;
}

export type FindTechnology = (slug: string) => KnownTechnology | undefined;

export interface ReadObservation {
  observation: Observation;
  /** Slugs that the vocabulary does not have; they are left out. */
  unknownSlugs: string[];
}

/** No store shows more; a page that seems to is hostile or misread. */
const technologiesMax = 500;

/**
 * The event in the service's own terms. Values from page text are bounded and cleaned; what cannot be used counts as not
 * observed. Throws `invalid_request`, for good, when the event names no scan, domain, time, outcome or state: a later
 * version of this service may understand it, so it is worth setting aside.
 */
export function readObservation(event: ObservationCompleted, find: FindTechnology): ReadObservation {
  const facts = readFacts(event);
  switch (event.outcome) {
    case ObservationOutcome.OBSERVED:
      return readSeen(event, facts, find);
    case ObservationOutcome.UNREACHABLE:
      return {
        observation: { ...facts, outcome: 'unreachable', reason: event.reason || 'unreachable' },
        unknownSlugs: [],
      };
    case ObservationOutcome.REFUSED:
      return { observation: { ...facts, outcome: 'refused', reason: event.reason || 'refused' }, unknownSlugs: [] };
    default:
      throw invalidField('outcome', `${event.outcome} is not known here`);
  }
}

function readFacts({ scanId, domain, sequence, completedAtMs }: ObservationCompleted) {
  if (scanId === '' || scanId.length > 100) throw invalidField('scan_id', 'must have 1 to 100 characters');
  if (!/^[a-z0-9.-]{3,253}$/.test(domain)) throw invalidField('domain', 'must be a canonical domain');
  if (!Number.isSafeInteger(sequence)) throw invalidField('sequence', 'is too large');
  if (!(completedAtMs > 0 && completedAtMs < 8.64e15)) throw invalidField('completed_at_ms', 'must be a time');
  return { scanId, domain, sequence, completedAt: new Date(completedAtMs) };
}

function readSeen(
  event: ObservationCompleted,
  facts: ReturnType<typeof readFacts>,
  find: FindTechnology,
): ReadObservation {
  const { scope, statusState } = event;
  if (!isOneOf(scopes, scope)) throw invalidField('scope', `"${scope.slice(0, 50)}" is not known here`);
  if (!isOneOf(storeStates, statusState)) {
    throw invalidField('status_state', `"${statusState.slice(0, 50)}" is not known here`);
  }
  const unknownSlugs: string[] = [];
  const platform =
    event.platform && event.platform.slug !== customPlatform.slug ? find(event.platform.slug) : undefined;
  const slug = event.platform?.slug ?? '';
  if (!platform && slug !== '' && slug !== customPlatform.slug) unknownSlugs.push(slug);

  const observation: Observation = {
    ...facts,
    outcome: 'observed',
    scope,
    coverageNote: readText(event.coverageNote) || null,
    storefrontHost: readHost(event.storefrontHost) || facts.domain,
    state: statusState,
    name: readText(event.name),
    platform: platform
      ? { slug: platform.slug, name: platform.name, confidence: readConfidence(event.platform?.confidence) }
      : null,
    technologies: readTechnologies(event, find, unknownSlugs),
    geography: readGeography(event.geography),
    industry: readIndustry(event.industry),
    catalog: readCatalog(event.catalog, facts.completedAt),
  };
  return { observation, unknownSlugs };
}

/** Names and categories are the vocabulary's; only a theme of the merchant's own brings its name. */
function readTechnologies(event: ObservationCompleted, find: FindTechnology, unknown: string[]): SeenTechnology[] {
  const bySlug = new Map<string, SeenTechnology>();
  for (const seen of event.technologies.slice(0, technologiesMax)) {
    if (bySlug.has(seen.slug)) continue;
    const known = find(seen.slug);
    const themeName = seen.slug === customTheme.slug ? readText(seen.name) || 'Custom theme' : undefined;
    if (!known && themeName === undefined) {
      unknown.push(seen.slug);
      continue;
    }
    bySlug.set(seen.slug, {
      slug: seen.slug,
      name: themeName ?? known?.name ?? seen.slug,
      kind: known?.kind ?? customTheme.kind,
      category: known?.category ?? customTheme.category,
      confidence: readConfidence(seen.confidence),
      installState: seen.installState === 'active' ? 'active' : 'configured',
    });
  }
  return [...bySlug.values()];
}

function readConfidence(text: string | undefined): Confidence {
  return text !== undefined && isOneOf(confidences, text) ? text : 'low';
}
