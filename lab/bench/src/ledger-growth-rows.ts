import { MongoClient } from 'mongodb';
import { type ConsumeResult, deleteTopics, kafkaOf, ledgerUsage, measureConsumer } from './consume-rows.ts';
import type { Comparison } from './http-rows.ts';
import { startMetering } from './metering-process.ts';
import { insertPastEntries, monthStartMs, type PastEntry } from './past-entries.ts';
import type { BenchSettings } from './settings.ts';
import type { RunningSystem } from './system.ts';
import { takeTurns } from './turns.ts';
import { publishEvents, reserveCharges, workspaceIdOf } from './usage-events.ts';

/** Least rate with a long ledger divided by the rate with a short one. */
const ledgerGoal = 0.7;
const workspaces = 200;

/**
 * Measures usage.v1 to the ledger in two databases of the bench: one ledger has few past entries, one has many. The databases
 * stay for the next run.
 */
export async function measureLedgerGrowth(
  root: string,
  settings: BenchSettings,
  system: RunningSystem,
  say: (line: string) => void,
): Promise<Comparison<ConsumeResult>[]> {
  const { fewEntries, manyEntries, consumeRounds } = settings;
  const mongo = await new MongoClient(system.mongoUrl).connect();
  try {
    const contender = (database: string, entries: number) => ({
      ...{ name: `events of ${workspaces} workspaces, ${entries} past entries`, database, entries },
      measure: () => measureRound({ root, settings, system, mongo, database }),
    });
    const few = { ...contender('bench_ledger_few', fewEntries), goal: ledgerGoal };
    const many = contender('bench_ledger_many', manyEntries);
    for (const { database, entries } of [few, many]) {
      await fillLedger({ root, settings, system, mongo, database }, entries, say);
    }
    // Otherwise MongoDB writes the entries to disk during the first round.
    await mongo.db('admin').command({ fsync: 1 });
    const onRound = (round: number) => say(`Events to ledgers, round ${round} of ${consumeRounds} …`);
    return [await takeTurns([few, many], consumeRounds, onRound)];
  } finally {
    await mongo.close();
  }
}

interface Ledger {
  root: string;
  settings: BenchSettings;
  system: RunningSystem;
  mongo: MongoClient;
  database: string;
}

/** A database that an earlier run has filled is kept. Any other one is filled anew. */
async function fillLedger(ledger: Ledger, count: number, say: (line: string) => void): Promise<void> {
  const { root, settings, system, mongo, database } = ledger;
  await removeRound(ledger);
  const entries = mongo.db(database).collection<PastEntry>('ledger');
  if ((await entries.countDocuments()) === count) return;
  say(`Writing ${count} past entries …`);
  await mongo.db(database).dropDatabase();
  // Metering creates the indexes at its start. On a full ledger that would take longer than a start may.
  const topicPrefix = `bench-${Date.now()}.`;
  const metering = await startMetering(root, settings, system, { database, topicPrefix });
  await metering.stop();
  const kafka = kafkaOf(system, topicPrefix);
  await deleteTopics(kafka);
  await kafka.close();
  await insertPastEntries(entries, { count, workspaces, nowMs: Date.now() }, say);
}

/** Reserves charges, publishes their events while no consumer runs, and measures metering with them. */
async function measureRound(ledger: Ledger): Promise<ConsumeResult> {
  const { root, settings, system, mongo, database } = ledger;
  const own = { database, topicPrefix: `bench-${Date.now()}.` };
  const kafka = kafkaOf(system, own.topicPrefix);
  const start = () => startMetering(root, settings, system, own);
  try {
    const reserving = await start();
    const events = await reserveCharges(reserving.address, settings.events, workspaces).finally(reserving.stop);
    await publishEvents(kafka, events);
    const consumer = { name: database, start, recorded: () => ledgerUsage(mongo, database) };
    return await measureConsumer(consumer, settings.events, system);
  } finally {
    await removeRound(ledger);
    await deleteTopics(kafka);
    await kafka.close();
  }
}

/** Leaves only the past entries. A round that was interrupted has left others. */
async function removeRound({ mongo, database }: Ledger): Promise<void> {
  const db = mongo.db(database);
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of collections) if (name !== 'ledger') await db.dropCollection(name);
  const ids = Array.from({ length: workspaces }, (_, n) => workspaceIdOf(n));
  // The index of the ledger begins with these two fields.
  const current = { workspaceId: { $in: ids }, periodStart: { $gte: new Date(monthStartMs(Date.now())) } };
  await db.collection('ledger').deleteMany(current);
}
