import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka, type Kafka } from '@shopscope/kafka';
import { topics, usageRecorded } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { type Document, MongoClient } from 'mongodb';
import { cpuTimes, cpuUsPer } from './cpu.ts';
import type { Comparison, Row } from './http-rows.ts';
import { createMeasuredPart } from './measured-part.ts';
import { startMetering } from './metering-process.ts';
import { startReference } from './reference.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';
import { publishEvents, reserveCharges } from './usage-events.ts';

/** The rate at which waiting usage events were recorded. */
export interface ConsumeResult {
  eventsPerSecond: number;
  /** CPU µs per event, by process. */
  cpuUs: Record<string, number>;
}

export interface Consumer {
  name: string;
  goal?: number;
  start(): Promise<{ pid: number; stop(): Promise<void> }>;
  /** Number of recorded events. */
  recorded(): Promise<number>;
}

const recordTimeoutMs = 120_000;
const pollMs = 10;
const ledgerDatabase = 'bench_metering';
/** References: one `$inc` per event; one per counter and batch. With Shopscope's goal beside each. */
const references = {
  each: { name: 'one $inc per event', goal: 2 },
  folded: { name: 'one $inc per counter and batch', goal: 0.4 },
} as const;
type ReferenceMode = keyof typeof references;

export interface ConsumeRows {
  /** Each number of workspaces is a comparison. */
  workspaces: readonly number[];
  references: readonly ReferenceMode[];
}

export const consumeRows: ConsumeRows = { workspaces: [1, 200], references: ['each', 'folded'] };
/** Exactly once must stay faster than the simplest way to count. */
export const growthEventRows: ConsumeRows = { workspaces: [1], references: ['each'] };

/** Measures usage.v1 to the ledger, next to consumers on the same broker and database that count without a ledger. */
export async function measureConsume(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  wanted: ConsumeRows,
  say: (line: string) => void,
): Promise<Comparison<ConsumeResult>[]> {
  const mongo = await new MongoClient(system.mongoUrl).connect();
  const comparisons: Comparison<ConsumeResult>[] = [];
  try {
    for (const workspaces of wanted.workspaces) {
      const what = `events of ${workspaces === 1 ? 'one workspace' : `${workspaces} workspaces`}`;
      const rows: Row<ConsumeResult>[] = [];
      for (let round = 1; round <= settings.consumeRounds; round++) {
        say(`${what}, round ${round} of ${settings.consumeRounds} …`);
        await measureRound({ root, settings, system, mongo, what, workspaces, modes: wanted.references, rows });
      }
      comparisons.push(rows);
    }
  } finally {
    await mongo.close();
  }
  return comparisons;
}

interface Round {
  root: string;
  settings: BenchSettings;
  system: RunningSystem;
  mongo: MongoClient;
  what: string;
  workspaces: number;
  modes: readonly ReferenceMode[];
  rows: Row<ConsumeResult>[];
}

/** Reserves charges and publishes their events while no consumer runs. Then each consumer reads them in turn. */
async function measureRound({ root, settings, system, mongo, what, workspaces, modes, rows }: Round): Promise<void> {
  const own = { database: ledgerDatabase, topicPrefix: `bench-${Date.now()}.` };
  const kafka = kafkaOf(system, own.topicPrefix);
  const start = () => startMetering(root, settings, system, own);
  const reference = (mode: ReferenceMode): Consumer => {
    const database = referenceDatabase(mode);
    const args = [system.brokers.join(','), own.topicPrefix + usageRecorded.topic, system.mongoUrl, database, mode];
    return {
      ...references[mode],
      start: () => startReference('increments', ...args),
      recorded: () => sumOf(mongo, database, 'counters', '$used'),
    };
  };
  const consumers: Consumer[] = [
    ...modes.map(reference),
    { name: 'Shopscope', start, recorded: () => ledgerUsage(mongo, own.database) },
  ];
  try {
    const reserving = await start();
    const events = await reserveCharges(reserving.address, settings.events, workspaces).finally(reserving.stop);
    await publishEvents(kafka, events);
    for (const [n, consumer] of consumers.entries()) {
      rows[n] ??= { name: `${what}, ${consumer.name}`, results: [], ...(consumer.goal ? { goal: consumer.goal } : {}) };
      rows[n].results.push(await measureConsumer(consumer, settings.events, system));
    }
  } finally {
    for (const database of [own.database, ...modes.map(referenceDatabase)]) await mongo.db(database).dropDatabase();
    await deleteTopics(kafka);
    await kafka.close();
  }
}

const referenceDatabase = (mode: ReferenceMode) => `bench_${mode}`;

/**
 * Starts a consumer and measures the part of {@link createMeasuredPart}. Then it waits for all events, and ends the consumer.
 * Rejects when the consumer has recorded other than all events, each once.
 */
export async function measureConsumer(
  consumer: Consumer,
  events: number,
  { pids }: RunningSystem,
): Promise<ConsumeResult> {
  const { pid, stop } = await consumer.start();
  const { mongod = 0, kafka = 0 } = pids;
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

/** Units in the usage counters of all workspaces of a metering database. */
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

export function kafkaOf({ brokers }: RunningSystem, topicPrefix: string): Kafka {
  const logger = createLogger({ service: 'bench', instance: 'bench', level: 'silent' });
  const registry = createRegistry({ service: 'bench' });
  return createKafka({ brokers, clientId: 'bench', topicPrefix, replicationFactor: 1, logger, registry });
}

export async function deleteTopics(kafka: Kafka): Promise<void> {
  const admin = kafka.client.admin();
  await admin.connect();
  const names = topics.map(({ topic }) => kafka.topicName(topic));
  const there = (await admin.listTopics()).filter((name) => names.some((own) => name === own || name === `${own}.dlq`));
  await admin.deleteTopics({ topics: there });
  await admin.disconnect();
}
