import { requireSameNodes } from './begun-data.ts';
import { dockerKafka, dockerMongodb, dockerRedis, isDockerAvailable } from './docker.ts';
import { nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import type { StackPart } from './part.ts';
import { freePort } from './ports.ts';
import { nativeRedis } from './redis.ts';
import { severalNodes } from './several-nodes.ts';
import { nativeOptions, type Servers, type StackOptions, type StackPorts } from './stack-options.ts';

export interface Stack extends Servers {
  parts: readonly StackPart[];
  /** Stops the servers in the reverse order of their start. */
  stop(): Promise<void>;
}

/**
 * Starts real servers of MongoDB, Kafka and Redis. Source of each server: its URL in `env`, otherwise a container if a
 * Docker engine is available, otherwise native processes. Throws LocalStackError.
 */
export function startStack(options: StackOptions): Promise<Stack> {
  const make = options.nodes === 3 ? severalNodes : oneNode;
  return startTogether((abort) => {
    requireSameNodes(options);
    return make({ ...options, abort });
  }, options.abort);
}

/** Starts the servers of a stack together. Failure of one -> throws its error, and nothing is left running. */
export async function startTogether(
  make: (abort: AbortSignal) => Promise<Servers>,
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

async function oneNode(options: StackOptions): Promise<Servers> {
  const { stateDir, env = {}, kafkaListeners: listeners = [] } = options;
  const native = nativeOptions(options);
  const external = {
    mongodb: env.SHOPSCOPE_MONGODB_URL,
    kafka: env.SHOPSCOPE_KAFKA_BROKERS,
    redis: env.SHOPSCOPE_REDIS_URL,
  };
  const all = external.mongodb && external.kafka && external.redis;
  const docker = !all && env.SHOPSCOPE_STACK !== 'native' && (await isDockerAvailable());
  const portOf = async (name: keyof StackPorts) => options.ports?.[name] ?? freePort();

  const mongodb = external.mongodb
    ? externalPart('mongodb', external.mongodb)
    : docker
      ? dockerMongodb(await portOf('mongodb'), stateDir)
      : nativeMongodb({ ...native, ports: [await portOf('mongodb')] });
  const broker = async () => ({ port: await portOf('kafka'), controllerPort: await portOf('kafkaController') });
  const kafka = external.kafka
    ? externalPart('kafka', external.kafka)
    : docker
      ? dockerKafka(await portOf('kafka'), stateDir)
      : nativeKafka({ ...native, ports: [await broker()], listeners });
  const redis = external.redis
    ? externalPart('redis', external.redis)
    : docker
      ? dockerRedis(await portOf('redis'), stateDir)
      : nativeRedis({ ...native, port: await portOf('redis') });
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
