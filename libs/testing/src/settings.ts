import type { TestNamespace } from './namespace.ts';
import { silentTelemetry } from './telemetry.ts';

/**
 * The options that keep the libraries' connections and the services inside a namespace. This package does not import the libraries, because
 * their own tests use it: `connectMongo(mongoOptions(namespace, 'keys'))`.
 */

/** The options of `connectMongo`. `namespace.cleanup()` drops the database. */
export const mongoOptions = (namespace: TestNamespace, service: string) => ({
  url: namespace.mongoUrl,
  database: namespace.databaseName(service),
  appName: 'test',
  poolSize: 20,
  ...silentTelemetry(),
});

/** The options of `createKafka`. */
export const kafkaOptions = (namespace: TestNamespace) => ({
  brokers: namespace.brokers,
  clientId: 'test',
  topicPrefix: namespace.topicPrefix,
  replicationFactor: namespace.brokers.length,
  ...silentTelemetry(),
});

/** The options of `createRedis`. */
export const redisOptions = (namespace: TestNamespace) => ({
  url: namespace.redisUrl,
  keyPrefix: namespace.redisKeyPrefix,
  ...silentTelemetry(),
});

/** The options of `connectOpenSearch`. */
export const openSearchOptions = async (namespace: TestNamespace) => ({
  nodes: nodesOf(await namespace.openSearchUrl()),
  indexPrefix: namespace.indexPrefix,
  // On a machine on which others work, a new index takes longer than the time limit of services.
  requestTimeoutMs: 60_000,
  ...silentTelemetry(),
});

/** http://a:1,b:2 → http://a:1 and http://b:2 */
const nodesOf = (url: string) =>
  url
    .replace('http://', '')
    .split(',')
    .map((address) => `http://${address}`);

/** Further variables of a service that uses OpenSearch. */
export const openSearchEnvironment = async (namespace: TestNamespace): Promise<Record<string, string>> => ({
  OPENSEARCH_URL: await namespace.openSearchUrl(),
  OPENSEARCH_INDEX_PREFIX: namespace.indexPrefix,
});

/** The environment variables that every service reads: free ports, no log, and the data of the namespace. */
export const serviceEnvironment = (namespace: TestNamespace, service: string): Record<string, string> => ({
  HOST: '127.0.0.1',
  HTTP_PORT: '0',
  INTERNAL_PORT: '0',
  GRPC_PORT: '0',
  ADMIN_PORT: '0',
  SHOPSCOPE_ENV: 'test',
  LOG_LEVEL: 'silent',
  INSTANCE_ID: `${service}-${namespace.id}`,
  MONGODB_URL: namespace.mongoUrl,
  MONGODB_DATABASE: namespace.databaseName(service.replaceAll('-', '_')),
  KAFKA_BROKERS: namespace.brokers.join(','),
  KAFKA_REPLICATION_FACTOR: String(namespace.brokers.length),
  KAFKA_TOPIC_PREFIX: namespace.topicPrefix,
  // A test waits for each event. An idle consumer that gathers events also fetches more often than one that does not.
  KAFKA_MAX_GATHER_MS: '0',
  REDIS_URL: namespace.redisUrl,
  REDIS_KEY_PREFIX: namespace.redisKeyPrefix,
});
