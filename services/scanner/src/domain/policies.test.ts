import { describe, expect, it } from 'vitest';
import { isHtml } from './page.ts';
import { VisitFailure } from './reasons.ts';
import { checkedUrl, isOtherDomain, nextHop } from './redirect-policy.ts';
import { hasRobotsRules, maxCrawlDelayMs, readRobotsGroup, robotsAllow } from './robots-policy.ts';

describe('the redirect policy', () => {
  const noTestHosts = () => false;
  const noCookies = { isTestHost: noTestHosts, cookiesFor: () => '' };
  const hop = (href: string, cookies = '') => ({ href, cookies });
  const reasonOf = (work: () => unknown) => {
    try {
      work();
      return 'allowed';
    } catch (error) {
      return error instanceof VisitFailure ? error.reason : String(error);
    }
  };

  it('the redirect policy removes credentials and fragments from a URL', () => {
    expect(checkedUrl('https://user:pass@shop.com/a#b', undefined, noTestHosts).href).toBe('https://shop.com/a');
  });

  it.each([
    ['https://Shop.com./a', 'https://shop.com/a'],
    ['https://a_b.shop.com./', 'https://a_b.shop.com/'],
    ['http://shop.com.../', 'http://shop.com/'],
    ['https://b\u00fccher.de./', 'https://xn--bcher-kva.de/'],
  ])('the redirect policy takes the final dot of %s as no part of the name', (text, href) => {
    expect(checkedUrl(text, undefined, noTestHosts).href).toBe(href);
  });

  it('the redirect policy finds that a target with and without the final dot is the same page', () => {
    expect(reasonOf(() => nextHop('https://shop.com./', [hop('https://shop.com/')], noCookies))).toBe(
      'too_many_redirects',
    );
  });

  it('the redirect policy takes the same page with other cookies for another step, and with the same cookies for a loop', () => {
    const withCookie = { ...noCookies, cookiesFor: () => 'seen=1' };
    expect(nextHop('/a', [hop('https://shop.com/a')], withCookie).href).toBe('https://shop.com/a');
    expect(
      reasonOf(() => nextHop('/a', [hop('https://shop.com/a'), hop('https://shop.com/a', 'seen=1')], withCookie)),
    ).toBe('too_many_redirects');
  });

  it('the redirect policy resolves a relative target against the redirecting page', () => {
    expect(nextHop('../b?c', [hop('https://shop.com/a/d')], noCookies).href).toBe('https://shop.com/b?c');
  });

  it.each([
    ['https://shop.com:8443/', 'blocked_address'],
    ['ftp://shop.com/', 'blocked_address'],
    ['javascript:alert(1)', 'blocked_address'],
    ['http://127.0.0.1/', 'blocked_address'],
    ['http://', 'invalid_response'],
    [`https://shop.com/${'a'.repeat(3_000)}`, 'invalid_response'],
    ['https://shop.com/a', 'too_many_redirects'],
    ['https://www.shop.com/', 'allowed'],
  ])('the redirect policy decides on a redirect to %s: %s', (location, reason) => {
    expect(reasonOf(() => nextHop(location, [hop('https://shop.com/a')], noCookies))).toBe(reason);
  });

  it('the redirect policy treats another registrable domain as another store, and a host of the same domain as the same store', () => {
    expect(isOtherDomain('shop.com', 'www.shop.com')).toBe(false);
    expect(isOtherDomain('shop.com', 'shop.de')).toBe(true);
    expect(isOtherDomain('a.myshopify.com', 'b.myshopify.com')).toBe(true);
  });
});

describe('the robots.txt policy', () => {
  const rules = (text: string) => {
    const group = readRobotsGroup('https://shop.com/robots.txt', text, 'ShopscopeBot');
    return { allows: (url: string) => robotsAllow(group, url), crawlDelayMs: group.crawlDelayMs };
  };

  it('the robots.txt policy finds no rules when the file is missing, and refuses the visit when the server fails', () => {
    expect([200, 204, 301, 404, 403].map(hasRobotsRules)).toEqual([true, true, false, false, false]);
    expect(() => hasRobotsRules(500)).toThrow(/robots_unavailable/);
    expect(() => hasRobotsRules(429)).toThrow(/robots_unavailable/);
  });

  it('the robots.txt policy prefers a group for this robot to the group for all robots', () => {
    const own = rules('User-agent: *\nDisallow: /\n\nUser-agent: ShopscopeBot\nDisallow: /private\n');
    expect(own.allows('https://shop.com/')).toBe(true);
    expect(own.allows('https://shop.com/private/a')).toBe(false);
  });

  it('the robots.txt policy obeys a crawl delay up to the maximum', () => {
    expect(rules('User-agent: *\nCrawl-delay: 2').crawlDelayMs).toBe(2_000);
    expect(rules('User-agent: *\nCrawl-delay: 86400').crawlDelayMs).toBe(maxCrawlDelayMs);
    expect(rules('User-agent: *\nCrawl-delay: soon').crawlDelayMs).toBe(0);
    expect(rules('User-agent: *\nCrawl-delay: -5').crawlDelayMs).toBe(0);
  });

  it('the robots.txt policy refuses a URL when matching it against hostile rules would take too long', () => {
    const hostile = rules(`User-agent: *\n${`Disallow: ${'*a'.repeat(5_000)}b\n`.repeat(100)}`);
    expect(hostile.allows(`https://shop.com/${'a'.repeat(2_000)}`)).toBe(false);
    expect(hostile.allows('https://shop.com/')).toBe(true);
  });
});

describe('content type', () => {
  const page = (type: string | undefined, text: string) => ({
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(text),
  });

  it.each([
    [page('text/html; charset=utf-8', ''), true],
    [page('Application/XHTML+XML', ''), true],
    [page('text/plain', '<html>'), false],
    [page(undefined, '  <!doctype html>'), true],
    [page(undefined, '{"a":1}'), false],
    [page('text/html, text/html; charset=utf-8', ''), true],
    [page('text/html, charset=utf-8', ''), true],
    [page('text/html, application/json', '<html>'), false],
    [page('text/html charset=utf-8', '<html>'), true],
    [page('html', '<html>'), true],
    [page('*/*', '<html>'), true],
    [page('*/*', 'hello'), false],
  ])('the content type decides whether a page is HTML: %j', (input, expected) => {
    expect(isHtml(input)).toBe(expected);
  });
});
