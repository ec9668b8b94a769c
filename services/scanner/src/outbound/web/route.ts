import type { AddressPolicy } from '../../domain/address-policy.ts';
import { nameRefusalOf } from '../../domain/name-policy.ts';
import { VisitFailure } from '../../domain/reasons.ts';
import type { NameResolver } from './resolver.ts';
import type { TestHosts } from './test-hosts.ts';

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
  onRefused(hostname: string, address: string, range: string): void;
}

/** Two addresses are enough if the IPv4 or the IPv6 path is broken. */
const maxDialled = 2;

/**
 * Maps host names to addresses for one visit.
 *
 * - A name is resolved once per visit. A name server therefore cannot return another address after the check (DNS rebinding).
 * - One address of a name is not allowed -> the whole name is refused.
 */
export function createRouter(options: RouterOptions) {
  const resolved = new Map<string, Promise<readonly string[]>>();

  const resolve = async (hostname: string, abort: AbortSignal): Promise<readonly string[]> => {
    const refusal = nameRefusalOf(hostname);
    if (refusal) throw refusal;
    const addresses = await options.resolver.resolve(hostname, abort);
    for (const address of addresses) {
      const range = options.policy.refusalOf(address);
      if (range === undefined) continue;
      options.onRefused(hostname, address, range);
      throw new VisitFailure('blocked_address', `${hostname} resolves to ${address} (${range})`);
    }
    return addresses.slice(0, maxDialled);
  };

  return async (hostname: string, protocol: string, abort: AbortSignal): Promise<Route> => {
    const testHost = options.testHosts.find(hostname);
    if (testHost) {
      if (testHost.tls !== (protocol === 'https:')) {
        throw new VisitFailure('connection_refused', `${hostname} is not served over ${protocol.slice(0, -1)}`);
      }
      return { addresses: [testHost.address], port: testHost.port, isTestHost: true };
    }
    let addresses = resolved.get(hostname);
    if (!addresses) {
      addresses = resolve(hostname, abort);
      resolved.set(hostname, addresses);
    }
    return { addresses: await addresses, port: protocol === 'https:' ? 443 : 80, isTestHost: false };
  };
}

export type Router = ReturnType<typeof createRouter>;
