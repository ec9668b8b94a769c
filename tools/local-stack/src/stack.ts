import { join } from 'node:path';
import type { Report } from './artifacts.ts';
import { dockerKafka, dockerMongodb, dockerRedis, isDockerAvailable } from './docker.ts';
import { type KafkaListener, nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import type { StackPart } from './part.ts';
import { freePort } from './ports.ts';
import { nativeRedis } from './redis.ts';

export interface StackPorts {
  mongodb: number;
  kafka: number;
  kafkaController: number;
  redis: number;
}

export interface StackOptions {
  /** Directory of data, logs and pid files. */
  stateDir: string;
  /** Directory of downloaded programs; may be shared between checkouts. Default `<stateDir>/cache`. */
  cacheDir?: string;
  ports?: Partial<StackPorts>;
  kafkaListeners?: readonly KafkaListener[];
  /** SHOPSCOPE_MONGODB_URL, SHOPSCOPE_KAFKA_BROKERS and SHOPSCOPE_REDIS_URL select external servers. */
  env?: Readonly<Record<string, string | undefined>>;
  report?: Report;
  /** The data are deleted with the stack, so native servers do no work that only a long life needs. */
  isTemporary?: boolean;
  /** Aborts the start, including downloads. `startStack` rejects with the reason. */
  abort?: AbortSignal;
}

export interface Stack {
  mongodb: StackPart;
  kafka: StackPart;
  redis: StackPart;
  parts: readonly StackPart[];
  /** Stops the servers in the reverse order of their start. */
  stop(): Promise<void>;
}

/**
 * Starts real servers of MongoDB, Kafka and Redis. Source of each server: its URL in `env`, otherwise a container if a
 * Docker engine is available, otherwise a native process. Throws LocalStackError.
 */
export const startStack = (options: StackOptions): Promise<Stack> =>
  startTogether((abort) => chooseStack({ ...options, abort }), options.abort);

/** Starts the servers of a stack together. Failure of one -> throws its error, and nothing is left running. */
export async function startTogether(
  make: (abort: AbortSignal) => Promise<Omit<Stack, 'parts' | 'stop'>>,
  abort: AbortSignal | undefined,
): Promise<Stack> {
  const failure = new AbortController();
  const servers = await make(AbortSignal.any([failure.signal, ...(abort ? [abort] : [])]));
  const parts = [servers.mongodb, servers.kafka, servers.redis];
  const stop = async () => {
    for (const part of parts.toReversed()) await part.stop();
  };
  for (const part of parts) await part.prepare?.();
  // The first failure aborts the other starts, so that a missing JDK is reported before a long download ends.
  await Promise.all(parts.map((part) => part.start().catch((error: unknown) => failure.abort(error))));
  if (failure.signal.aborted) {
    await stop();
    abort?.throwIfAborted();
    throw failure.signal.reason;
  }
  return { ...servers, parts, stop };
}

async function chooseStack(options: StackOptions): Promise<Omit<Stack, 'parts' | 'stop'>> {
  const {
    stateDir,
    cacheDir = join(stateDir, 'cache'),
    env = {},
    report = () => {},
    abort,
    isTemporary = false,
  } = options;
  const external = {
    mongodb: env.SHOPSCOPE_MONGODB_URL,
    kafka: env.SHOPSCOPE_KAFKA_BROKERS,
    redis: env.SHOPSCOPE_REDIS_URL,
  };
  const all = external.mongodb && external.kafka && external.redis;
  const docker = !all && env.SHOPSCOPE_STACK !== 'native' && (await isDockerAvailable());
  const portOf = async (name: keyof StackPorts) => options.ports?.[name] ?? freePort();
  const native = async (name: keyof StackPorts) => ({
    stateDir,
    cacheDir,
    port: await portOf(name),
    report,
    abort,
    isTemporary,
  });

  const mongodb = external.mongodb
    ? externalPart('mongodb', external.mongodb)
    : docker
      ? dockerMongodb(await portOf('mongodb'), stateDir)
      : nativeMongodb(await native('mongodb'));
  const kafka = external.kafka
    ? externalPart('kafka', external.kafka)
    : docker
      ? dockerKafka(await portOf('kafka'), stateDir)
      : nativeKafka({
          ...(await native('kafka')),
          controllerPort: await portOf('kafkaController'),
          listeners: options.kafkaListeners ?? [],
        });
  const redis = external.redis
    ? externalPart('redis', external.redis)
    : docker
      ? dockerRedis(await portOf('redis'), stateDir)
      : nativeRedis(await native('redis'));
  return { mongodb, kafka, redis };
}

function externalPart(name: StackPart['name'], url: string): StackPart {
  return {
    name,
    provider: 'external',
    url,
    nodes: [],
    start: async () => {},
    stop: async () => {},
  };
}
