import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testNamespace } from '../src/namespace.ts';

describe('a test namespace', () => {
  const mine = testNamespace('mine');
  const theirs = testNamespace('mine');
  const mongo = new MongoClient(mine.mongoUrl);
  const redis = new Redis(mine.redisUrl);
  const admin = new Kafka({ brokers: mine.brokers, logLevel: logLevel.NOTHING }).admin();
  beforeAll(() => admin.connect());
  afterAll(async () => {
    await theirs.cleanup();
    await admin.disconnect();
    redis.disconnect();
    await mongo.close();
  });

  it('a test namespace is unique, even when another one has the same label', () => {
    expect(mine.id).not.toBe(theirs.id);
    expect(mine.topicPrefix.startsWith(theirs.topicPrefix)).toBe(false);
  });

  it('a test namespace removes its databases, topics and keys, and only those', async () => {
    for (const { databaseName, topicPrefix, redisKeyPrefix } of [mine, theirs]) {
      await mongo.db(databaseName('keys')).collection('a').insertOne({});
      await admin.createTopics({ topics: [{ topic: `${topicPrefix}usage.v1` }], waitForLeaders: true });
      await redis.set(`${redisKeyPrefix}a`, 1);
    }
    await mine.cleanup();
    const exists = async ({ databaseName, topicPrefix, redisKeyPrefix }: typeof mine) => [
      (await mongo.db(databaseName('keys')).listCollections().toArray()).length > 0,
      (await admin.listTopics()).includes(`${topicPrefix}usage.v1`),
      (await redis.exists(`${redisKeyPrefix}a`)) === 1,
    ];
    // A broker lists a deleted topic for a moment.
    await vi.waitFor(async () => expect(await exists(mine)).toEqual([false, false, false]), { timeout: 60_000 });
    expect(await exists(theirs)).toEqual([true, true, true]);
  });
});
