import { isAddressLiteral } from './address-policy.ts';

/** What may be asked of the resolver. */
export type NameVerdict = 'resolve' | 'private' | 'nonexistent';

/** Names that only a local network gives a meaning to (RFC 6761, RFC 6762, RFC 8375, and habit). */
const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'corp', 'home', 'home.arpa', 'private'];
/** Names that no public resolver will ever know (RFC 2606, RFC 7686): not asked, so that nothing leaks and nobody waits. */
const nonexistentSuffixes = ['example', 'test', 'invalid', 'onion'];

const under = (host: string, suffixes: readonly string[]) =>
  suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));

/** Judges a hostname before it is resolved. An address in place of a name is private whatever it is: shops have names. */
export function verdictOnName(hostname: string): NameVerdict {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (isAddressLiteral(host)) return 'private';
  if (under(host, nonexistentSuffixes)) return 'nonexistent';
  if (!host.includes('.') || under(host, privateSuffixes)) return 'private';
  return 'resolve';
}
