import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { consumeEvents, createKafka, createProducer, type EventProducer } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { type TestNamespace, testNamespace } from '@shopscope/local-stack/testing';
import {
  type ObservationCompleted,
  observationCompleted,
  ProfilesServiceService,
  type ProfileUpdated,
  profileUpdated,
  topics,
} from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { type Db, MongoClient } from 'mongodb';
import { loadConfig, startProfiles } from '../../../src/index.ts';
import { waitUntil } from './wait-until.ts';

/** Profiles on the real MongoDB and Kafka, with a publisher of observations and an ear for profile updates. */
export interface Corpus {
  namespace: TestNamespace;
  db: Db;
  env: Record<string, string>;
  producer: EventProducer;
  /** Everything on profile-updates.v1 so far, in order of arrival. */
  updates: readonly ProfileUpdated[];
  start(over?: Record<string, string>): Promise<RunningService>;
  client(service: RunningService): GrpcClient<typeof ProfilesServiceService>;
  publish(...events: ObservationCompleted[]): Promise<void>;
  /** The update that tells of the event's scan. */
  updateOf(event: ObservationCompleted): Promise<ProfileUpdated>;
  /** Resolves when the service has taken in and published all there is. */
  settled(service: RunningService, timeoutMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export const siteUrl = 'https://site.example';
const meta = { requestId: 'req_test', traceparent: '' };

export async function createCorpus(label: string): Promise<Corpus> {
  const namespace = testNamespace(label);
  const database = namespace.databaseName('profiles');
  const mongo = await MongoClient.connect(namespace.mongoUrl);
  const kafka = createKafka({
    brokers: namespace.brokers,
    clientId: namespace.id,
    topicPrefix: namespace.topicPrefix,
    replicationFactor: 1,
    logger: createLogger({ service: 'test', instance: namespace.id, level: 'silent' }),
    registry: createRegistry({ service: 'test' }),
  });
  await kafka.ensureTopics(
    topics.filter(({ topic }) => [observationCompleted, profileUpdated].some((t) => t.topic === topic)),
  );
  const producer = createProducer(kafka);
  const updates: ProfileUpdated[] = [];
  const listener = await consumeEvents(kafka, {
    groupId: 'listener',
    producer,
    onFatal() {},
    subscriptions: [
      {
        type: profileUpdated,
        async handle(received) {
          updates.push(...received.map(({ event }) => event));
        },
      },
    ],
  });
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
    PUBLIC_SITE_URL: `${siteUrl}/`,
  };
  const closers: (() => unknown)[] = [];

  return {
    namespace,
    db: mongo.db(database),
    env,
    producer,
    updates,
    async start(over = {}) {
      const service = await startProfiles(loadConfig({ ...env, ...over }));
      closers.push(service.stop);
      return service;
    },
    client(service) {
      const made = createGrpcClient({ definition: ProfilesServiceService, address: service.grpcAddress as string });
      closers.push(made.close);
      return made;
    },
    publish: (...events) => producer.publishMany(observationCompleted, events, meta, { timeoutMs: 10_000 }),
    updateOf: (event) =>
      waitUntil(`the update of ${event.scanId}`, () => updates.find(({ scanId }) => scanId === event.scanId)),
    async settled(service, timeoutMs) {
      const idle = async () => ((await service.pending()) + (await listener.lag()) === 0 ? true : undefined);
      await waitUntil('nothing on its way', idle, timeoutMs);
    },
    async stop() {
      for (const close of closers.reverse()) await close();
      await listener.stop();
      await producer.close();
      await kafka.close();
      await mongo.close();
      await namespace.cleanup();
    },
  };
}
