import { canonicalizeDomain } from '@shopscope/domain-name';
import { nameRefusalOf } from './name-policy.ts';
import { VisitFailure } from './reasons.ts';

export const maxRedirects = 5;
/** Longer URLs are refused, because they are likely an attack on a parser. */
export const maxUrlLength = 2_048;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number, location: string | undefined): location is string =>
  redirectStatuses.has(status) && location !== undefined && location !== '';

/**
 * The URL without credentials, fragment and the final dot of its host name, if it may be fetched: http or https, default port, a name that can be public.
 * Throws VisitFailure otherwise. Test hosts skip the check of the name.
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
  // The name with the dot is the same name. Pacing, robots.txt and TLS must see one name.
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.port !== '') throw new VisitFailure('blocked_address', `port ${url.port} is not visited`);
  if (isTestHost(url.hostname)) return url;
  const refusal = nameRefusalOf(url.hostname);
  if (refusal) throw refusal;
  return url;
}

/** The target of a redirect. Throws VisitFailure for a loop and for too many redirects. `visited`: oldest URL first. */
export function nextHop(location: string, visited: readonly string[], isTestHost: (host: string) => boolean): URL {
  const url = checkedUrl(location, visited.at(-1), isTestHost);
  if (visited.includes(url.href)) throw new VisitFailure('too_many_redirects', `${url.href} redirects to itself`);
  if (visited.length > maxRedirects) throw new VisitFailure('too_many_redirects', `more than ${maxRedirects}`);
  return url;
}

/** True when the final host belongs to another registrable domain than the requested one. */
export function isOtherDomain(domain: string, finalHost: string): boolean {
  const canonical = canonicalizeDomain(finalHost);
  return !canonical.ok || canonical.value.domain !== domain;
}
