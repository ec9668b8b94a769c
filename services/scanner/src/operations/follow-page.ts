import type { Fetched } from '../domain/page.ts';
import { mayBeHtml } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { type Hops, isRedirect, nextHop } from '../domain/redirect-policy.ts';
import type { Visit } from '../outbound/web/visitor.ts';
import type { Robots } from './read-robots.ts';

export interface FollowOptions {
  visit: Visit;
  robots: Robots;
  kind: 'page' | 'further_page';
  maxBytes: number;
  /** Called when a response redirects to another address. */
  onRedirect?(): void;
}

const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1';

export interface Followed {
  /** The page, with the cookies that all responses on the way to it set, because a site sets a cookie only once. */
  page: Fetched;
  /** The requests that led to the page. */
  hops: Hops;
}

/**
 * Fetches `start` and follows redirects. `before` is the page that led to it, if a page itself redirects. The robots.txt of each host must
 * allow the URL. Throws VisitFailure.
 */
export async function followPage(start: URL, options: FollowOptions, before?: Followed): Promise<Followed> {
  const hops = [...(before?.hops ?? [])];
  const setCookies = new Set(before?.page.setCookies);
  const keep = (lines: readonly string[]) => {
    for (const line of lines) setCookies.add(line);
  };
  for (let url = start; ; ) {
    const rules = await options.robots.rulesOf(url.origin);
    keep(rules.setCookies);
    hops.push({ href: url.href, cookies: options.visit.cookiesFor(url) });
    if (!(await rules.allows(url.href))) throw new VisitFailure('robots_disallowed', `robots.txt of ${url.hostname}`);
    const fetched = await options.visit.fetch(url, {
      kind: options.kind,
      accept,
      maxBytes: options.maxBytes,
      crawlDelayMs: rules.crawlDelayMs,
      wantsBody: (status, headers) => !isRedirect(status, headers.location) && mayBeHtml(headers),
    });
    keep(fetched.setCookies);
    const { location } = fetched.headers;
    if (!isRedirect(fetched.status, location)) return { page: { ...fetched, setCookies: [...setCookies] }, hops };
    options.onRedirect?.();
    url = nextHop(location, hops, options.visit);
  }
}

/** Throws VisitFailure for a status that refuses the visit or reports a failure. */
export function requireAnswer(page: Pick<Fetched, 'status'>): void {
  const { status } = page;
  if (status === 429) throw new VisitFailure('rate_limited', 'the site responds with 429');
  if (status === 401 || status === 403 || status === 451) {
    throw new VisitFailure('forbidden', `the site responds with ${status}`);
  }
  if (status >= 500) throw new VisitFailure('server_error', `the site responds with ${status}`);
}
