import type { Examine } from '../domain/examination.ts';
import type { Fetched } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { isRedirect, nextHop } from '../domain/redirect-policy.ts';
import { hasRobotsRules, maxRobotsBytes } from '../domain/robots-policy.ts';
import type { Visit } from '../outbound/web/visitor.ts';

export interface RobotsRules {
  allows(url: string): Promise<boolean>;
  /** The pause between requests that the file asks for. It is 0 if the file asks for none. */
  crawlDelayMs: number;
  /** The cookies that the response with the file set. The visit keeps them, because the pages of the host do not set them again. */
  setCookies: readonly string[];
}

export type Robots = ReturnType<typeof createRobots>;

const allowAll: Omit<RobotsRules, 'setCookies'> = { allows: async () => true, crawlDelayMs: 0 };

/** Reads the robots.txt of each origin of a visit, once per origin. `product` is the product token (RFC 9309) of this robot. */
export function createRobots({ visit, product, examine }: { visit: Visit; product: string; examine: Examine }) {
  const read = new Map<string, Promise<{ file: Fetched; rules: RobotsRules }>>();

  const fetchFile = async (origin: string): Promise<Fetched> => {
    const hops: { href: string; cookies: string }[] = [];
    for (let url = new URL('/robots.txt', origin); ; ) {
      hops.push({ href: url.href, cookies: visit.cookiesFor(url) });
      const fetched = await visit.fetch(url, {
        kind: 'robots',
        accept: 'text/plain,*/*;q=0.1',
        maxBytes: maxRobotsBytes,
        wantsBody: (status) => status >= 200 && status < 300,
      });
      const { location } = fetched.headers;
      if (!isRedirect(fetched.status, location)) return fetched;
      url = nextHop(location, hops, visit);
    }
  };

  const rulesIn = async (url: string, { status, body }: Fetched): Promise<Omit<RobotsRules, 'setCookies'>> => {
    if (!hasRobotsRules(status)) return allowAll;
    const group = await examine('robotsGroup', { url, body, product });
    if (group.rules.length === 0) return allowAll;
    return { allows: (target) => examine('robotsAllow', { group, target }), crawlDelayMs: group.crawlDelayMs };
  };

  const readOnce = async (origin: string) => {
    const file = await fetchFile(origin).catch((error: unknown) => {
      // RFC 9309: too many redirects mean that the file does not exist.
      if (!(error instanceof VisitFailure) || error.reason !== 'too_many_redirects') throw error;
      return {
        url: origin,
        status: 404,
        headers: {},
        setCookies: [],
        body: new Uint8Array(),
        ending: 'whole',
      } as const;
    });
    if (file.ending === 'broken') throw new VisitFailure('robots_unavailable', 'robots.txt was interrupted');
    return { file, rules: { ...(await rulesIn(`${origin}/robots.txt`, file)), setCookies: file.setCookies } };
  };

  const once = (origin: string) => {
    const known = read.get(origin) ?? readOnce(origin);
    read.set(origin, known);
    return known;
  };
  return {
    rulesOf: async (origin: string): Promise<RobotsRules> => (await once(origin)).rules,
    /** Returns the file, if the site has one. */
    fileOf: async (origin: string): Promise<Fetched | undefined> => {
      const { file } = await once(origin);
      return file.status === 200 ? file : undefined;
    },
  };
}
