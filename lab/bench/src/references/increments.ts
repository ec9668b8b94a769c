import { UsageRecorded } from '@shopscope/proto';
import { Kafka, logLevel } from 'kafkajs';
import { type AnyBulkWriteOperation, MongoClient } from 'mongodb';
import { announce } from './announce.ts';

// A consumer that counts usage without a ledger and without deduplication. With `each` it writes one upsert per event, with `folded` one per
// counter and batch. Arguments: brokers, topic, URL of MongoDB, database, each | folded.
const [broker = '', topic = '', url = '', database = '', mode = 'each'] = process.argv.slice(2);
const maxBatchSize = 1_000;
const mongo = await new MongoClient(url, { writeConcern: { w: 'majority', journal: true } }).connect();
const counters = mongo.db(database).collection<{ _id: string; used: number }>('counters');

const add = (_id: string, used: number): AnyBulkWriteOperation<{ _id: string; used: number }> => ({
  updateOne: { filter: { _id }, update: { $inc: { used } }, upsert: true },
});

function incrementsOf(values: readonly (Buffer | null)[]) {
  const events = values.map((value) => UsageRecorded.decode(value ?? Buffer.alloc(0)));
  const named = events.map(
    ({ workspaceId, keyId, units }) => [`${workspaceId}/${keyId}`, units?.lookupCached] as const,
  );
  if (mode === 'each') return named.map(([id, used = 0]) => add(id, used));
  const sums = new Map<string, number>();
  for (const [id, used = 0] of named) sums.set(id, (sums.get(id) ?? 0) + used);
  return [...sums].map(([id, used]) => add(id, used));
}

const kafka = new Kafka({ brokers: broker.split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `${topic}-${database}` });
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({
  async eachBatch({ batch: { messages } }) {
    for (let at = 0; at < messages.length; at += maxBatchSize) {
      const values = messages.slice(at, at + maxBatchSize).map(({ value }) => value);
      await counters.bulkWrite(incrementsOf(values), { ordered: false });
    }
  },
});
announce(0);
