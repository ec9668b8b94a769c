/** MongoDB, Kafka, Redis and OpenSearch for development, tests and benchmarks: external, in Docker, or native. */
export { cachedPrograms, seriesOf, serverVersions } from './artifacts.ts';
export {
  type Child,
  type ChildOptions,
  compileCache,
  endLeftover,
  endLeftovers,
  killRecorded,
  startChild,
} from './child.ts';
export { keepDataInMemory, removeState } from './data-in-memory.ts';
export { removeDockerVolumes } from './docker.ts';
export { LocalStackError } from './error.ts';
export type { KafkaListener } from './kafka-properties.ts';
export { untilReady } from './native.ts';
export { startOpenSearch } from './opensearch-part.ts';
export type { StackNode, StackPart } from './part.ts';
export { freePort, isPortFree, requireFreePort } from './ports.ts';
export { nativeRedisCluster } from './redis-cluster.ts';
export { withRedis } from './redis-connection.ts';
export { nativeRedisSentinel } from './redis-sentinel.ts';
export { beginSlotMove, moveSlot, type SlotMove } from './redis-slot-move.ts';
export { type SecuredStackOptions, startSecuredStack } from './secured-stack.ts';
export type { Login } from './security.ts';
export { portCounts } from './server-ports.ts';
export { type Stack, startStack } from './stack.ts';
export { type RedisForm, redisForms, type StackOptions, type StackPorts } from './stack-options.ts';
export { startTemporaryCluster, startTemporaryRedis, startTemporarySentinel } from './temporary-redis.ts';
