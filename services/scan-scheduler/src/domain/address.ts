import ipaddr from 'ipaddr.js';

type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/** A network in the notation address/bits, or a single address. */
export interface Network {
  /** The network in normal form, for example 203.0.113.0/24. */
  text: string;
  cidr: Cidr;
}

/**
 * Returns null if the text is neither an address nor a network. A network of IPv4 addresses that are mapped to IPv6 becomes the IPv4
 * network, as its addresses do ({@link parseAddress}).
 */
export function parseNetwork(text: string): Network | null {
  try {
    const isAddress = !text.includes('/') && (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text));
    const cidr = isAddress ? wholeAddress(ipaddr.process(text)) : unmapped(ipaddr.parseCIDR(text));
    if (!cidr) return null;
    const [address, bits] = cidr;
    const ofKind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
    const network = ofKind.networkAddressFromCIDR(`${address.toString()}/${bits}`);
    return { text: `${network.toString()}/${bits}`, cidr: [network, bits] as Cidr };
  } catch {
    return null;
  }
}

const wholeAddress = (address: ReturnType<typeof ipaddr.process>): Cidr =>
  [address, address.kind() === 'ipv4' ? 32 : 128] as Cidr;

const mappedBits = 96;

/** Returns null if the prefix is shorter than that of the mapped range. No IPv4 network is the same then. */
function unmapped([address, bits]: Cidr): Cidr | null {
  if (address.kind() === 'ipv4' || !(address as ipaddr.IPv6).isIPv4MappedAddress()) return [address, bits] as Cidr;
  return bits < mappedBits ? null : ([(address as ipaddr.IPv6).toIPv4Address(), bits - mappedBits] as Cidr);
}

export type Address = ReturnType<typeof ipaddr.process>;

/** Returns null if the text is not an IP address. An IPv4 address that is mapped to IPv6 becomes the IPv4 address. */
export function parseAddress(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

export const isWithin = (address: Address, { cidr: [network, bits] }: Network): boolean =>
  network.kind() === address.kind() && address.match([network, bits] as never);

/** One customer of a provider has at least a /64 of IPv6. All addresses in a /64 therefore count as one. */
const ipv6Bits = 64;

/** Returns the part of the address space that belongs to one server or its operator: an IPv4 address, or a /64 of IPv6. */
export function hostNetworkOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${ipv6Bits}`).toString()}/${ipv6Bits}`;
}
