import type { FurtherPage, PageFailure } from '@shopscope/fingerprint';
import type { Examine } from '../domain/examination.ts';
import { hasOwnZone } from '../domain/own-zone.ts';
import type { Fetched, StoreVisit } from '../domain/page.ts';
import { isBinary, isHtml } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { checkedUrl, isOtherDomain, nextHop } from '../domain/redirect-policy.ts';
import type { Visit } from '../outbound/web/visitor.ts';
import { type Followed, type FollowOptions, followPage, requireAnswer } from './follow-page.ts';
import { readFurtherPages } from './read-further-pages.ts';
import { readListing } from './read-listing.ts';
import { readRecords } from './read-records.ts';
import { createRobots } from './read-robots.ts';

/** The size limits after decompression. */
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
  /** Returns what to read next according to the page, or why the page is not the store's own page. */
  look(page: StoreVisit): Promise<FirstLook | { failure: PageFailure }>;
}

export interface FirstLook {
  failure?: never;
  /** The URLs of the listing. They depend on the platform. */
  listing: readonly string[];
  /** Further pages of the site, most useful first. */
  further: readonly FurtherPage[];
  /** Whether the page alone shows that the site is a shop. */
  isShop: boolean;
}

/** After these failures, the other scheme or the host under `www.` may succeed. */
const reasonsToTryOthers = new Set(['connection_refused', 'connection_reset', 'tls_failure', 'timeout']);
/** After these failures, the other scheme may succeed. */
const reasonsToTryOtherScheme = new Set([...reasonsToTryOthers, 'invalid_response']);

/** The name has no host that can be visited, or our name servers did not answer. */
const noSuchHost = new Set(['dns_failure', 'dns_unavailable', 'blocked_address']);

/**
 * Visits a store without a browser. Throws VisitFailure if there is no page of the store to examine.
 *
 * 1. The home page by https, then by http. The same under `www.` if the domain itself has no address or does not answer.
 * 2. The redirects of responses, and those that a page makes within its domain. The robots.txt of each host is obeyed.
 * 3. The platform's public product listing, then further pages for facts that are still unknown. At the same time, the DNS records of the
 *    domain.
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

  // Step 1: the home page.
  let followed = await fetchFirstReachable(domain, visit, (url, onRedirect) =>
    followPage(url, { ...following, onRedirect }),
  );
  for (;;) {
    const { page } = followed;
    requireHtml(page);
    const host = new URL(page.url).hostname;
    const robotsFile = await robots.fileOf(new URL(page.url).origin);
    const visited: StoreVisit = {
      page,
      resources: robotsFile ? [robotsFile] : [],
      listingSkipped: false,
      dns: {},
      dnsUnanswered: [],
      certificate: visit.certificateOf(host),
      further: [],
    };
    const look = await options.look(visited);
    // Step 2: the redirects of the page. Their chain is bounded, so the loop ends.
    if (look.failure) followed = await followShell(look.failure, followed, following);
    // Step 3: the listing, further pages and DNS records.
    else
      return isOtherDomain(domain, host)
        ? visited
        : readOn(domain, visited, look, { ...following, bounds: options.bounds });
  }
}

async function readOn(
  domain: string,
  visited: StoreVisit,
  look: FirstLook,
  { bounds, ...following }: FollowOptions & { bounds: VisitBounds },
): Promise<StoreVisit> {
  const { visit, robots } = following;
  const readingRecords = readRecords(domain, new URL(visited.page.url).hostname, visit);
  const listing = await readListing(look.listing, {
    visit,
    robots,
    maxBytes: bounds.maxListingBytes,
  });
  const mayBeShop = look.isShop || listing.responses.length > 0;
  const further = await readFurtherPages(mayBeShop && !listing.cutShort ? look.further : [], {
    ...following,
    domain,
    home: visited.page.url,
    maxBytes: bounds.maxFurtherPageBytes,
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

/** Throws VisitFailure for a response that is not HTML. */
function requireHtml(page: Fetched): void {
  if (isHtml(page)) return;
  requireAnswer(page);
  if (page.body.length === 0 && !page.headers['content-type']) throw new VisitFailure('empty_page', 'no contents');
  throw new VisitFailure(isBinary(page.body) ? 'undecodable' : 'not_html', String(page.headers['content-type']));
}

/**
 * Returns the page to which a page without contents leads. A page that leads to itself is loaded again if it has set a cookie. Throws
 * VisitFailure for any other page that is not the store's own page.
 */
async function followShell(
  { code, message, leadsTo }: PageFailure,
  from: Followed,
  options: FollowOptions,
): Promise<Followed> {
  const asFailed = () => new VisitFailure(code, message);
  if (leadsTo === undefined) throw asFailed();
  // The site did answer. Addresses that must not be visited, or too many redirects, do not show that the site cannot be reached.
  let target: URL;
  try {
    target = nextHop(leadsTo, from.hops, options.visit);
  } catch (error) {
    throw error instanceof VisitFailure ? asFailed() : error;
  }
  try {
    return await followPage(target, options, from);
  } catch (error) {
    throw error instanceof VisitFailure && error.reason === 'too_many_redirects' ? asFailed() : error;
  }
}

/**
 * Tries the host of the domain, then the same under `www.`, each by https, then by http.
 *
 * - The store is below a platform's own domain -> `www.` is not tried, because the platform may answer there for any name.
 * - The domain redirects to another address -> `www.` is not tried, because the domain itself has answered.
 * - The host `www.` cannot be reached either -> throws the failure of the domain, unless that of `www.` is more specific.
 */
async function fetchFirstReachable<T>(
  domain: string,
  visit: Visit,
  attempt: (url: URL, onRedirect: () => void) => Promise<T>,
): Promise<T> {
  const failures: VisitFailure[] = [];
  let hasAnswered = false;
  const hosts = hasOwnZone(domain) ? [domain, `www.${domain}`] : [domain];
  for (const host of hosts) {
    for (const scheme of ['https', 'http']) {
      try {
        return await attempt(checkedUrl(`${scheme}://${host}/`, undefined, visit.isTestHost), () => {
          hasAnswered = true;
        });
      } catch (error) {
        if (!(error instanceof VisitFailure)) throw error;
        // Most domains have no host `www.` of their own. Then the domain's own failure is the result.
        const isOfDomain = failures.some(({ reason }) => reason !== 'dns_failure');
        if (host !== domain && isOfDomain && noSuchHost.has(error.reason)) throw mostInformative(failures);
        failures.push(error);
        if (error.reason === 'dns_failure') break;
        if (!reasonsToTryOtherScheme.has(error.reason)) throw error;
      }
    }
    if (hasAnswered || failures.some(({ reason }) => reason !== 'dns_failure' && !reasonsToTryOthers.has(reason)))
      break;
  }
  throw mostInformative(failures);
}

/** Returns the last failure. A refused connection is used only if there is no more specific failure. */
function mostInformative(failures: readonly VisitFailure[]): VisitFailure {
  const specific = failures.filter((failure) => failure.reason !== 'connection_refused');
  return specific.at(-1) ?? failures.at(-1) ?? new VisitFailure('dns_failure', 'no URL was tried');
}
