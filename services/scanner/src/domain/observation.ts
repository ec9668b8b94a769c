import { canonicalizeDomain } from '@shopscope/domain-name';
import { decodePage, type PageInput, type StoreObservation } from '@shopscope/fingerprint';
import { type ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import type { StoreVisit } from './page.ts';
import type { VisitFailure } from './reasons.ts';
import { isOtherDomain } from './redirect-policy.ts';

/** Fields of every observation, whatever its outcome. */
export interface ScanFacts {
  scanId: string;
  domain: string;
  sequence: number;
  startedAtMs: number;
  completedAtMs: number;
}

/** The input of detection: the page and the further resources, decoded to text. */
export function toPageInput(domain: string, visit: StoreVisit): PageInput {
  const { page } = visit;
  return {
    url: page.url,
    status: page.status,
    headers: page.headers,
    cookies: [...page.setCookies],
    html: visit.html ? decodePage(page.body, page.headers['content-type']) : '',
    resources: visit.resources.map(({ url, status, headers, body }) => ({
      url,
      status,
      headers,
      body: decodePage(body, headers['content-type']),
    })),
    requestedHost: domain,
  };
}

/** The event for a site that responded. */
export function toObservedEvent(facts: ScanFacts, visit: StoreVisit, seen: StoreObservation): ObservationCompleted {
  const host = new URL(visit.page.url).hostname;
  const note = coverageNote(visit);
  return {
    ...facts,
    outcome: ObservationOutcome.OBSERVED,
    reason: '',
    scope: note === '' ? 'full' : 'partial',
    coverageNote: note,
    storefrontHost: host,
    statusState: statusOf(facts.domain, host, visit, seen),
    name: seen.name,
    platform: seen.platform,
    technologies: seen.technologies.map(({ slug, name, kind, category, confidence, installState }) => ({
      slug,
      name,
      kind,
      category,
      confidence,
      installState,
    })),
    geography: seen.geography,
    industry: seen.industry,
    catalog: {
      coverage: seen.catalog.coverage,
      productCount: seen.catalog.productCount,
      ...(seen.catalog.availableCount === null ? {} : { availableCount: seen.catalog.availableCount }),
      currency: seen.catalog.currency,
      priceP25: seen.catalog.priceRange.p25,
      priceMedian: seen.catalog.priceRange.median,
      priceP75: seen.catalog.priceRange.p75,
    },
  };
}

/** The event for a visit without a page to examine. */
export function toFailureEvent(facts: ScanFacts, failure: VisitFailure): ObservationCompleted {
  return {
    ...facts,
    outcome: failure.refused ? ObservationOutcome.REFUSED : ObservationOutcome.UNREACHABLE,
    reason: failure.reason,
    scope: 'partial',
    coverageNote: failure.refused ? 'The site does not want to be visited.' : 'The site did not answer.',
    storefrontHost: facts.domain,
    statusState: failure.refused ? '' : 'unreachable',
    name: '',
    technologies: [],
    platform: undefined,
    geography: undefined,
    industry: undefined,
    catalog: undefined,
  };
}

function coverageNote({ page, html, listingSkipped }: StoreVisit): string {
  if (!html) return '';
  if (page.ending === 'cut') return 'The home page is longer than what is examined of a page.';
  if (page.ending === 'broken') return 'The home page broke off before its end.';
  if (listingSkipped) return 'Time ran out before the product listing could be read.';
  return '';
}

function statusOf(domain: string, host: string, visit: StoreVisit, seen: StoreObservation): string {
  if (canonicalizeDomain(domain).ok && isOtherDomain(domain, host)) return 'redirected';
  return visit.html ? seen.status.state : 'not_a_storefront';
}
