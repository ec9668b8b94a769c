import { Resolver } from 'node:dns/promises';
import { VisitFailure } from '../../domain/reasons.ts';

/** Resolves a public name to its addresses, IPv4 first. Throws VisitFailure `dns_failure` when there is none. */
export interface NameResolver {
  resolve(hostname: string, abort: AbortSignal): Promise<string[]>;
}

/** Further addresses of a name are ignored. */
const maxAddresses = 20;

/**
 * A resolver that queries the name servers directly. The hosts file and search domains have no effect, so a name has the
 * same meaning on every machine.
 *
 * - Bounds: two attempts of `timeoutMs` each.
 * - `servers` (address:port) replace the name servers of the system.
 */
export function createNameResolver(options: { timeoutMs: number; servers?: readonly string[] }): NameResolver {
  return {
    async resolve(hostname, abort) {
      const resolver = new Resolver({ timeout: options.timeoutMs, tries: 2 });
      if (options.servers) resolver.setServers(options.servers);
      const cancel = () => resolver.cancel();
      abort.addEventListener('abort', cancel, { once: true });
      try {
        const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
        abort.throwIfAborted();
        const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
        if (addresses.length > 0) return addresses.slice(0, maxAddresses);
        const [first] = results;
        throw new VisitFailure('dns_failure', `${hostname} has no address`, {
          cause: first?.status === 'rejected' ? first.reason : undefined,
        });
      } finally {
        abort.removeEventListener('abort', cancel);
      }
    },
  };
}
