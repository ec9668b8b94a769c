import { BlockList, isIP } from 'node:net';

/**
 * Returns the client address of a request, in canonical form. Undefined if the connection has no address.
 *
 * - No proxy is trusted -> the address of the connection.
 * - Proxies are trusted -> the last address in X-Forwarded-For that is not a trusted proxy. Entries that the caller wrote are further left
 *   and are not read.
 * - An entry is not an address -> the address of the proxy that sent it. The package proxy-addr would return the entry itself, so a caller
 *   could have any number of addresses.
 * - Bound: at most `maxHops` entries are read. proxy-addr has no bound.
 */
export type ReadClientAddress = (
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
) => string | undefined;

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
    let address = normalized(remoteAddress ?? '');
    if (address === undefined) return undefined;
    const hops = forwardedFor === undefined ? [] : forwardedFor.split(',').slice(-maxHops);
    while (hops.length > 0 && isTrusted(address)) {
      const before = normalized(hops.pop()?.trim() ?? '');
      if (before === undefined) break;
      address = before;
    }
    return address;
  };
}

/** Returns the key of an address for limits. For IPv6 it is the /64 prefix, the smallest network that a customer gets. */
export function addressGroup(address: string): string {
  const canonical = normalized(address) ?? address;
  return isIP(canonical) === 6 ? prefixOf(canonical) : canonical;
}

/** Whether a text is an address or a CIDR range. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Returns the address in canonical form. An IPv4-mapped IPv6 address becomes IPv4. Undefined if `text` is not an address. */
function normalized(text: string): string | undefined {
  if (isIP(text) === 4) return text;
  if (isIP(text) !== 6) return undefined;
  const canonical = new URL(`http://[${text.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Returns the /64 prefix of a canonical IPv6 address. */
function prefixOf(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
