import { maxDomainLength } from '@shopscope/domain-name';
import { isAddressLiteral } from './address-policy.ts';
import { OutboundError } from './errors.ts';

/** Suffixes of names in local networks, from RFC 6761, RFC 6762, RFC 8375 and common practice. */
const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'corp', 'home', 'home.arpa', 'private'];
/** Suffixes that never exist in public DNS (RFC 2606, RFC 7686). A query would disclose the name and cost time. */
const nonexistentSuffixes = ['example', 'test', 'invalid', 'onion'];

const under = (host: string, suffixes: readonly string[]) =>
  suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));

/**
 * Returns why `hostname` must not be sent to a name server, or undefined if it may be sent. An IP address is refused, too, because it is no
 * name.
 */
export function nameRefusalOf(hostname: string): OutboundError | undefined {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.length > maxDomainLength || under(host, nonexistentSuffixes))
    return new OutboundError('dns_failure', `${hostname} cannot exist`);
  const isPrivate = isAddressLiteral(host) || !host.includes('.') || under(host, privateSuffixes);
  return isPrivate ? new OutboundError('blocked_address', `${hostname} is not a public name`) : undefined;
}
