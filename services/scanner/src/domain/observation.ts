import { canonicalizeDomain } from '@shopscope/domain-name';
import type { FurtherPageKind, SiteObservation, Source } from '@shopscope/fingerprint';
import { type DnsKind, dnsKinds } from '@shopscope/fingerprint/types';
import { ObservationCompleted, ObservationOutcome } from '@shopscope/proto';
import type { StoreVisit } from './page.ts';
import type { VisitFailure } from './reasons.ts';
import { isOtherDomain } from './redirect-policy.ts';

/** The fields of every observation, whatever its outcome. */
export interface ScanFacts {
  scanId: string;
  domain: string;
  sequence: number;
  startedAtMs: number;
  completedAtMs: number;
}

export function toObservedEvent(facts: ScanFacts, visit: StoreVisit, seen: SiteObservation): ObservationCompleted {
  const host = new URL(visit.page.url).hostname;
  const unseen = unseenNote(visit);
  return {
    ...facts,
    outcome: ObservationOutcome.OBSERVED,
    reason: '',
    scope: unseen === '' ? 'full' : 'partial',
    coverageNote: [unseen, nameNote(seen), readNote(visit)].filter((note) => note !== '').join(' '),
    storefrontHost: host,
    statusState: statusOf(facts.domain, host, seen),
    name: seen.name,
    platform: seen.platform,
    technologies: seen.technologies.map(({ slug, name, kind, category, confidence, installState, sources }) => ({
      slug,
      name,
      kind,
      category,
      confidence,
      installState,
      sources: [...sources],
    })),
    sourcesRead: sourcesRead(visit),
    furtherPlatforms: [...seen.furtherPlatforms],
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

/** Returns the event for a visit without a page to examine. */
export function toFailureEvent(facts: ScanFacts, failure: VisitFailure): ObservationCompleted {
  return ObservationCompleted.fromPartial({
    ...facts,
    outcome: outcomeOf(failure),
    reason: failure.reason,
    scope: 'partial',
    coverageNote: failureNote(failure),
    storefrontHost: facts.domain,
    statusState: outcomeOf(failure) === ObservationOutcome.UNREACHABLE ? 'unreachable' : '',
  });
}

function outcomeOf({ refused, isNotTheStore }: VisitFailure): ObservationOutcome {
  if (isNotTheStore) return ObservationOutcome.NOT_THE_STORE;
  return refused ? ObservationOutcome.REFUSED : ObservationOutcome.UNREACHABLE;
}

function failureNote({ reason, refused, isNotTheStore }: VisitFailure): string {
  if (reason === 'not_examinable') return 'The site could not be examined.';
  if (isNotTheStore) return 'The site did not answer with its own page.';
  return refused ? 'The site does not want to be visited.' : 'The site did not answer.';
}

/** Returns everything that was read and could have shown a technology. Only in these sources does its absence count. */
function sourcesRead({ dns, certificate, further }: StoreVisit): Source[] {
  return [
    'home',
    ...further.map(({ kind }) => kind),
    ...dnsKinds.filter((kind) => dns[kind]).map((kind) => `dns.${kind}` as const),
    ...(certificate ? (['certificate'] as const) : []),
  ];
}

/** Returns a note on the part of the site that could not be seen. With such a note the scope is partial. */
function unseenNote({ page, listingSkipped }: StoreVisit): string {
  if (page.ending === 'cut') return 'The home page is longer than what is examined of a page.';
  if (page.ending === 'broken') return 'The home page broke off before its end.';
  if (listingSkipped) return 'Time or capacity ran out before the product listing could be read.';
  return '';
}

/** If no name is certain, the domain replaces the name, and this note states that. */
const nameNote = ({ nameBasis }: SiteObservation): string =>
  nameBasis === 'domain' ? 'The name is the domain, because the site shows no certain name.' : '';

/** Returns a note on the parts of the site and the records that were read, and on the records that got no answer. */
function readNote({ resources, dns, dnsUnanswered, certificate, further }: StoreVisit): string {
  const kinds = dnsKinds.filter((kind) => dns[kind]).map(dnsName);
  const parts = [
    'the home page',
    ...(resources.some(({ url }) => !url.endsWith('/robots.txt')) ? ['the product listing'] : []),
    ...further.map(({ kind }) => pageNames[kind]),
    ...(kinds.length > 0 ? [`DNS (${kinds.join(', ')})`] : []),
    ...(certificate ? ['the certificate'] : []),
  ];
  const unanswered =
    dnsUnanswered.length > 0 ? ` DNS did not answer for ${dnsUnanswered.map(dnsName).join(', ')}.` : '';
  return `Looked at: ${parts.join(', ')}.${unanswered}`;
}

const pageNames: Readonly<Record<FurtherPageKind, string>> = {
  imprint: 'the imprint',
  contact: 'a contact page',
  about: 'a page about the shop',
  product: 'a product page',
  cart: 'the cart',
};

const dnsName = (kind: DnsKind): string => (kind === 'help' ? 'help desk' : kind.toUpperCase());

const statusOf = (domain: string, host: string, { status }: SiteObservation): string =>
  canonicalizeDomain(domain).ok && isOtherDomain(domain, host) ? 'redirected' : status.state;
