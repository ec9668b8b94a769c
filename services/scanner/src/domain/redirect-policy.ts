import { canonicalizeDomain } from '@shopscope/domain-name';
import { verdictOnName } from './name-policy.ts';
import { VisitFailure } from './reasons.ts';

/** A visitor that has been sent on this often turns back. */
export const maxRedirects = 5;
/** Longer targets are an attack on whoever parses them. */
export const maxUrlLength = 2_048;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number, location: string | undefined): location is string =>
  redirectStatuses.has(status) && location !== undefined && location !== '';

/**
 * A URL that may be fetched: http or https on its default port, without credentials, under a name that can be public.
 * `isMapped` names the test hosts, which are reached where the map says and nowhere else.
 */
export function checkedUrl(text: string, base: string | undefined, isMapped: (host: string) => boolean): URL {
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
  if (url.port !== '') throw new VisitFailure('blocked_address', `port ${url.port} is not visited`);
  if (isMapped(url.hostname)) return url;
  const verdict = verdictOnName(url.hostname);
  if (verdict === 'private') throw new VisitFailure('blocked_address', `${url.hostname} is not a public name`);
  if (verdict === 'nonexistent') throw new VisitFailure('dns_failure', `${url.hostname} cannot exist`);
  return url;
}

/** Where a redirect leads; throws when it loops or when there have been too many. `visited` is in order, oldest first. */
export function nextHop(location: string, visited: readonly string[], isMapped: (host: string) => boolean): URL {
  const url = checkedUrl(location, visited.at(-1), isMapped);
  if (visited.includes(url.href)) throw new VisitFailure('too_many_redirects', `${url.href} redirects to itself`);
  if (visited.length > maxRedirects) throw new VisitFailure('too_many_redirects', `more than ${maxRedirects}`);
  return url;
}

/** True when the visitor ended on another registrable domain than the one that was asked for. */
export function leftDomain(domain: string, finalHost: string): boolean {
  const canonical = canonicalizeDomain(finalHost);
  return !canonical.ok || canonical.value.domain !== domain;
}
