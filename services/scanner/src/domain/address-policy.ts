import ipaddr from 'ipaddr.js';

/**
 * Decides which IP addresses the scanner may connect to.
 *
 * - Allowed: globally routable unicast addresses that are not on the deny list.
 * - Refused: IPv6 addresses with an embedded IPv4 address (mapped, NAT64, 6to4, Teredo). A relay decides their real target.
 * - Every notation that the platform accepts is parsed first, so an unusual notation does not bypass the check.
 */
export interface AddressPolicy {
  /** Why `address` may not be reached, or undefined when it may. */
  refusalOf(address: string): string | undefined;
}

/** Public addresses of cloud-internal services: the Azure host agent, the metadata of Alibaba Cloud and of Oracle Cloud. */
const alwaysDenied = ['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'];

/** The range that IANA has assigned to global unicast. ipaddr.js also returns `unicast` for unassigned ranges. */
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

/** The address in its normal form, for comparisons. */
export function normalizeAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address;
}

/** True for an IP address in any notation that resolvers accept, false for a name. */
export function isAddressLiteral(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
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
