import { nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import { nativeOpenSearch } from './opensearch.ts';
import { freePort } from './ports.ts';
import { nativeRedis } from './redis.ts';
import type { Login, Security } from './security.ts';
import type { Stack } from './stack.ts';
import { nativeOptions, type Servers, type StackOptions, type StackPorts } from './stack-options.ts';
import { startTogether } from './start-together.ts';

export interface SecuredStackOptions
  extends Security,
    Omit<StackOptions, 'ports' | 'kafkaListeners' | 'env' | 'nodes' | 'redisForm'> {
  ports?: Partial<StackPorts & { redisTls: number }>;
  kafkaUsers: readonly Login[];
  redisAcl: readonly string[];
  kafkaHeapMaxMb?: number;
}

/**
 * Starts the servers as in production: TLS on every connection, credentials for every client. The servers are always native, with one node each.
 *
 * - Kafka authorizes by ACLs, and has none at the first start. MongoDB has only the super user at the first start.
 * - An unsecured stack cannot use the data of a secured one.
 * - OpenSearch, if the options ask for it, has neither TLS nor credentials: its security plugin is not on Maven.
 */
export async function startSecuredStack(options: SecuredStackOptions): Promise<Stack> {
  const { ca, cert, key, superUser } = options;
  const security = { ca, cert, key, superUser };
  const portOf = async (name: keyof NonNullable<SecuredStackOptions['ports']>) =>
    options.ports?.[name] ?? (await freePort());
  return startTogether<Servers>(async (abort) => {
    const native = nativeOptions({ ...options, abort });
    return {
      mongodb: nativeMongodb({ ...native, ports: [await portOf('mongodb')], security }),
      kafka: nativeKafka({
        ...native,
        ports: [{ port: await portOf('kafka'), controllerPort: await portOf('kafkaController') }],
        security: { ...security, users: options.kafkaUsers },
        ...(options.kafkaHeapMaxMb && { heapMaxMb: options.kafkaHeapMaxMb }),
      }),
      redis: nativeRedis({
        ...native,
        port: await portOf('redis'),
        security: { ...security, tlsPort: await portOf('redisTls'), acl: options.redisAcl },
      }),
      ...(options.withOpenSearch && {
        opensearch: nativeOpenSearch({
          ...native,
          ports: [{ port: await portOf('opensearch'), transportPort: await portOf('opensearchTransport') }],
        }),
      }),
    };
  }, options.abort);
}
