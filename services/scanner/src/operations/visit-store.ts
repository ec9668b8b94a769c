import type { FurtherPage } from '@shopscope/fingerprint';
import type { Examine } from '../domain/examination.ts';
import type { StoreVisit } from '../domain/page.ts';
import { isHtml } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { checkedUrl, isOtherDomain } from '../domain/redirect-policy.ts';
import type { Visit } from '../outbound/web/visitor.ts';
import { type FollowOptions, followPage } from './follow-page.ts';
import { readFurtherPages } from './read-further-pages.ts';
import { readListing } from './read-listing.ts';
import { readRecords } from './read-records.ts';
import { createRobots } from './read-robots.ts';

/** Size limits after decompression. */
export interface VisitBounds {
  maxPageBytes: number;
  maxListingBytes: number;
  maxFurtherPageBytes: number;
}

export interface VisitStoreOptions {
  visit: Visit;
  bounds: VisitBounds;
  /** The product token (RFC 9309) of this robot. */
  product: string;
  examine: Examine;
  /** What the page says about further reading. */
  look(page: StoreVisit): Promise<FirstLook>;
}

export interface FirstLook {
  /** The URLs of the listing. They depend on the platform. */
  listing: readonly string[];
  /** Further pages of the site, most useful first. */
  further: readonly FurtherPage[];
  /** Whether the page alone shows that the site is a shop. */
  isShop: boolean;
}

/** After these failures the other scheme may succeed. */
const reasonsToTryOtherScheme = new Set([
  'connection_refused',
  'connection_reset',
  'tls_failure',
  'timeout',
  'invalid_response',
]);

/**
 * Visits a store without a browser. Throws VisitFailure when there is no page to examine.
 *
 * 1. The home page: https, then http. The same under `www.` when the domain itself has no address.
 * 2. Redirects. robots.txt is obeyed at each host.
 * 3. The public product listing of the platform, then further pages for what is unknown. At the same time the DNS records
 *    of the domain.
 */
export async function visitStore(domain: string, options: VisitStoreOptions): Promise<StoreVisit> {
  const { visit } = options;
  const robots = createRobots(options);
  const following: FollowOptions = {
    visit,
    kind: 'page',
    robots,
    maxBytes: options.bounds.maxPageBytes,
  };

  const page = await fetchFirstReachable(domain, visit, (url) => followPage(url, following));
  const host = new URL(page.url).hostname;
  const robotsFile = await robots.fileOf(new URL(page.url).origin);
  const visited: StoreVisit = {
    page,
    html: isHtml(page),
    resources: robotsFile ? [robotsFile] : [],
    listingSkipped: false,
    dns: {},
    dnsUnanswered: [],
    certificate: visit.certificateOf(host),
    further: [],
  };
  if (!visited.html || isOtherDomain(domain, host)) return visited;
  const look = await options.look(visited);
  const readingRecords = readRecords(domain, host, visit);
  const listing = await readListing(look.listing, {
    visit,
    robots,
    maxBytes: options.bounds.maxListingBytes,
  });
  const mayBeShop = look.isShop || listing.responses.length > 0;
  const further = await readFurtherPages(mayBeShop && !listing.cutShort ? look.further : [], {
    ...following,
    domain,
    home: page.url,
    maxBytes: options.bounds.maxFurtherPageBytes,
  });
  const { records, unanswered } = await readingRecords;
  return {
    ...visited,
    resources: [...visited.resources, ...listing.responses],
    listingSkipped: listing.cutShort,
    dns: records,
    dnsUnanswered: unanswered,
    further,
  };
}

async function fetchFirstReachable<T>(domain: string, visit: Visit, attempt: (url: URL) => Promise<T>): Promise<T> {
  const failures: VisitFailure[] = [];
  for (const host of [domain, `www.${domain}`]) {
    for (const scheme of ['https', 'http']) {
      try {
        return await attempt(checkedUrl(`${scheme}://${host}/`, undefined, visit.isTestHost));
      } catch (error) {
        if (!(error instanceof VisitFailure)) throw error;
        failures.push(error);
        if (error.reason === 'dns_failure') break;
        if (!reasonsToTryOtherScheme.has(error.reason)) throw error;
      }
    }
    // `www.` is tried only when the domain has no address. An existing host that fails is the result.
    if (failures.some((failure) => failure.reason !== 'dns_failure')) break;
  }
  throw mostInformative(failures);
}

/** The last failure. A refused connection is used only when there is nothing more specific. */
function mostInformative(failures: readonly VisitFailure[]): VisitFailure {
  const specific = failures.filter((failure) => failure.reason !== 'connection_refused');
  return specific.at(-1) ?? failures.at(-1) ?? new VisitFailure('dns_failure', 'no URL was tried');
}
