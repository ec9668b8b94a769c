import { type Clock, ManualClock, periodAt } from '@shopscope/clock';
import type { Environment } from '@shopscope/environment';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import {
  createKafka,
  createProducer,
  deadLetterSuffix,
  type EventProducer,
  type Kafka,
  type TopicProgress,
  topicProgress,
} from '@shopscope/kafka';
import type { RunningService } from '@shopscope/lifecycle';
import { connectMongo, ensureCollections } from '@shopscope/mongo';
import { createOutbox } from '@shopscope/outbox';
import {
  MeteringServiceService,
  type ReserveItem,
  type ReserveResult,
  topicsOf,
  type Units,
  UsageKind,
  type UsageRecorded,
  unitsOf,
  usageRecorded,
} from '@shopscope/proto';
import { Registry } from '@shopscope/telemetry';
import {
  kafkaOptions,
  mongoOptions,
  serviceEnvironment,
  silentTelemetry,
  type TestNamespace,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import type { Db } from 'mongodb';
import { createDependencies } from '../../src/create-dependencies.ts';
import { usageGroup } from '../../src/inbound/kafka/usage-recorded.ts';
import { loadConfig, startMetering } from '../../src/index.ts';
import { createMetrics } from '../../src/metrics.ts';
import type { LiveDependencies, TestDependencies } from '../../src/operations/dependencies.ts';
import { collections } from '../../src/outbound/mongo/collections.ts';

export type MeteringClient = GrpcClient<typeof MeteringServiceService>;

/** A fixed instant in the far future, so that TTL indexes of MongoDB never delete documents of a test. */
export const noon = Date.UTC(2031, 4, 15, 12);

export const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
export const testOrigin = { ...origin, environment: 'test' as const };
export const newWorkspace = () => newId('ws');
export const newCharge = () => newId('chg');

export function itemOf(
  workspaceId: string,
  over: Partial<Omit<ReserveItem, 'units' | 'included'>> & { units?: Partial<Units>; included?: Partial<Units> } = {},
): ReserveItem {
  return {
    chargeId: newCharge(),
    workspaceId,
    keyId: 'key_a',
    fingerprint: Buffer.alloc(0),
    executionId: '',
    requestId: '',
    ...over,
    units: unitsOf(over.units ?? { lookupCached: 1 }),
    included: unitsOf(over.included ?? { lookupCached: 1_000_000, lookupLive: 1_000_000 }),
  };
}

export function eventOf(
  item: ReserveItem,
  result: Pick<ReserveResult, 'attempt' | 'periodStartMs'>,
  kind: UsageKind = UsageKind.CHARGE,
): UsageRecorded {
  return {
    kind,
    chargeId: item.chargeId,
    attempt: result.attempt,
    workspaceId: item.workspaceId,
    keyId: item.keyId,
    units: item.units,
    periodStartMs: result.periodStartMs,
    occurredAtMs: noon,
    operation: 'getStore',
  };
}

/** The progress of a topic whose events are all read. */
export const allRead = { ends: async () => new Map([[0, 0n]]), consumed: async () => new Map() };

export const currentPeriodMs = (clock: Clock) => periodAt(clock.now()).startMs;

export interface Metering {
  namespace: TestNamespace;
  clock: ManualClock;
  services: RunningService[];
  clients: MeteringClient[];
  db: Db;
  /** Dependencies for direct calls of the operations, with the same database and clock. */
  deps: LiveDependencies;
  /** The same for the test environment. */
  test: TestDependencies;
  positions: TopicProgress;
  registry: Registry;
  kafka: Kafka;
  producer: EventProducer;
  /** Environment variables of the services for this Kafka. */
  kafkaEnv: Record<string, string>;
  /** Starts one more instance, with the common clock or its own. */
  startInstance(own?: { clock: Clock }): Promise<MeteringClient>;
  /** Publishes events as a gateway does. */
  publish(events: readonly UsageRecorded[], environment?: Environment): Promise<void>;
  deadLetters(environment?: Environment): Promise<number>;
  /** Resolves when all published events have been consumed. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Metering with real servers: several instances share database, topics and one manual clock. */
export async function startMeterings(
  label: string,
  options: { instances?: number; env?: Record<string, string> } = {},
): Promise<Metering> {
  const namespace = testNamespace(label);
  const clock = new ManualClock(noon);
  const services: RunningService[] = [];
  const clients: MeteringClient[] = [];
  const { logger, registry } = silentTelemetry();
  const kafkaEnv = { KAFKA_BROKERS: namespace.brokers.join(','), KAFKA_TOPIC_PREFIX: namespace.topicPrefix };
  const startInstance = async (own: { clock: Clock } = { clock }) => {
    const config = loadConfig({
      ...serviceEnvironment(namespace, 'metering'),
      INSTANCE_ID: `metering-${services.length}-${namespace.id}`,
      ...options.env,
    });
    const service = await startMetering(config, own);
    services.push(service);
    const client = createGrpcClient({ definition: MeteringServiceService, address: service.grpcAddress as string });
    clients.push(client);
    return client;
  };
  for (let n = 0; n < (options.instances ?? 1); n++) await startInstance();
  const mongo = await connectMongo({ ...mongoOptions(namespace, 'metering'), commandMetrics: true, registry });
  await ensureCollections(mongo.db, collections);
  const kafka = createKafka({ ...kafkaOptions(namespace), registry });
  await kafka.ensureTopics(topicsOf(usageRecorded.live, usageRecorded.test));
  const producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  const positions = {
    live: topicProgress(kafka, usageGroup, usageRecorded.live.topic),
    test: topicProgress(kafka, usageGroup, usageRecorded.test.topic),
  };
  const { live, test } = createDependencies({
    mongo,
    outbox: createOutbox(mongo.db),
    clock,
    logger,
    metrics: { live: createMetrics(registry), test: createMetrics(new Registry()) },
    reservationTtlMs: 60_000,
    positions,
  });
  return {
    namespace,
    clock,
    services,
    clients,
    db: mongo.db,
    deps: live,
    test,
    positions: positions.live,
    registry,
    kafka,
    producer,
    kafkaEnv,
    startInstance,
    publish: (events, environment = 'live') =>
      producer.publishMany(usageRecorded[environment], events, { ...origin, environment }, { timeoutMs: 10_000 }),
    async deadLetters(environment = 'live') {
      const ends = await kafka.endOffsets(usageRecorded[environment].topic + deadLetterSuffix);
      return [...ends.values()].reduce((sum, end) => sum + Number(end), 0);
    },
    async settle() {
      const [first] = services as [RunningService];
      await waitUntil('all usage to be consumed', async () => (await first.pending()) === 0, { timeoutMs: 30_000 });
    },
    async stop() {
      for (const client of clients) client.close();
      for (const service of services) await service.stop();
      await producer.close();
      await kafka.close();
      await mongo.close();
      await namespace.cleanup();
    },
  };
}

/** Runs the work and resolves to the number of commands that it sent to the database, by name and outcome. */
export async function commandsDuring(
  { registry }: Pick<Metering, 'registry'>,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const labelled = (labels: string, name: string) => new RegExp(`${name}="(\\w+)"`).exec(labels)?.[1];
  const sent = async () => {
    const text = await registry.metrics();
    const counts = text.matchAll(/^mongodb_command_duration_seconds_count\{(.*)\} (\d+)$/gm);
    return [...counts].map(
      ([, labels = '', count]) =>
        [`${labelled(labels, 'command')} ${labelled(labels, 'outcome')}`, Number(count)] as const,
    );
  };
  const before = new Map(await sent());
  await work();
  const more = (await sent()).map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(more.filter(([, count]) => count > 0));
}
