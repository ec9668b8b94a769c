import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

/**
 * From whatever a caller typed to the registrable domain of a store: hostname or http(s) URL, any case, IDN, trailing
 * dot, port, credentials or path. The registrable domain follows the public suffix list including its private part,
 * so every `*.myshopify.com` is a store of its own. Pure and bounded: inputs above {@link maxInputLength} are refused.
 */
export const minDomainLength = 3;
/** RFC 1035: 253 characters without the trailing dot. */
export const maxDomainLength = 253;
/** A URL may be longer than a hostname; browsers and proxies keep them below this. */
export const maxInputLength = 2048;

export interface CanonicalDomain {
  /** Registrable domain, A-labels, lower case. */
  domain: string;
  /** The host as given, A-labels, lower case; may equal the domain. */
  host: string;
}

export type DomainProblem = 'too_short' | 'too_long' | 'not_a_hostname' | 'ip_address' | 'not_registrable';

export type Canonicalized = { ok: true; value: CanonicalDomain } | { ok: false; problem: DomainProblem };

const refused = (problem: DomainProblem): Canonicalized => ({ ok: false, problem });

// Letters, digits and inner hyphens, as registries issue them; underscores only name services, never stores.
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

// What most callers send is a plain hostname already: it stands as it is, and only the rest is for the URL parser. A last
// label that begins with a letter is no part of an IP address; punycode is left to those who check it.
const plainHostname = /^(?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!xn--)[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The host part of a hostname or http(s) URL, or undefined when there is none. */
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

/** Canonical form of `input`, or why it has none. Never throws. */
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

function registrable(host: string): Canonicalized {
  const { domain } = parse(host, { allowPrivateDomains: true });
  if (!domain) return refused('not_registrable');
  if (domain.length < minDomainLength) return refused('too_short');
  return { ok: true, value: { domain, host } };
}
