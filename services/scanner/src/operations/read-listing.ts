import type { Fetched } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import type { Visit } from '../outbound/web/visitor.ts';
import type { Robots } from './read-robots.ts';

export interface ReadListingOptions {
  visit: Visit;
  robots: Robots;
  maxBytes: number;
  checkLease(): Promise<void>;
}

/** A listing is a page or two; more would be a crawl. */
const maxListingPages = 3;

/**
 * The platform's public product listing, as far as the site gives it. Whatever it answers is no failure of the visit:
 * a store may close its listing, move it, or break it. Throws only what ends the scan itself.
 */
export async function readListing(
  urls: readonly string[],
  options: ReadListingOptions,
): Promise<{ answers: Fetched[]; outOfTime: boolean }> {
  const answers: Fetched[] = [];
  for (const href of urls.slice(0, maxListingPages)) {
    try {
      const url = new URL(href);
      const rules = await options.robots.rulesOf(url.origin);
      if (!rules.allows(href)) break;
      await options.checkLease();
      const fetched = await options.visit.fetch(url, {
        kind: 'listing',
        accept: 'application/json',
        maxBytes: options.maxBytes,
        crawlDelayMs: rules.crawlDelayMs,
        wantsBody: (status) => status === 200,
      });
      if (fetched.status !== 200 || fetched.ending !== 'whole') break;
      answers.push(fetched);
    } catch (error) {
      if (!(error instanceof VisitFailure)) throw error;
      return { answers, outOfTime: error.reason === 'timeout' };
    }
  }
  return { answers, outOfTime: false };
}
