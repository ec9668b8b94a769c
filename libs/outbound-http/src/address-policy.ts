import ipaddr from 'ipaddr.js';

/**
 * Decides to which IP addresses connections may go.
 *
 * - Allowed are globally routable unicast addresses that are not on the deny list.
 * - IPv6 addresses with an embedded IPv4 address (mapped, NAT64, 6to4, Teredo) are refused, because a relay decides their real target.
 * - Every notation that the platform accepts is parsed first. An unusual notation therefore does not bypass the check.
 */
export interface AddressPolicy {
  /** Returns why `address` must not be reached, or undefined if it may be reached. */
  refusalOf(address: string): string | undefined;
}

/** Public addresses of cloud-internal services: the Azure host agent, and the metadata services of Alibaba Cloud and Oracle Cloud. */
const alwaysDenied = ['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'];

/** The range that IANA has assigned to global unicast. ipaddr.js returns `unicast` for unassigned ranges, too. */
const globalUnicastV6 = ipaddr.parseCIDR('2000::/3');

export function createAddressPolicy(deniedCidrs: readonly string[]): AddressPolicy {
  const denied = [...alwaysDenied, ...deniedCidrs].map((cidr) => ipaddr.parseCIDR(cidr));
  return {
    refusalOf(address) {
      if (!ipaddr.isValid(address)) return 'not an address';
      const parsed = ipaddr.parse(address);
      const range = parsed.range();
      if (range !== 'unicast') return range;
      if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicastV6 as [ipaddr.IPv6, number])) return 'unassigned';
      const hit = denied.some(
        ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits] as never),
      );
      return hit ? 'denied' : undefined;
    },
  };
}

/** Returns the address in its normal form, for comparisons. */
export function normalizeAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address;
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export const bareAddress = (host: string): string => host.replace(/^\[|\]$/g, '');

/** Whether the host is an IP address in any notation that resolvers accept, and not a name. */
export function isAddressLiteral(host: string): boolean {
  const bare = bareAddress(host);
  return (
    ipaddr.isValid(bare) || ipaddr.IPv4.isValid(bare) || /^(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*\.?$/i.test(bare)
  );
}

export function isCidr(text: string): boolean {
  try {
    ipaddr.parseCIDR(text);
    return true;
  } catch {
    return false;
  }
}
