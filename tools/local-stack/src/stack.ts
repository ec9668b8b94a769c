import { requireSameNodes } from './begun-data.ts';
import { dockerKafka, dockerMongodb, dockerRedis, isDockerAvailable } from './docker.ts';
import { nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import { openSearchPart } from './opensearch-part.ts';
import { freePort } from './ports.ts';
import { nativeRedis } from './redis.ts';
import { severalNodes } from './several-nodes.ts';
import { externalPart } from './sources.ts';
import { nativeOptions, type Servers, type StackOptions, type StackPorts } from './stack-options.ts';
import { type Started, startTogether } from './start-together.ts';

export type Stack = Started<Servers>;

/**
 * Starts real servers of MongoDB, Kafka and Redis, and of OpenSearch if the options ask for it. Source of each server: its URL in `env`,
 * otherwise a container if a Docker engine is available, otherwise native processes. Throws LocalStackError.
 */
export function startStack(options: StackOptions): Promise<Stack> {
  const make = options.nodes === 3 ? severalNodes : oneNode;
  return startTogether<Servers>(async (abort) => {
    requireSameNodes(options);
    const servers = await make({ ...options, abort });
    return options.withOpenSearch ? { ...servers, opensearch: await openSearchPart({ ...options, abort }) } : servers;
  }, options.abort);
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
