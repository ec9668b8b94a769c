import { type AddressPolicy, bareAddress, isAddressLiteral, normalizeAddress } from './address-policy.ts';
import { OutboundError } from './errors.ts';
import { nameRefusalOf } from './name-policy.ts';
import type { NameResolver } from './resolver.ts';
import type { TestHosts } from './test-hosts.ts';

/** What a URL says about the connection to its server. */
export type Target = Pick<URL, 'hostname' | 'protocol' | 'port'>;

/** The addresses and the port for connections to a host. */
export interface Route {
  /** The checked addresses, in dialling order. */
  addresses: readonly string[];
  port: number;
  /** Whether it is a test host. The address of a test host is not checked, and any certificate is accepted. */
  isTestHost: boolean;
}

export interface RouterOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
  testHosts: TestHosts;
  /** Whether a host may be an address, which is then checked like the addresses of a name. Stores have names only. */
  literals: 'checked' | 'refused';
  onRefused(hostname: string, address: string, range: string): void;
}

/** Two addresses are enough if the IPv4 or the IPv6 path is broken. */
const maxDialled = 2;

/**
 * Maps hosts to addresses, for one visit of the scanner or for one attempt of a delivery.
 *
 * - A name is resolved once per router. A name server therefore cannot return another address after the check (DNS rebinding).
 * - One address of a name is not allowed -> the whole name is refused.
 */
export function createRouter(options: RouterOptions) {
  const resolved = new Map<string, Promise<readonly string[]>>();

  const addressesOf = async (hostname: string, abort: AbortSignal): Promise<readonly string[]> => {
    if (options.literals === 'checked' && isAddressLiteral(hostname)) return [normalizeAddress(bareAddress(hostname))];
    const refusal = nameRefusalOf(hostname);
    if (refusal) throw refusal;
    return options.resolver.resolve(hostname, abort);
  };
  const resolve = async (hostname: string, abort: AbortSignal): Promise<readonly string[]> => {
    const addresses = await addressesOf(hostname, abort);
    for (const address of addresses) {
      const range = options.policy.refusalOf(address);
      if (range === undefined) continue;
      options.onRefused(hostname, address, range);
      throw new OutboundError('blocked_address', `${hostname} resolves to ${address} (${range})`);
    }
    return addresses.slice(0, maxDialled);
  };

  return async ({ hostname, protocol, port }: Target, abort: AbortSignal): Promise<Route> => {
    const statedPort = port === '' ? defaultPort(protocol) : Number(port);
    const testHost = options.testHosts.find(hostname);
    if (testHost) {
      const { address, port: mappedPort = statedPort, tls = protocol === 'https:' } = testHost;
      if (tls !== (protocol === 'https:')) {
        throw new OutboundError('connection_refused', `${hostname} is not served over ${protocol.slice(0, -1)}`);
      }
      return { addresses: [address], port: mappedPort, isTestHost: true };
    }
    let addresses = resolved.get(hostname);
    if (!addresses) {
      addresses = resolve(hostname, abort);
      resolved.set(hostname, addresses);
    }
    return { addresses: await addresses, port: statedPort, isTestHost: false };
  };
}

const defaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80);

export type Router = ReturnType<typeof createRouter>;
