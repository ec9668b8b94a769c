import robotsParserModule from 'robots-parser';
import { VisitFailure } from './reasons.ts';
import { rulesForRobot } from './robots-group.ts';

interface ParsedRobots {
  isAllowed(url: string): boolean | undefined;
  getCrawlDelay(): number | undefined;
}
// The package's types describe a default export that its CommonJS module does not have.
const robotsParser = robotsParserModule as unknown as (url: string, text: string) => ParsedRobots;

/** The rules of a robots.txt for this robot. They are plain data, because one process reads them and another one keeps them. */
export interface RobotsGroup {
  /** The URL of the file. Its rules apply only to its origin. */
  url: string;
  /** Lines of the form `name: value`. */
  rules: readonly string[];
  /** The pause between requests that the file asks for, at most `maxCrawlDelayMs`. It is 0 if the file asks for none. */
  crawlDelayMs: number;
}

export const maxCrawlDelayMs = 5_000;
/** RFC 9309 requires at least 500 KiB. The rest of a longer file is not read. */
export const maxRobotsBytes = 512 * 1024;
/** The limit of (characters in wildcard rules) × (characters of the URL). The matcher's time grows with both. */
const maxMatchWork = 10_000_000;

/**
 * Whether a response to /robots.txt (RFC 9309) contains rules.
 *
 * - 5xx or 429 -> throws VisitFailure `robots_unavailable`, because nothing is allowed now.
 * - Any other status outside 2xx -> there are no rules, and everything is allowed.
 */
export function hasRobotsRules(status: number): boolean {
  if (status >= 500 || status === 429)
    throw new VisitFailure('robots_unavailable', `robots.txt responded with ${status}`);
  return status >= 200 && status < 300;
}

export function readRobotsGroup(url: string, text: string, product: string): RobotsGroup {
  const rules = rulesForRobot(text, product);
  const delays = rules.filter((rule) => rule.startsWith('crawl-delay:'));
  const delayS = parse(url, delays).getCrawlDelay() ?? 0;
  return {
    url,
    rules,
    crawlDelayMs: Number.isFinite(delayS) ? Math.min(Math.max(delayS * 1_000, 0), maxCrawlDelayMs) : 0,
  };
}

/** Whether the rules allow `target`. False if the rules would take too long to match. */
export function robotsAllow({ url, rules }: RobotsGroup, target: string): boolean {
  const wildcardCharacters = rules.reduce((sum, line) => sum + (line.includes('*') ? line.length : 0), 0);
  return wildcardCharacters * target.length <= maxMatchWork && parse(url, rules).isAllowed(target) !== false;
}

/** The parser copies each rule to each robot of its group. It therefore gets only the rules of one robot. */
const parse = (url: string, rules: readonly string[]): ParsedRobots =>
  robotsParser(url, ['User-agent: *', ...rules].join('\n'));
