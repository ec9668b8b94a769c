import { join } from 'node:path';
import { nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import { freePort } from './ports.ts';
import { nativeRedis } from './redis.ts';
import type { Login, Security } from './security.ts';
import { type Stack, type StackOptions, type StackPorts, startTogether } from './stack.ts';

export interface SecuredStackOptions extends Security, Omit<StackOptions, 'ports' | 'kafkaListeners' | 'env'> {
  ports?: Partial<StackPorts & { redisTls: number }>;
  kafkaUsers: readonly Login[];
  redisAcl: readonly string[];
  kafkaHeapMaxMb?: number;
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
  return startTogether(async (abort) => {
    const native = async (name: keyof StackPorts) => ({ stateDir, cacheDir, port: await portOf(name), report, abort });
    return {
      mongodb: nativeMongodb({ ...(await native('mongodb')), security }),
      kafka: nativeKafka({
        ...(await native('kafka')),
        controllerPort: await portOf('kafkaController'),
        security: { ...security, users: options.kafkaUsers },
        ...(options.kafkaHeapMaxMb && { heapMaxMb: options.kafkaHeapMaxMb }),
      }),
      redis: nativeRedis({
        ...(await native('redis')),
        security: { ...security, tlsPort: await portOf('redisTls'), acl: options.redisAcl },
      }),
    };
  }, options.abort);
}
