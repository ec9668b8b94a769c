import { canonicalizeDomain } from '@shopscope/domain-name';
import { maxUrlLength, nameRefusalOf } from '@shopscope/outbound-http';
import { VisitFailure, visitFailureOf } from './reasons.ts';

export const maxRedirects = 5;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number, location: string | undefined): location is string =>
  redirectStatuses.has(status) && location !== undefined && location !== '';

/**
 * Returns the URL without credentials, fragment and the final dot of its host name. Throws VisitFailure unless it may be fetched: http or
 * https, the default port, a name that can be public. The check of the name is skipped for test hosts.
 */
export function checkedUrl(text: string, base: string | undefined, isTestHost: (host: string) => boolean): URL {
  if (text.length > maxUrlLength || !URL.canParse(text, base)) {
    throw new VisitFailure('invalid_response', 'a URL that cannot be followed');
  }
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new VisitFailure('blocked_address', `the scheme ${url.protocol} is not fetched`);
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  // A name with a final dot is the same name. Pacing, robots.txt and TLS must use one form.
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.port !== '') throw new VisitFailure('blocked_address', `port ${url.port} is not visited`);
  if (isTestHost(url.hostname)) return url;
  const refusal = nameRefusalOf(url.hostname);
  if (refusal) throw visitFailureOf(refusal);
  return url;
}

/** The requests of one chain of redirects, oldest first. */
export type Hops = readonly { href: string; cookies: string }[];

export interface HopOptions {
  isTestHost(host: string): boolean;
  /** Returns the cookies that a request would send. */
  cookiesFor(url: URL): string;
}

/**
 * Returns the target of a redirect. Throws VisitFailure for a loop and for too many redirects. A site may redirect to itself until it
 * receives its cookie. The same URL with other cookies is therefore no loop.
 */
export function nextHop(location: string, hops: Hops, { isTestHost, cookiesFor }: HopOptions): URL {
  const url = checkedUrl(location, hops.at(-1)?.href, isTestHost);
  const cookies = cookiesFor(url);
  const isLoop = hops.some((hop) => hop.href === url.href && hop.cookies === cookies);
  if (isLoop) throw new VisitFailure('too_many_redirects', `${url.href} redirects to itself`);
  if (hops.length > maxRedirects) throw new VisitFailure('too_many_redirects', `more than ${maxRedirects}`);
  return url;
}

/** Whether the final host belongs to another registrable domain than the requested one. */
export function isOtherDomain(domain: string, finalHost: string): boolean {
  const canonical = canonicalizeDomain(finalHost);
  return !canonical.ok || canonical.value.domain !== domain;
}
