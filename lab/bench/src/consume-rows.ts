import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka, type Kafka } from '@shopscope/kafka';
import { topics, usageRecorded } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { type Document, MongoClient } from 'mongodb';
import { cpuTimes, cpuUsPer } from './cpu.ts';
import { createMeasuredPart } from './measured-part.ts';
import { startReference } from './reference.ts';
import { startMetering } from './service-processes.ts';
import type { Bench, RunningSystem } from './system.ts';
import type { Comparison, Row } from './turns.ts';
import { publishEvents, reserveCharges } from './usage-events.ts';

/** The rate at which waiting usage events were recorded. */
export interface ConsumeResult {
  eventsPerSecond: number;
  /** The CPU time per event of each process, in µs. */
  cpuUs: Record<string, number>;
}

export interface Consumer {
  name: string;
  goal?: number;
  start(): Promise<{ pid: number; stop(): Promise<void> }>;
  /** Resolves to the number of recorded events. */
  recorded(): Promise<number>;
}

const recordTimeoutMs = 120_000;
const pollMs = 10;
const ledgerDatabase = 'bench_metering';
/** The references write one `$inc` per event, or one per counter and batch. `goal` is the smallest ratio that Shopscope should reach. */
const references = {
  each: { name: 'one $inc per event', goal: 2 },
  folded: { name: 'one $inc per counter and batch', goal: 0.4 },
} as const;
type ReferenceMode = keyof typeof references;

export interface ConsumeRows {
  /** Each number of workspaces gives a comparison. */
  workspaces: readonly number[];
  references: readonly ReferenceMode[];
}

export const consumeRows: ConsumeRows = { workspaces: [1, 200], references: ['each', 'folded'] };
/** Recording each event exactly once must stay faster than the simplest way to count. */
export const growthEventRows: ConsumeRows = { workspaces: [1], references: ['each'] };

/** Measures how fast events of usage.v1 reach the ledger, beside consumers of the same broker and database that count without a ledger. */
export async function measureConsume(bench: Bench, wanted: ConsumeRows): Promise<Comparison<ConsumeResult>[]> {
  const { consumeRounds } = bench.settings;
  const mongo = await new MongoClient(bench.system.mongoUrl).connect();
  const comparisons: Comparison<ConsumeResult>[] = [];
  try {
    for (const workspaces of wanted.workspaces) {
      const what = `events of ${workspaces === 1 ? 'one workspace' : `${workspaces} workspaces`}`;
      const rows: Row<ConsumeResult>[] = [];
      for (let round = 1; round <= consumeRounds; round++) {
        bench.say(`${what}, round ${round} of ${consumeRounds} …`);
        await measureRound(bench, { mongo, what, workspaces, modes: wanted.references, rows });
      }
      comparisons.push(rows);
    }
  } finally {
    await mongo.close();
  }
  return comparisons;
}

interface Round {
  mongo: MongoClient;
  what: string;
  workspaces: number;
  modes: readonly ReferenceMode[];
  rows: Row<ConsumeResult>[];
}

/** Measures one round. The consumers read the same events one after the other. */
async function measureRound(bench: Bench, { mongo, what, workspaces, modes, rows }: Round): Promise<void> {
  const { brokers, mongoUrl } = bench.system;
  const ledger = { database: ledgerDatabase, workspaces };
  try {
    await withWaitingEvents(bench, ledger, async ({ start, topicPrefix }) => {
      const reference = (mode: ReferenceMode): Consumer => {
        const database = referenceDatabase(mode);
        const args = [brokers.join(','), topicPrefix + usageRecorded.live.topic, mongoUrl, database, mode];
        return {
          ...references[mode],
          start: () => startReference('increments', ...args),
          recorded: () => sumOf(mongo, database, 'counters', '$used'),
        };
      };
      const ours = { name: 'Shopscope', start, recorded: () => ledgerUsage(mongo, ledgerDatabase) };
      const consumers: Consumer[] = [...modes.map(reference), ours];
      for (const [n, consumer] of consumers.entries()) {
        const { name, goal } = consumer;
        rows[n] ??= { name: `${what}, ${name}`, results: [], ...(goal !== undefined && { goal }) };
        rows[n].results.push(await measureConsumer(consumer, bench));
      }
    });
  } finally {
    for (const database of [ledgerDatabase, ...modes.map(referenceDatabase)]) await mongo.db(database).dropDatabase();
  }
}

