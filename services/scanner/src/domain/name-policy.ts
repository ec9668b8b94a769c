import { isAddressLiteral } from './address-policy.ts';

/** Only names of the class `resolve` are sent to a name server. */
export type HostnameClass = 'resolve' | 'private' | 'nonexistent';

/** Suffixes of names in local networks: RFC 6761, RFC 6762, RFC 8375 and common practice. */
const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'corp', 'home', 'home.arpa', 'private'];
/** Suffixes that public DNS never has (RFC 2606, RFC 7686). A query would leak the name and cost time. */
const nonexistentSuffixes = ['example', 'test', 'invalid', 'onion'];

const under = (host: string, suffixes: readonly string[]) =>
  suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));

/** Classifies a host name before it is resolved. An IP address is always `private`, because stores have names. */
export function classifyHostname(hostname: string): HostnameClass {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (isAddressLiteral(host)) return 'private';
  if (under(host, nonexistentSuffixes)) return 'nonexistent';
  if (!host.includes('.') || under(host, privateSuffixes)) return 'private';
  return 'resolve';
}
