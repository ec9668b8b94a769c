import { nativeKafka } from './kafka.ts';
import { nativeMongodb } from './mongodb.ts';
import { nativeRedisCluster } from './redis-cluster.ts';
import { nativeRedisSentinel } from './redis-sentinel.ts';
import { portsOf } from './server-ports.ts';
import { requireNative } from './sources.ts';
import { nativeOptions, type RedisForm, type Servers, type StackOptions } from './stack-options.ts';

/**
 * Servers of several nodes, always native: a replica set of three, three brokers that are controllers too, and Redis either as a primary
 * and a replica with three Sentinels or as a cluster of three.
 */
export async function severalNodes(options: StackOptions): Promise<Servers> {
  const { env = {}, redisForm = 'sentinel', kafkaListeners: listeners = [] } = options;
  await requireNative(env, ['SHOPSCOPE_MONGODB_URL', 'SHOPSCOPE_KAFKA_BROKERS', 'SHOPSCOPE_REDIS_URL']);
  const native = nativeOptions(options);
  const controllerPorts = await portsOf(options, 'kafkaController');
  const brokers = (await portsOf(options, 'kafka')).map((port, n) => ({
    port,
    controllerPort: controllerPorts[n] as number,
  }));
  return {
    mongodb: nativeMongodb({ ...native, ports: await portsOf(options, 'mongodb') }),
    kafka: nativeKafka({ ...native, ports: brokers, listeners }),
    redis: redisOf(redisForm, native, (await portsOf(options, 'redis')) as SixPorts),
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
