import type { AddressPolicy } from '../../domain/address-policy.ts';
import { verdictOnName } from '../../domain/name-policy.ts';
import { VisitFailure } from '../../domain/reasons.ts';
import type { NameResolver } from './resolver.ts';
import type { ScanHosts } from './scan-hosts.ts';

/** Where connections to a host go, decided once per visit. */
export interface Route {
  /** Checked addresses, in the order in which they are tried. */
  addresses: readonly string[];
  port: number;
  /** A test host: reached as the map says, any certificate. */
  mapped: boolean;
}

export interface RouterOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
  scanHosts: ScanHosts;
  onRefused(hostname: string, address: string, range: string): void;
}

/** Two addresses are enough to get past one broken protocol family. */
const maxDialled = 2;

/**
 * Names to addresses for one visit. A name is resolved once, and all of its addresses must be reachable ones: a name
 * that answers with public and private addresses is refused whole. Later connections of the visit use the same answer,
 * so that a name server cannot change its mind between the check and the connection.
 */
export function createRouter(options: RouterOptions) {
  const resolved = new Map<string, Promise<readonly string[]>>();

  const resolve = async (hostname: string, signal: AbortSignal): Promise<readonly string[]> => {
    const verdict = verdictOnName(hostname);
    if (verdict === 'private') throw new VisitFailure('blocked_address', `${hostname} is not a public name`);
    if (verdict === 'nonexistent') throw new VisitFailure('dns_failure', `${hostname} cannot exist`);
    const addresses = await options.resolver.resolve(hostname, signal);
    for (const address of addresses) {
      const range = options.policy.refusalOf(address);
      if (range === undefined) continue;
      options.onRefused(hostname, address, range);
      throw new VisitFailure('blocked_address', `${hostname} resolves to ${address} (${range})`);
    }
    return addresses.slice(0, maxDialled);
  };

  return async (hostname: string, protocol: string, signal: AbortSignal): Promise<Route> => {
    const mapped = options.scanHosts.find(hostname);
    if (mapped) {
      if (mapped.tls !== (protocol === 'https:')) {
        throw new VisitFailure('connection_refused', `${hostname} is not served over ${protocol.slice(0, -1)}`);
      }
      return { addresses: [mapped.address], port: mapped.port, mapped: true };
    }
    let addresses = resolved.get(hostname);
    if (!addresses) {
      addresses = resolve(hostname, signal);
      resolved.set(hostname, addresses);
    }
    return { addresses: await addresses, port: protocol === 'https:' ? 443 : 80, mapped: false };
  };
}

export type Router = ReturnType<typeof createRouter>;
