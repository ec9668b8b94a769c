import { Resolver } from 'node:dns/promises';
import { VisitFailure } from '../../domain/reasons.ts';

/** Every address of a public name, IPv4 first. Throws VisitFailure `dns_failure` when there is none. */
export interface NameResolver {
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>;
}

/** A name with more addresses than this is answered by its first ones. */
const maxAddresses = 20;

/**
 * Asks the name servers directly: neither the hosts file nor search domains take part, so that a name means the same
 * here as anywhere else. Bounded by `timeoutMs` per try, twice. `servers` (address:port) replace the system's own.
 */
export function createNameResolver(options: { timeoutMs: number; servers?: readonly string[] }): NameResolver {
  return {
    async resolve(hostname, signal) {
      const resolver = new Resolver({ timeout: options.timeoutMs, tries: 2 });
      if (options.servers) resolver.setServers(options.servers);
      const cancel = () => resolver.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
        signal.throwIfAborted();
        const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
        if (addresses.length > 0) return addresses.slice(0, maxAddresses);
        const [first] = answers;
        throw new VisitFailure('dns_failure', `${hostname} has no address`, {
          cause: first?.status === 'rejected' ? first.reason : undefined,
        });
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}
