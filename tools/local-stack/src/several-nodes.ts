import { isDockerAvailable } from './docker.ts';
import { LocalStackError } from './error.ts';
import { nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import { freePort } from './ports.ts';
import { nativeRedisCluster } from './redis-cluster.ts';
import { nativeRedisSentinel } from './redis-sentinel.ts';
import { nativeOptions, type RedisForm, type Servers, type StackOptions, type StackPorts } from './stack-options.ts';

/** The ports of each server of several nodes. Redis has two servers and three Sentinels, or three servers with two ports each. */
export const portCounts: Readonly<Record<keyof StackPorts, number>> = {
  mongodb: 3,
  kafka: 3,
  kafkaController: 3,
  redis: 6,
};

/**
 * Servers of several nodes, always native: a replica set of three, three brokers that are controllers too, and Redis either as a primary
 * and a replica with three Sentinels or as a cluster of three.
 */
export async function severalNodes(options: StackOptions): Promise<Servers> {
  const { env = {}, redisForm = 'sentinel', kafkaListeners: listeners = [] } = options;
  const external = ['SHOPSCOPE_MONGODB_URL', 'SHOPSCOPE_KAFKA_BROKERS', 'SHOPSCOPE_REDIS_URL'];
  const set = external.find((variable) => env[variable]);
  if (set) throw new LocalStackError(`${set} names a running server, so several nodes cannot be started; unset it.`);
  if (env.SHOPSCOPE_STACK !== 'native' && (await isDockerAvailable())) {
    throw new LocalStackError('Several nodes do not run in containers; set SHOPSCOPE_STACK=native.');
  }
  const native = nativeOptions(options);
  const portsOf = (name: keyof StackPorts): Promise<number[]> => {
    const first = options.ports?.[name];
    return Promise.all(Array.from({ length: portCounts[name] }, (_, n) => (first ? first + n : freePort())));
  };
  const controllerPorts = await portsOf('kafkaController');
  const brokers = (await portsOf('kafka')).map((port, n) => ({ port, controllerPort: controllerPorts[n] as number }));
  return {
    mongodb: nativeMongodb({ ...native, ports: await portsOf('mongodb') }),
    kafka: nativeKafka({ ...native, ports: brokers, listeners }),
    redis: redisOf(redisForm, native, (await portsOf('redis')) as SixPorts),
  };
}

type SixPorts = [number, number, number, number, number, number];

function redisOf(form: RedisForm, native: ReturnType<typeof nativeOptions>, [a, b, c, d, e, f]: SixPorts) {
  if (form === 'sentinel') return nativeRedisSentinel({ ...native, ports: { redis: [a, b], sentinel: [d, e, f] } });
  const pairs = [
    [a, d],
    [b, e],
    [c, f],
  ] as const;
  return nativeRedisCluster({ ...native, ports: pairs.map(([redis, bus]) => ({ redis, bus })) });
}