/** Reserves charges and publishes their events while no consumer runs. Then `work` calls `start`, which starts a metering that reads them. */
export async function withWaitingEvents<Result>(
  bench: Bench,
  { database, workspaces }: { database: string; workspaces: number },
  work: (waiting: { start(): ReturnType<typeof startMetering>; topicPrefix: string }) => Promise<Result>,
): Promise<Result> {
  const topicPrefix = newTopicPrefix();
  const kafka = kafkaOf(bench.system, topicPrefix);
  const start = () => startMetering(bench, { database, topicPrefix });
  try {
    const reserving = await start();
    const reserved = reserveCharges(reserving.address, bench.settings.events, workspaces);
    await publishEvents(kafka, await reserved.finally(reserving.stop));
    return await work({ start, topicPrefix });
  } finally {
    await deleteTopics(kafka);
  }
}

const referenceDatabase = (mode: ReferenceMode) => `bench_${mode}`;

/**
 * Starts a consumer and measures its rate in the part that {@link createMeasuredPart} defines. Then it waits for all events, and ends the
 * consumer. Rejects unless the consumer has recorded each event exactly once.
 */
export async function measureConsumer(
  consumer: Consumer,
  { settings: { events }, system }: Bench,
): Promise<ConsumeResult> {
  const { pid, stop } = await consumer.start();
  const { mongod = 0, kafka = 0 } = system.pids;
  const sample = () => ({ atMs: performance.now(), cpu: cpuTimes({ consumer: pid, mongod, kafka }) });
  const part = createMeasuredPart<ReturnType<typeof sample>>(events);
  try {
    const endMs = performance.now() + recordTimeoutMs;
    for (let recorded = 0; recorded < events; await sleep(pollMs)) {
      recorded = await consumer.recorded();
      part.observe(recorded, sample);
      if (performance.now() > endMs)
        throw new Error(`${consumer.name}: ${recorded} of ${events} events after two minutes`);
    }
  } finally {
    await stop();
  }
  const recorded = await consumer.recorded();
  if (recorded !== events) throw new Error(`${consumer.name}: ${recorded} of ${events} events were recorded`);
  const { events: measured, ms, from, to } = part.result();
  return { eventsPerSecond: (measured * 1_000) / ms, cpuUs: cpuUsPer(measured, from.cpu, to.cpu) };
}

/** Returns the units in the usage counters of all workspaces of a metering database. */
export const ledgerUsage = (mongo: MongoClient, database: string): Promise<number> =>
  sumOf(mongo, database, 'usage_counters', '$used.lookupCached', { keyId: '' });

async function sumOf(mongo: MongoClient, database: string, name: string, field: string, match: Document = {}) {
  const total = { $group: { _id: null, total: { $sum: field } } };
  const [found] = await mongo
    .db(database)
    .collection(name)
    .aggregate([{ $match: match }, total])
    .toArray();
  return Number(found?.total ?? 0);
}

export const newTopicPrefix = (): string => `bench-${Date.now()}.`;

export function kafkaOf({ brokers }: RunningSystem, topicPrefix: string): Kafka {
  const logger = createLogger({ service: 'bench', instance: 'bench', level: 'silent' });
  const registry = createRegistry({ service: 'bench' });
  return createKafka({ brokers, clientId: 'bench', topicPrefix, replicationFactor: 1, logger, registry });
}

/** Deletes the topics of the prefix, and closes the client. */
export async function deleteTopics(kafka: Kafka): Promise<void> {
  const admin = kafka.client.admin();
  await admin.connect();
  const names = topics.map(({ topic }) => kafka.topicName(topic));
  const there = (await admin.listTopics()).filter((name) => names.some((own) => name === own || name === `${own}.dlq`));
  await admin.deleteTopics({ topics: there });
  await admin.disconnect();
  await kafka.close();
}
