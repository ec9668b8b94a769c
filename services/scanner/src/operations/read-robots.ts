import type { Fetched } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { isRedirect, nextHop } from '../domain/redirect-policy.ts';
import { maxRobotsBytes, type RobotsRules, robotsRules } from '../domain/robots-policy.ts';
import type { Visit } from '../outbound/web/visitor.ts';

/** Reads the robots.txt of each origin of one visit, once per origin. */
export interface Robots {
  rulesOf(origin: string): Promise<RobotsRules>;
  /** The file, if the site has one. */
  fileOf(origin: string): Promise<Fetched | undefined>;
}

export function createRobots(visit: Visit, product: string, checkLease: () => Promise<void>): Robots {
  const read = new Map<string, Promise<{ file: Fetched; rules: RobotsRules }>>();

  const fetchFile = async (origin: string): Promise<Fetched> => {
    const visited = [`${origin}/robots.txt`];
    for (let url = new URL('/robots.txt', origin); ; ) {
      await checkLease();
      const fetched = await visit.fetch(url, {
        kind: 'robots',
        accept: 'text/plain,*/*;q=0.1',
        maxBytes: maxRobotsBytes,
        wantsBody: (status) => status >= 200 && status < 300,
      });
      const { location } = fetched.headers;
      if (!isRedirect(fetched.status, location)) return fetched;
      url = nextHop(location, visited, visit.isTestHost);
      visited.push(url.href);
    }
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
    const text = new TextDecoder().decode(file.body);
    return { file, rules: robotsRules(`${origin}/robots.txt`, file.status, text, product) };
  };

  const once = (origin: string) => {
    const known = read.get(origin) ?? readOnce(origin);
    read.set(origin, known);
    return known;
  };
  return {
    rulesOf: async (origin) => (await once(origin)).rules,
    fileOf: async (origin) => {
      const { file } = await once(origin);
      return file.status === 200 ? file : undefined;
    },
  };
}
