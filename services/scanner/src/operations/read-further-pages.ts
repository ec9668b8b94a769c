import type { FurtherPage } from '@shopscope/fingerprint';
import { OptedOutError, PutOffError } from '../domain/abort-reasons.ts';
import { type FurtherPageVisit, isHtml } from '../domain/page.ts';
import { VisitFailure } from '../domain/reasons.ts';
import { checkedUrl, isOtherDomain } from '../domain/redirect-policy.ts';
import { type FollowOptions, followPage, requireAnswer } from './follow-page.ts';

export interface ReadFurtherPagesOptions extends Omit<FollowOptions, 'kind'> {
  domain: string;
  /** The URL of the home page. */
  home: string;
}

/** A scan reads few pages, because it is not a crawl. */
const maxFurtherPages = 5;
/** A host that asks for longer pauses has little capacity. Only its home page and its listing are read. */
const maxCrawlDelayMs = 1_000;
/** After these failures no further request is sent to the site. */
const lastReasons = new Set(['rate_limited', 'forbidden', 'server_error', 'timeout', 'robots_unavailable']);

/**
 * Reads further pages of a site, each at most once.
 *
 * - A page is disallowed, fails, is not HTML, or leads to the home page or to another domain -> it is skipped. The visit does not fail, and
 *   the observation stays as complete as it is.
 * - A page leads to an opted-out site -> it is skipped. The lease is checked before the observation is published, so an opt-out of the
 *   store itself still ends the scan.
 * - The site or a redirect's target has no capacity, the site refuses or fails, or the time is over -> the earlier pages are returned.
 * - Throws only errors that end the scan, for example a lost lease.
 */
export async function readFurtherPages(
  wanted: readonly FurtherPage[],
  options: ReadFurtherPagesOptions,
): Promise<FurtherPageVisit[]> {
  const read: FurtherPageVisit[] = [];
  const seen = new Set([options.home]);
  for (const { kind, url: href } of wanted.slice(0, maxFurtherPages)) {
    try {
      const url = checkedUrl(href, undefined, options.visit.isTestHost);
      if (isOtherDomain(options.domain, url.hostname)) continue;
      const { crawlDelayMs } = await options.robots.rulesOf(url.origin);
      if (crawlDelayMs > maxCrawlDelayMs) break;
      const { page } = await followPage(url, { ...options, kind: 'further_page' });
      requireAnswer(page);
      const isUsable = page.status === 200 && page.ending !== 'broken' && isHtml(page);
      if (!isUsable || seen.has(page.url) || isOtherDomain(options.domain, new URL(page.url).hostname)) continue;
      seen.add(page.url);
      read.push({ kind, page });
    } catch (error) {
      if (error instanceof PutOffError) break;
      if (error instanceof OptedOutError) continue;
      if (!(error instanceof VisitFailure)) throw error;
      if (lastReasons.has(error.reason)) break;
    }
  }
  return read;
}
