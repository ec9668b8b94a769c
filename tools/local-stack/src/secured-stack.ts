import { join } from 'node:path';
import type { Report } from './artifacts.ts';
import { nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import type { StackPart } from './part.ts';
import { freePort } from './ports.ts';
import { nativeRedis } from './redis.ts';
import type { Login, Security } from './security.ts';
import type { Stack, StackPorts } from './stack.ts';

export interface SecuredStackOptions extends Security {
  /** Directory of data, logs, pid files and the keys of the servers. */
  stateDir: string;
  cacheDir?: string;
  /** Default: free ports. */
  ports?: Partial<StackPorts & { redisTls: number }>;
  kafkaUsers: readonly Login[];
  /** Lines of the Redis ACL file. */
  redisAcl: readonly string[];
  /** Default 512. */
  kafkaHeapMaxMb?: number;
  report?: Report;
  abort?: AbortSignal;
}

/**
 * The three servers as in production: TLS on every connection, credentials for every client. Always native.
 *
 * - Kafka authorizes by ACLs, and there are none at first. MongoDB has only the super user.
 * - Data of a secured stack cannot be used by an unsecured one.
 */
export async function startSecuredStack(options: SecuredStackOptions): Promise<Stack> {
  const { stateDir, cacheDir = join(stateDir, 'cache'), ca, cert, key, superUser, report = () => {} } = options;
  const security = { ca, cert, key, superUser };
  const portOf = async (name: keyof NonNullable<SecuredStackOptions['ports']>) =>
    options.ports?.[name] ?? (await freePort());
  const native = async (name: keyof StackPorts) => {
    return { stateDir, cacheDir, port: await portOf(name), report, abort: options.abort };
  };
  const mongodb = nativeMongodb({ ...(await native('mongodb')), security });
  const kafka = nativeKafka({
    ...(await native('kafka')),
    controllerPort: await portOf('kafkaController'),
    security: { ...security, users: options.kafkaUsers },
    ...(options.kafkaHeapMaxMb && { heapMaxMb: options.kafkaHeapMaxMb }),
  });
  const redis = nativeRedis({
    ...(await native('redis')),
    security: { ...security, tlsPort: await portOf('redisTls'), acl: options.redisAcl },
  });
  const parts: StackPart[] = [mongodb, kafka, redis];
  const stop = async () => {
    for (const part of parts.toReversed()) await part.stop();
  };
  const starts = await Promise.allSettled(parts.map((part) => part.start()));
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { mongodb, kafka, redis, parts, stop };
}
