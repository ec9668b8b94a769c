import { domainToASCII } from 'node:url';
import { getDomain, getPublicSuffix, parse } from 'tldts';
import { platformSiteOf } from './platform-hosts.ts';

/**
 * Converts the input of a caller to the registrable domain of a store.
 *
 * - The input is a host name or an http(s) URL. Any case, IDN, a trailing dot, a port, credentials and a path are accepted.
 * - The registrable domain follows from the public suffix list with its private part, so every `*.myshopify.com` is a separate store. It
 *   also follows from our list of platform hosts, so every `*.mybigcommerce.com` is one, too.
 * - Canonicalisation does no I/O. Inputs longer than {@link maxInputLength} are refused. A host that is longer than any valid name is
 *   refused before its conversion. An input takes at most 0.06 ms.
 */
export const minDomainLength = 3;
/** RFC 1035: 253 characters without the trailing dot. */
export const maxDomainLength = 253;
/** URLs may be longer than host names. Browsers and proxies keep URLs below this length. */
export const maxInputLength = 2048;
/**
 * The maximum length of a host with a trailing dot, a colon and a port, before its conversion to A-labels. The conversion of a host with a
 * thousand labels takes 0.7 ms, and a batch has 100 entries.
 */
const maxHostPartLength = maxDomainLength + '.:65535'.length;

export interface CanonicalDomain {
  /** The registrable domain, in A-labels and lower case. */
  domain: string;
  /** The host of the input, in A-labels and lower case. It may equal the domain. */
  host: string;
}

export type DomainProblem = 'too_short' | 'too_long' | 'not_a_hostname' | 'ip_address' | 'not_registrable';

export type Canonicalized = { ok: true; value: CanonicalDomain } | { ok: false; problem: DomainProblem };

const refused = (problem: DomainProblem) => ({ ok: false, problem }) as const;

// Letters, digits and inner hyphens, as registries allow. Underscores occur only in names of services.
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

// Most callers send a plain host name, which needs no URL parser. A last label that begins with a letter cannot be part
// of an IP address. Punycode labels are validated by the slower path.
const plainHostname = /^(?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!xn--)[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the part of a host name or http(s) URL with the host and the port, without credentials, path and query. The URL parser gets only
 * this part, because a long path or many credentials would cost time and not affect the host.
 */
function hostPartOf(input: string): string | undefined {
  const text = input.trim();
  if (/[\s\\\p{Cc}]/u.test(text)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[0].toLowerCase();
  if (scheme && scheme !== 'http://' && scheme !== 'https://') return undefined;
  // The URL parser ignores further slashes before the host.
  const [authority = ''] = text.slice(scheme?.length).replace(/^\/+/, '').split(/[/?#]/, 1);
  return authority.slice(authority.lastIndexOf('@') + 1);
}

/** Whether a host is too long. A percent-encoded byte has three characters, so a host with encoded letters may be longer. */
const isTooLong = (hostPart: string): boolean => hostPart.length > maxHostPartLength * (hostPart.includes('%') ? 3 : 1);

function parseHost(hostPart: string): string | undefined {
  try {
    return new URL(`http://${hostPart}`).hostname;
  } catch {
    return undefined;
  }
}

/** Returns the canonical form of `input`, or the reason why it has none. It never throws. */
export function canonicalizeDomain(input: string): Canonicalized {
  if (input.length < minDomainLength) return refused('too_short');
  if (input.length > maxInputLength) return refused('too_long');
  if (input.length <= maxDomainLength && plainHostname.test(input)) return registrable(input);
  const found = hostIn(input);
  return found.ok ? registrable(found.host) : found;
}

/**
 * Returns the public suffix that `input` names if its owner registered it for sites of others, for example `github.io`. Returns null for a
 * suffix of a registry such as `com`, and for every other text.
 */
export function privateSuffixOf(input: string): string | null {
  if (input.length > maxInputLength) return null;
  const found = hostIn(input);
  if (!found.ok) return null;
  const { publicSuffix, isPrivate } = parse(found.host, parsing);
  return isPrivate && publicSuffix === found.host ? found.host : null;
}

/** Returns the name and the names above it, one per label. */
export function withNamesAbove(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, n) => labels.slice(n).join('.'));
}

/**
 * Returns the host name to which a request is sent, in A-labels and lower case, without a trailing dot. It may have labels that no registry
 * assigns, for example `a_b`, because name servers answer for them, too.
 */
export function hostOf(text: string): string {
  const host = text.replace(/\.+$/, '');
  return (domainToASCII(host) || host).toLowerCase();
}

/** Returns the registrable domain of a host of {@link hostOf}. Null if the host has none, or is an IP address. */
export function registrableDomainOf(host: string): string | null {
  if (ipAddress.test(host)) return null;
  const registered = getDomain(host, parsing);
  return registered && (platformSiteOf(host, registered)?.domain ?? registered);
}

/**
 * Returns the registrable domain of a host of {@link hostOf}, and the suffix below which it was registered: `com`, or the host of a
 * platform. Returns null if the host has no registrable domain, or is an IP address.
 */
export function siteOf(host: string): { domain: string; suffix: string } | null {
  if (ipAddress.test(host)) return null;
  const registered = getDomain(host, parsing);
  if (!registered) return null;
  const site = platformSiteOf(host, registered);
  return site ?? { domain: registered, suffix: getPublicSuffix(registered, parsing) ?? '' };
}

/** Matches IP addresses. No registry assigns a name whose last label is all digits, or a name with a colon. */
const ipAddress = /(?:^|\.)\d+$|:/;

/** Returns the host name that `input` contains, if a registry or the owner of a domain could have assigned it. */
function hostIn(input: string): { ok: true; host: string } | Extract<Canonicalized, { ok: false }> {
  const hostPart = hostPartOf(input);
  if (hostPart !== undefined && isTooLong(hostPart)) return refused('too_long');
  const raw = hostPart && parseHost(hostPart);
  if (!raw) return refused('not_a_hostname');
  const host = domainToASCII(raw.replace(/\.$/, '')).toLowerCase();
  if (!host) return refused('not_a_hostname');
  if (host.length > maxDomainLength) return refused('too_long');
  if (raw.startsWith('[') || parse(host).isIp) return refused('ip_address');
  if (!host.split('.').every((part) => label.test(part))) return refused('not_a_hostname');
  return { ok: true, host };
}

/** `host` is a valid host name and no IP address. Nothing is therefore extracted or checked again. */
const parsing = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

function registrable(host: string): Canonicalized {
  const registered = getDomain(host, parsing);
  if (!registered) return refused('not_registrable');
  const domain = platformSiteOf(host, registered)?.domain ?? registered;
  if (domain.length < minDomainLength) return refused('too_short');
  return { ok: true, value: { domain, host } };
}
