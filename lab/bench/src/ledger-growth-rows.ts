import { MongoClient } from 'mongodb';
import {
  type ConsumeResult,
  deleteTopics,
  kafkaOf,
  ledgerUsage,
  measureConsumer,
  newTopicPrefix,
  withWaitingEvents,
} from './consume-rows.ts';
import { insertPastEntries, monthStartMs, type PastEntry } from './past-entries.ts';
import { startMetering } from './service-processes.ts';
import type { Bench } from './system.ts';
import { type Comparison, takeTurns } from './turns.ts';
import { workspaceIdOf } from './usage-events.ts';

/** The goal for the rate with a long ledger, divided by the rate with a short one. */
const ledgerGoal = 0.7;
const workspaces = 200;

/**
 * Measures how fast events of usage.v1 reach the ledger in two databases of the bench: one ledger has few past entries, and one has many.
 * The databases stay for the next run.
 */
export async function measureLedgerGrowth(bench: Bench): Promise<Comparison<ConsumeResult>[]> {
  const { fewEntries, manyEntries, consumeRounds } = bench.settings;
  const mongo = await new MongoClient(bench.system.mongoUrl).connect();
  try {
    const contender = (database: string, entries: number) => ({
      name: `events of ${workspaces} workspaces, ${entries} past entries`,
      fill: () => fillLedger(bench, { mongo, database }, entries),
      measure: () => measureRound(bench, { mongo, database }),
    });
    const few = { ...contender('bench_ledger_few', fewEntries), goal: ledgerGoal };
    const many = contender('bench_ledger_many', manyEntries);
    for (const { fill } of [few, many]) await fill();
    // Otherwise MongoDB writes the entries to disk during the first round.
    await mongo.db('admin').command({ fsync: 1 });
    const onRound = (round: number) => bench.say(`Events to ledgers, round ${round} of ${consumeRounds} …`);
    return [await takeTurns([few, many], consumeRounds, onRound)];
  } finally {
    await mongo.close();
  }
}

interface Ledger {
  mongo: MongoClient;
  database: string;
}

/** Fills the ledger, unless an earlier run has filled it with the same number of entries. */
async function fillLedger(bench: Bench, ledger: Ledger, count: number): Promise<void> {
  const { mongo, database } = ledger;
  await removeRound(ledger);
  const entries = mongo.db(database).collection<PastEntry>('ledger');
  if ((await entries.countDocuments()) === count) return;
  bench.say(`Writing ${count} past entries …`);
  await mongo.db(database).dropDatabase();
  // Metering creates the indexes when it starts. With a full ledger this would exceed the time limit of a start.
  const topicPrefix = newTopicPrefix();
  const metering = await startMetering(bench, { database, topicPrefix });
  await metering.stop();
  await deleteTopics(kafkaOf(bench.system, topicPrefix));
  await insertPastEntries(entries, { count, workspaces, nowMs: Date.now() }, bench.say);
}

async function measureRound(bench: Bench, ledger: Ledger): Promise<ConsumeResult> {
  const { mongo, database } = ledger;
  try {
    return await withWaitingEvents(bench, { database, workspaces }, ({ start }) =>
      measureConsumer({ name: database, start, recorded: () => ledgerUsage(mongo, database) }, bench),
    );
  } finally {
    await removeRound(ledger);
  }
}

/** Deletes everything except the past entries. An interrupted round leaves other data. */
async function removeRound({ mongo, database }: Ledger): Promise<void> {
  const db = mongo.db(database);
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of collections) if (name !== 'ledger') await db.dropCollection(name);
  const ids = Array.from({ length: workspaces }, (_, n) => workspaceIdOf(n));
  // The index of the ledger begins with these two fields.
  const current = { workspaceId: { $in: ids }, periodStart: { $gte: new Date(monthStartMs(Date.now())) } };
  await db.collection('ledger').deleteMany(current);
}
