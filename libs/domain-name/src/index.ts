import { domainToASCII } from 'node:url';
import { getDomain, parse } from 'tldts';

/**
 * Converts the input of a caller to the registrable domain of a store.
 *
 * - Input: a host name or an http(s) URL. Any case, IDN, trailing dot, port, credentials and path are accepted.
 * - Registrable domain: by the public suffix list with its private part, so every `*.myshopify.com` is a store of its
 *   own.
 * - Pure. Bounds: inputs longer than {@link maxInputLength} are refused.
 */
export const minDomainLength = 3;
/** RFC 1035: 253 characters without the trailing dot. */
export const maxDomainLength = 253;
/** URLs may be longer than host names. Browsers and proxies keep URLs below this length. */
export const maxInputLength = 2048;

export interface CanonicalDomain {
  /** Registrable domain, A-labels, lower case. */
  domain: string;
  /** The host of the input, A-labels, lower case. May equal the domain. */
  host: string;
}

export type DomainProblem = 'too_short' | 'too_long' | 'not_a_hostname' | 'ip_address' | 'not_registrable';

export type Canonicalized = { ok: true; value: CanonicalDomain } | { ok: false; problem: DomainProblem };

const refused = (problem: DomainProblem): Canonicalized => ({ ok: false, problem });

// Letters, digits and inner hyphens, as registries allow. Underscores occur only in names of services.
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

// Most callers send a plain host name, which needs no URL parser. A last label that begins with a letter cannot be part
// of an IP address. Punycode labels are validated by the slower path.
const plainHostname = /^(?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!xn--)[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The host of a host name or http(s) URL; undefined when there is none. */
function hostOf(input: string): string | undefined {
  const text = input.trim();
  if (/[\s\\\p{Cc}]/u.test(text)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme && scheme !== 'http' && scheme !== 'https') return undefined;
  try {
    return new URL(scheme ? text : `http://${text.replace(/^\/\//, '')}`).hostname;
  } catch {
    return undefined;
  }
}

/** The canonical form of `input`, or the reason why it has none. Never throws. */
export function canonicalizeDomain(input: string): Canonicalized {
  if (input.length < minDomainLength) return refused('too_short');
  if (input.length > maxInputLength) return refused('too_long');
  if (input.length <= maxDomainLength && plainHostname.test(input)) return registrable(input);
  const raw = hostOf(input);
  if (!raw) return refused('not_a_hostname');
  const host = domainToASCII(raw.replace(/\.$/, '')).toLowerCase();
  if (!host) return refused('not_a_hostname');
  if (host.length > maxDomainLength) return refused('too_long');
  if (raw.startsWith('[') || parse(host).isIp) return refused('ip_address');
  if (!host.split('.').every((part) => label.test(part))) return refused('not_a_hostname');
  return registrable(host);
}

/** `host` is a valid host name and no IP address, so nothing is extracted or checked again. */
const parsing = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

function registrable(host: string): Canonicalized {
  const domain = getDomain(host, parsing);
  if (!domain) return refused('not_registrable');
  if (domain.length < minDomainLength) return refused('too_short');
  return { ok: true, value: { domain, host } };
}
