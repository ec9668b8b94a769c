import type { Resolver } from 'node:dns/promises';
import { isAbsent, type ResolverOptions, withResolver } from '@shopscope/outbound-http';

export type RecordType = 'CNAME' | 'MX' | 'NS' | 'TXT';

/**
 * Reads the records of a public name. It returns host names in lower case without a trailing dot, and a text in one piece.
 *
 * - The name or the record does not exist -> [].
 * - The name servers do not answer or fail -> throws, because it is unknown whether a record exists.
 */
export interface RecordResolver {
  query(name: string, type: RecordType, abort: AbortSignal): Promise<string[]>;
}

/** Further records of a name are ignored. */
const maxRecords = 50;
const maxTextLength = 2_000;

/** Creates a resolver that reads records as `createNameResolver` resolves names, with the same bounds. */
export function createRecordResolver(options: ResolverOptions): RecordResolver {
  return {
    query: (name, type, abort) =>
      withResolver(options, abort, async (resolver) => {
        try {
          return (await recordsOf(resolver, name, type)).slice(0, maxRecords);
        } catch (error) {
          abort.throwIfAborted();
          if (isAbsent(error)) return [];
          throw error;
        }
      }),
  };
}

async function recordsOf(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  switch (type) {
    case 'CNAME':
      return (await resolver.resolveCname(name)).map(hostOf);
    case 'NS':
      return (await resolver.resolveNs(name)).map(hostOf);
    case 'MX':
      return (await resolver.resolveMx(name)).map(({ exchange }) => hostOf(exchange));
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((parts) => parts.join('').slice(0, maxTextLength));
  }
}

const hostOf = (name: string): string => name.toLowerCase().replace(/\.$/, '');
