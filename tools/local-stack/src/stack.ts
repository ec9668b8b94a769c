import { join } from 'node:path';
import type { Report } from './artifacts.ts';
import { dockerAnswers, dockerKafka, dockerMongodb, dockerRedis } from './docker.ts';
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
  /** Data, logs and pid files. */
  stateDir: string;
  /** Downloaded programs; may be shared between checkouts. Default `<stateDir>/cache`. */
  cacheDir?: string;
  /** Free ones when left out. */
  ports?: Partial<StackPorts>;
  /** Further ways to the native broker. */
  kafkaListeners?: readonly KafkaListener[];
  /** SHOPSCOPE_MONGODB_URL, SHOPSCOPE_KAFKA_BROKERS and SHOPSCOPE_REDIS_URL name servers to use instead. */
  env?: Readonly<Record<string, string | undefined>>;
  report?: Report;
  /** Gives the start up, downloads included; `startStack` then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface Stack {
  mongodb: StackPart;
  kafka: StackPart;
  redis: StackPart;
  parts: readonly StackPart[];
  /** In the reverse order of their start. */
  stop(): Promise<void>;
}

/**
 * MongoDB, Kafka and Redis, all three the real servers: those whose URLs are given; otherwise in containers when a
 * Docker engine answers; otherwise as native processes. Throws LocalStackError, with nothing left running.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(options.signal ? [options.signal] : [])]);
  const stack = await chooseStack({ ...options, signal });
  for (const part of stack.parts) await part.claim?.();
  // The first failure ends the other starts: a missing JDK is not told after a download of minutes.
  const starts = stack.parts.map((part) => part.start().catch((error: unknown) => failure.abort(error)));
  await Promise.all(starts);
  if (failure.signal.aborted) {
    await stack.stop();
    options.signal?.throwIfAborted();
    throw failure.signal.reason;
  }
  return stack;
}

async function chooseStack(options: StackOptions): Promise<Stack> {
  const { stateDir, cacheDir = join(stateDir, 'cache'), env = {}, report = () => {}, signal } = options;
  const external = {
    mongodb: env.SHOPSCOPE_MONGODB_URL,
    kafka: env.SHOPSCOPE_KAFKA_BROKERS,
    redis: env.SHOPSCOPE_REDIS_URL,
  };
  const all = external.mongodb && external.kafka && external.redis;
  const docker = !all && env.SHOPSCOPE_STACK !== 'native' && (await dockerAnswers());
  const portOf = async (name: keyof StackPorts) => options.ports?.[name] ?? freePort();
  const native = async (name: keyof StackPorts) => ({ stateDir, cacheDir, port: await portOf(name), report, signal });

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
  const parts = [mongodb, kafka, redis];
  return {
    mongodb,
    kafka,
    redis,
    parts,
    async stop() {
      for (const part of parts.toReversed()) await part.stop();
    },
  };
}

function externalPart(name: StackPart['name'], url: string): StackPart {
  return {
    name,
    provider: 'external',
    url,
    pid: null,
    start: async () => {},
    exited: () => new Promise(() => {}),
    stop: async () => {},
  };
}
