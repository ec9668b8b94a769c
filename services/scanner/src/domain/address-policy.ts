import ipaddr from 'ipaddr.js';

/**
 * Which network addresses may be reached: globally routable unicast, off the deny list, and nothing that carries an
 * IPv4 address inside an IPv6 one (mapped, translated, 6to4, Teredo), because its real target is decided elsewhere.
 * Pure; every spelling of an address that the platform accepts is parsed before it is judged.
 */
export interface AddressPolicy {
  /** Why `address` may not be reached, or undefined when it may. */
  refusalOf(address: string): string | undefined;
}

/** Public by number and yet inside: the host agent of a cloud, and Alibaba's and Oracle's metadata. */
const alwaysDenied = ['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'];

/** All that has been handed out for global unicast. ipaddr.js calls more of the space unicast than is in use. */
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

/** The same address in one spelling, so that two of them can be compared. */
export function normalizeAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address;
}

/** True for anything that is an address rather than a name, in any of the spellings that resolvers take. */
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
