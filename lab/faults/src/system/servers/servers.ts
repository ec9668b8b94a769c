import type { Stack } from '@shopscope/local-stack';
import { createKafkaCluster } from './kafka-cluster.ts';
import { createMongodbSet } from './mongodb-set.ts';
import { createOpenSearch } from './opensearch.ts';
import { createRedisCluster } from './redis-cluster.ts';
import { createRedisWithSentinel } from './redis-sentinel.ts';

export type Servers = ReturnType<typeof createServers>;

/** Returns what asks and commands the data servers directly. Only one of `sentinel` and `cluster` fits the stack. OpenSearch may be absent. */
export const createServers = ({
  mongodb,
  kafka,
  redis,
  opensearch,
}: Pick<Stack, 'mongodb' | 'kafka' | 'redis' | 'opensearch'>) => ({
  mongodb: createMongodbSet(mongodb.nodes),
  kafka: createKafkaCluster(kafka.nodes),
  sentinel: createRedisWithSentinel(redis.nodes),
  cluster: createRedisCluster(redis.nodes),
  redisNodes: redis.nodes,
  openSearch: createOpenSearch(opensearch?.url ?? ''),
});
