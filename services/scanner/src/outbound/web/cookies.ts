import { canonicalizeDomain } from '@shopscope/domain-name';
import { type Cookie, parseCookie } from 'undici';

/**
 * The cookies of one visit (RFC 6265). They are deleted at its end. A site therefore cannot recognise a visit by an earlier one.
 *
 * - A cookie is for another registrable domain than its sender's, or for a suffix -> it is ignored.
 * - Bounds: {@link maxCookies} cookies and {@link maxHeaderChars} per request, the oldest are dropped; {@link maxCookieChars} per cookie.
 */
const maxCookies = 50;
const maxCookieChars = 4_096;
const maxHeaderChars = 8_192;

interface Kept {
  name: string;
  value: string;
  host: string;
  /** Whether the hosts below `host` get the cookie, too. */
  forHostsBelow: boolean;
  path: string;
  secure: boolean;
}

/** `now` returns milliseconds since 1970. */
export function createCookieJar(now: () => number) {
  const jar = new Map<string, Kept>();

  const keepOne = (url: URL, line: string) => {
    const cookie = line.length <= maxCookieChars ? parseCookie(line) : null;
    const kept = cookie && keptOf(url, cookie);
    if (!cookie || !kept) return;
    const key = JSON.stringify([kept.name, kept.host, kept.path]);
    // A cookie that is set again becomes the youngest one.
    jar.delete(key);
    if (!isExpired(cookie, now())) jar.set(key, kept);
    for (const oldest of jar.keys()) {
      if (jar.size <= maxCookies) break;
      jar.delete(oldest);
    }
  };
  return {
    keep(url: URL, setCookies: readonly string[]): void {
      for (const line of setCookies.slice(-maxCookies)) keepOne(url, line);
    },
    /** Returns the value of the `Cookie` header for a request. It is '' without cookies. */
    headerFor(url: URL): string {
      const pairs = [...jar.values()].filter((kept) => isFor(kept, url)).map(({ name, value }) => `${name}=${value}`);
      let header = '';
      for (const pair of pairs.reverse()) {
        if (header.length + pair.length + 2 > maxHeaderChars) break;
        header = header === '' ? pair : `${pair}; ${header}`;
      }
      return header;
    },
  };
}

function keptOf(url: URL, { name, value, domain, path, secure = false }: Cookie): Kept | undefined {
  // A cookie that a header cannot contain is not sent back.
  if (!/^[\x21-\x7e]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value)) return undefined;
  const named = domain?.replace(/^\./, '').toLowerCase() ?? '';
  if (named !== '' && !mayNameDomain(url.hostname, named)) return undefined;
  return {
    name,
    value,
    host: named || url.hostname,
    forHostsBelow: named !== '',
    path: path?.startsWith('/') ? path : defaultPath(url.pathname),
    secure,
  };
}

/** Whether the domain is the host or above it, and not above its registrable domain. */
function mayNameDomain(host: string, domain: string): boolean {
  if (host === domain) return true;
  const registrable = canonicalizeDomain(host);
  if (!host.endsWith(`.${domain}`) || !registrable.ok) return false;
  return domain === registrable.value.domain || domain.endsWith(`.${registrable.value.domain}`);
}

const defaultPath = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

function isFor({ host, forHostsBelow, path, secure }: Kept, url: URL): boolean {
  if (secure && url.protocol !== 'https:') return false;
  if (url.hostname !== host && !(forHostsBelow && url.hostname.endsWith(`.${host}`))) return false;
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function isExpired({ maxAge, expires }: Cookie, nowMs: number): boolean {
  if (maxAge !== undefined) return maxAge <= 0;
  return expires !== undefined && Number(expires) <= nowMs;
}
