import { Resolver } from 'node:dns/promises';
import { OutboundError } from './errors.ts';

/**
 * Resolves a public name to its addresses, IPv4 first.
 *
 * - The name does not exist (NXDOMAIN) or has no address (NODATA) -> OutboundError `dns_failure`, because the DNS of the name answered.
 * - Any other failure (SERVFAIL, REFUSED, timeout, refused connection, malformed answer) -> OutboundError `dns_unavailable`. The cause may
 *   be our name servers.
 */
export interface NameResolver {
  resolve(hostname: string, abort: AbortSignal): Promise<string[]>;
}

export interface ResolverOptions {
  timeoutMs: number;
  /** The name servers (address:port) that replace those of the system. */
  servers?: readonly string[];
}

/** Further addresses of a name are ignored. */
const maxAddresses = 20;

/**
 * Creates a resolver that queries the name servers directly. The hosts file and search domains have no effect. A name therefore has the
 * same meaning on every machine.
 *
 * - Bounds: two attempts of `timeoutMs` each.
 */
export function createNameResolver(options: ResolverOptions): NameResolver {
  return {
    resolve: (hostname, abort) =>
      withResolver(options, abort, async (resolver) => {
        const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
        const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
        if (addresses.length > 0 && !abort.aborted) return addresses.slice(0, maxAddresses);
        throw failureOfResolution(hostname, results, abort);
      }),
  };
}

function failureOfResolution(hostname: string, results: PromiseSettledResult<unknown>[], abort: AbortSignal): unknown {
  const isTimeLimit = abort.reason instanceof DOMException && abort.reason.name === 'TimeoutError';
  if (abort.aborted && !isTimeLimit) return abort.reason;
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  // NXDOMAIN applies to the name, so one such answer decides. NODATA applies to one type.
  const isDecided = errors.some(isNonexistent) || errors.every(isAbsent);
  if (isDecided && !abort.aborted) {
    return new OutboundError('dns_failure', `${hostname} has no address`, { cause: errors[0] });
  }
  const cause = abort.aborted ? abort.reason : errors.find((error) => !isAbsent(error));
  return new OutboundError('dns_unavailable', `${hostname} could not be resolved`, { cause });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Whether the name servers answered that the name does not exist, or the name has an impossible form. */
const isNonexistent = (error: unknown): boolean => codeOf(error) === 'ENOTFOUND' || codeOf(error) === 'EBADNAME';

/** Whether the name servers answered that there is no such record or name. */
export const isAbsent = (error: unknown): boolean => isNonexistent(error) || codeOf(error) === 'ENODATA';

/** Runs queries that end when `abort` aborts. */
export async function withResolver<T>(
  { timeoutMs, servers }: ResolverOptions,
  abort: AbortSignal,
  work: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  abort.addEventListener('abort', cancel, { once: true });
  try {
    abort.throwIfAborted();
    return await work(resolver);
  } finally {
    abort.removeEventListener('abort', cancel);
  }
}
