import { createKafka, type Kafka } from '@shopscope/kafka';
import { topics, usageRecorded } from '@shopscope/proto';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { type Document, MongoClient } from 'mongodb';
import { cpuTimes, cpuUsPer } from './cpu.ts';
import type { Comparison, Row } from './http-rows.ts';
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

interface Consumer {
  name: string;
  goal?: number;
  start(): Promise<{ pid: number; stop(): Promise<void> }>;
  /** Number of recorded events. */
  recorded(): Promise<number>;
}

const recordTimeoutMs = 120_000;
const pollMs = 10;
const ledgerDatabase = 'bench_metering';
const manyWorkspaces = 200;

/** Measures usage.v1 to the ledger, next to consumers on the same broker and database that count without a ledger. */
export async function measureConsume(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  say: (line: string) => void,
): Promise<Comparison<ConsumeResult>[]> {
  const mongo = await new MongoClient(system.mongoUrl).connect();
  const comparisons: Comparison<ConsumeResult>[] = [];
  try {
    for (const workspaces of [1, manyWorkspaces]) {
      const what = `events of ${workspaces === 1 ? 'one workspace' : `${workspaces} workspaces`}`;
      const rows: Row<ConsumeResult>[] = [];
      for (let round = 1; round <= settings.consumeRounds; round++) {
        say(`${what}, round ${round} of ${settings.consumeRounds} …`);
        await measureRound({ root, settings, system, mongo, what, workspaces, rows });
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
  rows: Row<ConsumeResult>[];
}

/** Reserves charges and publishes their events while no consumer runs. Then each consumer reads them in turn. */
async function measureRound({ root, settings, system, mongo, what, workspaces, rows }: Round): Promise<void> {
  const own = { database: ledgerDatabase, topicPrefix: `bench-${Date.now()}.` };
  const kafka = kafkaOf(system, own.topicPrefix);
  const start = () => startMetering(root, settings, system, own);
  const reference = (mode: 'each' | 'folded', name: string, goal: number): Consumer => {
    const database = `bench_${mode}`;
    const args = [system.brokers.join(','), own.topicPrefix + usageRecorded.topic, system.mongoUrl, database, mode];
    return {
      name,
      goal,
      start: () => startReference('increments', ...args),
      recorded: () => sumOf(mongo, database, 'counters', '$used'),
    };
  };
  const consumers: Consumer[] = [
    reference('each', 'one $inc per event', 2),
    reference('folded', 'one $inc per counter and batch', 0.4),
    {
      name: 'Shopscope',
      start,
      recorded: () => sumOf(mongo, own.database, 'usage_counters', '$used.lookupCached', { keyId: '' }),
    },
  ];
  try {
    const reserving = await start();
    const events = await reserveCharges(reserving.address, settings.events, workspaces).finally(reserving.stop);
    await publishEvents(kafka, events);
    for (const [n, consumer] of consumers.entries()) {
      rows[n] ??= { name: `${what}, ${consumer.name}`, results: [], ...(consumer.goal ? { goal: consumer.goal } : {}) };
      rows[n].results.push(await measure(consumer, settings.events, system));
    }
  } finally {
    for (const database of [own.database, 'bench_each', 'bench_folded']) await mongo.db(database).dropDatabase();
    await deleteTopics(kafka);
    await kafka.close();
  }
}

/** The time from the first to the last recorded batch. It excludes the start and the join of the consumer group. */
async function measure(consumer: Consumer, events: number, { pids }: RunningSystem): Promise<ConsumeResult> {
  const { pid, stop } = await consumer.start();
  const { mongod = 0, kafka = 0 } = pids;
  const counted = { consumer: pid, mongod, kafka };
  const endMs = performance.now() + recordTimeoutMs;
  let first: { atMs: number; recorded: number; cpu: Record<string, number> } | undefined;
  try {
    for (;;) {
      const recorded = await consumer.recorded();
      const atMs = performance.now();
      if (recorded > events) throw new Error(`${consumer.name}: ${recorded} of ${events} events were recorded`);
      if (first && recorded === events) {
        const rest = events - first.recorded;
        const eventsPerSecond = (rest * 1_000) / (atMs - first.atMs);
        return { eventsPerSecond, cpuUs: cpuUsPer(rest, first.cpu, cpuTimes(counted)) };
      }
      if (recorded > 0) first ??= { atMs, recorded, cpu: cpuTimes(counted) };
      if (atMs > endMs) throw new Error(`${consumer.name}: ${recorded} of ${events} events after two minutes`);
      await new Promise((done) => setTimeout(done, pollMs));
    }
  } finally {
    await stop();
  }
}

async function sumOf(mongo: MongoClient, database: string, name: string, field: string, match: Document = {}) {
  const total = { $group: { _id: null, total: { $sum: field } } };
  const [found] = await mongo
    .db(database)
    .collection(name)
    .aggregate([{ $match: match }, total])
    .toArray();
  return Number(found?.total ?? 0);
}

function kafkaOf({ brokers }: RunningSystem, topicPrefix: string): Kafka {
  const logger = createLogger({ service: 'bench', instance: 'bench', level: 'silent' });
  const registry = createRegistry({ service: 'bench' });
  return createKafka({ brokers, clientId: 'bench', topicPrefix, replicationFactor: 1, logger, registry });
}

async function deleteTopics(kafka: Kafka): Promise<void> {
  const admin = kafka.client.admin();
  await admin.connect();
  const names = topics.map(({ topic }) => kafka.topicName(topic));
  const there = (await admin.listTopics()).filter((name) => names.some((own) => name === own || name === `${own}.dlq`));
  await admin.deleteTopics({ topics: there });
  await admin.disconnect();
}
