import type { StoreVisit } from '../domain/page.ts';
import { isHtml } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { checkedUrl, leftDomain } from '../domain/redirect-policy.ts';
import type { Visit } from '../outbound/web/visitor.ts';
import { type FollowOptions, followPage } from './follow-page.ts';
import { readListing } from './read-listing.ts';
import { createRobots } from './read-robots.ts';

/** Bounds of what a visit keeps, in decompressed bytes. */
export interface VisitBounds {
  maxPageBytes: number;
  maxListingBytes: number;
}

export interface VisitStoreOptions {
  visit: Visit;
  bounds: VisitBounds;
  /** Name by which robots.txt addresses this robot. */
  product: string;
  /** Called before each fetch; throws when the work is no longer this scanner's. */
  checkLease(): Promise<void>;
  /** The listing's URLs, once the page is there to tell the platform. */
  listingOf(page: StoreVisit): string[];
}

/** These leave room for another way in: the other scheme. */
const worthAnotherScheme = new Set([
  'connection_refused',
  'connection_reset',
  'tls_failure',
  'timeout',
  'invalid_response',
]);

/**
 * Visits a store as a person without a browser would: https first, then http, then the same under `www.` when the
 * domain itself has no address; redirects followed; robots.txt obeyed at each host; then the public product listing.
 * Throws VisitFailure when there is no page to examine.
 */
export async function visitStore(domain: string, options: VisitStoreOptions): Promise<StoreVisit> {
  const { visit } = options;
  const robots = createRobots(visit, options.product, options.checkLease);
  const following: FollowOptions = {
    visit,
    robots,
    maxBytes: options.bounds.maxPageBytes,
    checkLease: options.checkLease,
  };

  const page = await firstThatAnswers(domain, visit, (url) => followPage(url, following));
  const robotsFile = await robots.fileOf(new URL(page.url).origin);
  const visited: StoreVisit = {
    page,
    html: isHtml(page),
    resources: robotsFile ? [robotsFile] : [],
    listingSkipped: false,
  };
  if (!visited.html || leftDomain(domain, new URL(page.url).hostname)) return visited;
  const listing = await readListing(options.listingOf(visited), {
    visit,
    robots,
    maxBytes: options.bounds.maxListingBytes,
    checkLease: options.checkLease,
  });
  return { ...visited, resources: [...visited.resources, ...listing.answers], listingSkipped: listing.outOfTime };
}

async function firstThatAnswers<T>(domain: string, visit: Visit, attempt: (url: URL) => Promise<T>): Promise<T> {
  const failures: VisitFailure[] = [];
  for (const host of [domain, `www.${domain}`]) {
    for (const scheme of ['https', 'http']) {
      try {
        return await attempt(checkedUrl(`${scheme}://${host}/`, undefined, visit.isMapped));
      } catch (error) {
        if (!(error instanceof VisitFailure)) throw error;
        failures.push(error);
        if (error.reason === 'dns_failure') break;
        if (!worthAnotherScheme.has(error.reason)) throw error;
      }
    }
    // A name that exists and does not answer is the store's word; www. is tried only for one that has no address.
    if (failures.some((failure) => failure.reason !== 'dns_failure')) break;
  }
  throw mostTelling(failures);
}

/** A refused port says less than what the other scheme ran into. */
function mostTelling(failures: readonly VisitFailure[]): VisitFailure {
  const telling = failures.filter((failure) => failure.reason !== 'connection_refused');
  return telling.at(-1) ?? failures.at(-1) ?? new VisitFailure('dns_failure', 'there was nothing to try');
}
