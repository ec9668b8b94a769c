import robotsParserModule from 'robots-parser';
import { VisitFailure } from './reasons.ts';
import { rulesForRobot } from './robots-group.ts';

interface ParsedRobots {
  isAllowed(url: string, product: string): boolean | undefined;
  getCrawlDelay(product: string): number | undefined;
}
// The package's types describe a default export that its CommonJS module does not have.
const robotsParser = robotsParserModule as unknown as (url: string, text: string) => ParsedRobots;

/** The rules of a robots.txt for this robot. */
export interface RobotsRules {
  allows(url: string): boolean;
  /** Requested pause between requests, at most `maxCrawlDelayMs`; 0 without a request. */
  crawlDelayMs: number;
}

export const maxCrawlDelayMs = 5_000;
/** RFC 9309 requires at least 500 KiB. The rest of a longer file is not read. */
export const maxRobotsBytes = 512 * 1024;
/** Limit of characters in wildcard rules × characters of the URL. The matcher's time grows with both. */
const maxMatchWork = 10_000_000;

const allowAll: RobotsRules = { allows: () => true, crawlDelayMs: 0 };

/**
 * The rules of a response to /robots.txt (RFC 9309).
 *
 * - 5xx or 429 -> VisitFailure `robots_unavailable`: nothing is allowed now.
 * - Any other status outside 2xx -> no rules: everything is allowed.
 * - Rules that would take too long to match -> the URL is not allowed.
 */
export function robotsRules(url: string, status: number, text: string, product: string): RobotsRules {
  if (status >= 500 || status === 429)
    throw new VisitFailure('robots_unavailable', `robots.txt responded with ${status}`);
  if (status < 200 || status >= 300) return allowAll;
  // The parser copies each rule to each robot of its group, so it only gets the rules of one robot.
  const rules = rulesForRobot(text, product);
  const robots = robotsParser(url, ['User-agent: *', ...rules].join('\n'));
  const wildcardCharacters = rules.reduce((sum, line) => sum + (line.includes('*') ? line.length : 0), 0);
  const delayS = robots.getCrawlDelay(product) ?? 0;
  return {
    allows: (target) =>
      wildcardCharacters * target.length <= maxMatchWork && robots.isAllowed(target, product) !== false,
    crawlDelayMs: Number.isFinite(delayS) ? Math.min(Math.max(delayS * 1_000, 0), maxCrawlDelayMs) : 0,
  };
}
