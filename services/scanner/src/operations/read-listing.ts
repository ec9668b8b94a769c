import { OptedOutError, PutOffError } from '../domain/abort-reasons.ts';
import type { Fetched } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import type { Visit } from '../outbound/web/visitor.ts';
import type { Robots } from './read-robots.ts';

export interface ReadListingOptions {
  visit: Visit;
  robots: Robots;
  maxBytes: number;
}

/** A scan reads few pages, because it is not a crawl. */
const maxListingPages = 3;

/**
 * Reads the platform's public product listing.
 *
 * - A page is disallowed, fails or is incomplete -> the pages before it are returned. The visit does not fail.
 * - The site has no capacity now, or the time of the scan is over -> the pages before it are returned with `cutShort`.
 * - The host of the listing is opted out -> the pages before it are returned. The lease is checked before the observation is published. An
 *   opt-out of the store itself therefore still ends the scan.
 * - Throws only errors that end the scan, for example a lost lease.
 */
export async function readListing(
  urls: readonly string[],
  options: ReadListingOptions,
): Promise<{ responses: Fetched[]; cutShort: boolean }> {
  const responses: Fetched[] = [];
  for (const href of urls.slice(0, maxListingPages)) {
    try {
      const url = new URL(href);
      const rules = await options.robots.rulesOf(url.origin);
      if (!(await rules.allows(href))) break;
      const fetched = await options.visit.fetch(url, {
        kind: 'listing',
        accept: 'application/json',
        maxBytes: options.maxBytes,
        crawlDelayMs: rules.crawlDelayMs,
        wantsBody: (status) => status === 200,
      });
      if (fetched.status !== 200 || fetched.ending !== 'whole') break;
      responses.push(fetched);
    } catch (error) {
      if (error instanceof PutOffError) return { responses, cutShort: true };
      if (error instanceof OptedOutError) break;
      if (!(error instanceof VisitFailure)) throw error;
      return { responses, cutShort: error.reason === 'timeout' };
    }
  }
  return { responses, cutShort: false };
}
