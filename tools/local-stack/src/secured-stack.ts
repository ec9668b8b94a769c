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
  /** Data, logs, pid files, and the servers' keys. */
  stateDir: string;
  cacheDir?: string;
  /** Free ones when left out. */
  ports?: Partial<StackPorts & { redisTls: number }>;
  kafkaUsers: readonly Login[];
  /** Lines of Redis's ACL file. */
  redisAcl: readonly string[];
  /** Default 512. */
  kafkaHeapMaxMb?: number;
  report?: Report;
  signal?: AbortSignal;
}

/**
 * The three servers as production has them: TLS everywhere, and nobody without credentials. Always native. Kafka asks its
 * ACLs, of which there are none yet; MongoDB knows the super user alone. Data begun here cannot be served unsecured.
 */
export async function startSecuredStack(options: SecuredStackOptions): Promise<Stack> {
  const { stateDir, cacheDir = join(stateDir, 'cache'), ca, cert, key, superUser, report = () => {} } = options;
  const security = { ca, cert, key, superUser };
  const portOf = async (name: keyof NonNullable<SecuredStackOptions['ports']>) =>
    options.ports?.[name] ?? (await freePort());
  const native = async (name: keyof StackPorts) => {
    return { stateDir, cacheDir, port: await portOf(name), report, signal: options.signal };
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
