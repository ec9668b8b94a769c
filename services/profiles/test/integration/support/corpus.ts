import { type Clock, systemClock } from '@shopscope/clock';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { createPermitSigner, developmentSigningKey } from '@shopscope/ids';
import { consumeEvents, createKafka, createProducer, encodeEvent, type Kafka, readDeadLetters } from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import {
  type ObservationCompleted,
  OptOutChange,
  observationCompleted,
  optOutChanged,
  ProfilesServiceService,
  type ProfileUpdated,
  permitHeader,
  profileUpdated,
  topicsOf,
} from '@shopscope/proto';
import {
  serviceEnvironment,
  startKafkaHarness,
  type TestNamespace,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { loadConfig, startProfiles } from '../../../src/index.ts';
import { eventTypes } from '../../../src/migration.ts';

/** The profiles service on the real MongoDB and Kafka, with a publisher of observations and a consumer of profile updates. */
export interface Corpus {
  namespace: TestNamespace;
  db: Db;
  /** All events of profile-updates.v1 so far, in order of arrival. */
  updates: readonly ProfileUpdated[];
  start(over?: Record<string, string>, clock?: Clock): Promise<RunningService>;
  client(service: RunningService): GrpcClient<typeof ProfilesServiceService>;
  /** Publishes each observation with a permit by the development key of scan-scheduler. */
  publish(...events: ObservationCompleted[]): Promise<void>;
  /** Publishes each observation with its permit, in one request. `key` replaces the domain as the key of the record. */
  publishPermitted(...permitted: { event: ObservationCompleted; permit: string; key?: string }[]): Promise<void>;
  /** Publishes a change of an opt-out, by default its addition. */
  optOut(subject: string, changedAtMs: number, change?: OptOutChange): Promise<void>;
  kafka: Kafka;
  /** Reasons of all dead letters of observations.v1, oldest first. */
  deadLetterReasons(): Promise<string[]>;
  /** The profile update of the event's scan. */
  updateOf(event: ObservationCompleted): Promise<ProfileUpdated>;
  /** Resolves when the service has consumed all observations and published all updates. */
  settled(service: RunningService, timeoutMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export const siteUrl = 'https://site.example';
const meta = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
const permitMs = 60_000;

export async function createCorpus(label: string): Promise<Corpus> {
  const namespace = testNamespace(label);
  const mongo = await MongoClient.connect(namespace.mongoUrl);
  const kafka = await startKafkaHarness(
    { createKafka, createProducer, consumeEvents },
    namespace,
    topicsOf(...eventTypes),
  );
  const updates = await kafka.collect(profileUpdated.live);
  const env = {
    ...serviceEnvironment(namespace, 'profiles'),
    PUBLIC_SITE_URL: `${siteUrl}/`,
  };
  const closers: (() => unknown)[] = [];
  const sign = createPermitSigner('scan-scheduler', developmentSigningKey('scan-scheduler'));
  const publishPermitted: Corpus['publishPermitted'] = (...permitted) =>
    kafka.producer.publishRaw(
      observationCompleted.topic,
      permitted.map(({ event, permit, key }) => {
        const record = encodeEvent(observationCompleted, event, meta, { [permitHeader]: permit });
        return { ...record, key: key ?? record.key };
      }),
      { timeoutMs: 10_000 },
    );

  return {
    namespace,
    db: mongo.db(namespace.databaseName('profiles')),
    updates: updates.events,
    async start(over = {}, clock = systemClock) {
      const service = await startProfiles(loadConfig({ ...env, ...over }), { clock });
      closers.push(service.stop);
      return service;
    },
    client(service) {
      const made = createGrpcClient({ definition: ProfilesServiceService, address: service.grpcAddress as string });
      closers.push(made.close);
      return made;
    },
    publish: (...events) =>
      publishPermitted(...events.map((event) => ({ event, permit: sign(event, Date.now() + permitMs) }))),
    publishPermitted,
    optOut: (subject, changedAtMs, change = OptOutChange.ADDED) =>
      kafka.producer.publish(optOutChanged, { subject, change, changedAtMs }, meta, { timeoutMs: 10_000 }),
    kafka: kafka.kafka,
    deadLetterReasons: async () =>
      (await readDeadLetters(kafka.kafka, { topic: observationCompleted.topic, maxEvents: 1_000 })).map(
        ({ reason }) => reason,
      ),
    updateOf: (event) =>
      waitUntil(`the update of ${event.scanId}`, () => updates.events.find(({ scanId }) => scanId === event.scanId)),
    async settled(service, timeoutMs = 20_000) {
      const idle = async () => (await service.pending()) + (await updates.lag()) === 0;
      await waitUntil('every observation to be merged and published', idle, { timeoutMs });
    },
    async stop() {
      for (const close of closers.reverse()) await close();
      await kafka.close();
      await mongo.close();
      await namespace.cleanup();
    },
  };
}
