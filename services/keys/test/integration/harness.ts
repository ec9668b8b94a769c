import type { Clock } from '@shopscope/clock';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { apiKeyDigest } from '@shopscope/ids';
import type { RunningService } from '@shopscope/lifecycle';
import { type TestNamespace, testNamespace } from '@shopscope/local-stack/testing';
import { KeysServiceService } from '@shopscope/proto';
import { type Db, MongoClient } from 'mongodb';
import { loadConfig, startKeys } from '../../src/index.ts';

export type KeysClient = GrpcClient<typeof KeysServiceService>;

/** Instances of keys on one database, each with its own peppers. */
export interface KeysHarness {
  namespace: TestNamespace;
  db: Db;
  start(env?: Record<string, string>): Promise<RunningService & { client: KeysClient }>;
  stop(): Promise<void>;
}

export const actor = 'operator:test';
export const digestOf = (secret: string) => ({ keyDigest: apiKeyDigest(secret), origin: undefined });

export async function createHarness(label: string, clock: Clock): Promise<KeysHarness> {
  const namespace = testNamespace(label);
  const database = namespace.databaseName('keys');
  const mongo = await MongoClient.connect(namespace.mongoUrl);
  const running = new Map<RunningService, KeysClient>();
  const env = {
    HOST: '127.0.0.1',
    GRPC_PORT: '0',
    ADMIN_PORT: '0',
    SHOPSCOPE_ENV: 'test',
    LOG_LEVEL: 'silent',
    MONGODB_URL: namespace.mongoUrl,
    MONGODB_DATABASE: database,
    KAFKA_BROKERS: namespace.brokers.join(','),
    KAFKA_TOPIC_PREFIX: namespace.topicPrefix,
  };
  const stopOne = async (service: RunningService) => {
    running.get(service)?.close();
    running.delete(service);
    await service.stop();
  };
  return {
    namespace,
    db: mongo.db(database),
    async start(own = { KEY_PEPPER: 'a-pepper-of-thirty-two-characters' }) {
      const service = await startKeys(loadConfig({ ...env, ...own }), { clock });
      const client = createGrpcClient({ definition: KeysServiceService, address: service.grpcAddress as string });
      running.set(service, client);
      return { ...service, client, stop: () => stopOne(service) };
    },
    async stop() {
      for (const service of [...running.keys()]) await stopOne(service);
      await mongo.close();
      await namespace.cleanup();
    },
  };
}
