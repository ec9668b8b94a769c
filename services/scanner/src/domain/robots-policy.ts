import robotsParserModule from 'robots-parser';
import { VisitFailure } from './reasons.ts';

interface ParsedRobots {
  isAllowed(url: string, product: string): boolean | undefined;
  getCrawlDelay(product: string): number | undefined;
}
// The package's types describe a default export that its CommonJS module does not have.
const robotsParser = robotsParserModule as unknown as (url: string, text: string) => ParsedRobots;

/** What a site asks of robots, as this one understands it. */
export interface RobotsRules {
  allows(url: string): boolean;
  /** Pause that the site asks for between requests, bounded; 0 when it asks for none. */
  crawlDelayMs: number;
}

/** Nobody needs to wait longer than this between two requests of a scan that makes three. */
export const maxCrawlDelayMs = 5_000;
/** RFC 9309 asks for at least 500 KiB; what follows is not read. */
export const maxRobotsBytes = 512 * 1024;
/** Rules beyond these are noise. */
const maxRules = 5_000;
const maxRuleLength = 512;
/** Characters of rules with wildcards times those of a URL: the matcher's time grows with both. */
const maxMatchWork = 10_000_000;

const everything: RobotsRules = { allows: () => true, crawlDelayMs: 0 };

/**
 * Rules from the answer to /robots.txt (RFC 9309): an error of the client's kind means that there are none, an error of
 * the server's kind means that nothing is allowed for now.
 */
export function robotsRules(url: string, status: number, text: string, product: string): RobotsRules {
  if (status >= 500 || status === 429) throw new VisitFailure('robots_unavailable', `robots.txt answers ${status}`);
  if (status < 200 || status >= 300) return everything;
  const lines = text.split(/\r\n|\r|\n/, maxRules).map((line) => line.slice(0, maxRuleLength).replace(/\*+/g, '*'));
  const robots = robotsParser(url, lines.join('\n'));
  const wildcardCharacters = lines.reduce((sum, line) => sum + (line.includes('*') ? line.length : 0), 0);
  const delayS = robots.getCrawlDelay(product) ?? 0;
  return {
    // A file that would take too long to understand is taken for a refusal.
    allows: (target) =>
      wildcardCharacters * target.length <= maxMatchWork && robots.isAllowed(target, product) !== false,
    crawlDelayMs: Number.isFinite(delayS) ? Math.min(Math.max(delayS * 1_000, 0), maxCrawlDelayMs) : 0,
  };
}
