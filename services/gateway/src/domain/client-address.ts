import { BlockList, isIP } from 'node:net';

/**
 * Where a request comes from, as far as it can be believed: the connection's own address, and behind trusted proxies the
 * last address in X-Forwarded-For that none of them put there as its own. What the caller wrote itself stands further
 * left and is never reached. IPv6 counts by /64, the least that one customer is given.
 *
 * The package proxy-addr would return an entry that is no address as the caller's, and so give each such text a count of its
 * own; here the proxy that sent it counts. Neither does it bound the entries that it reads.
 */
export type ReadClientAddress = (remoteAddress: string | undefined, forwardedFor: string | undefined) => string;

/** Entries of X-Forwarded-For that are looked at. */
const maxHops = 20;

/** `trustedProxies` are addresses or CIDR ranges. */
export function createReadClientAddress(trustedProxies: readonly string[]): ReadClientAddress {
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (remoteAddress, forwardedFor) => {
    let address = plain(remoteAddress ?? '');
    if (address === undefined) return 'unknown';
    const hops = forwardedFor === undefined ? [] : forwardedFor.split(',').slice(-maxHops);
    while (hops.length > 0 && isTrusted(address)) {
      const before = plain(hops.pop()?.trim() ?? '');
      if (before === undefined) break;
      address = before;
    }
    return isIP(address) === 6 ? networkOf(address) : address;
  };
}

/** An address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Undefined when it is no address; an IPv4 address in IPv6 clothes is IPv4. */
function plain(text: string): string | undefined {
  if (isIP(text) === 4) return text;
  if (isIP(text) !== 6) return undefined;
  const canonical = new URL(`http://[${text.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The /64 of a canonical IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
