import { createDeadline } from '@shopscope/async';
import { connectMongo, type Mongo, withTransaction } from '@shopscope/mongo';
import { mongoOptions, silentTelemetry, testNamespace } from '@shopscope/testing';
import type { ClientSession } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('abandoned transaction', { tags: ['wall-clock'] }, () => {
  const namespace = testNamespace('mongo-abandoned');
  const { registry } = silentTelemetry();
  const open = (appName: string, metrics = silentTelemetry().registry) =>
    connectMongo({ ...mongoOptions(namespace, 'abandoned'), appName, poolSize: 5, registry: metrics });
  let living: Mongo;
  let dead: Mongo;
  let other: Mongo;
  const add = (mongo: Mongo, id: string, session: ClientSession) =>
    mongo.db.collection<{ _id: string; n: number }>('counters').updateOne({ _id: id }, { $inc: { n: 1 } }, { session });
  const countOf = async (id: string) =>
    (await living.db.collection<{ _id: string; n: number }>('counters').findOne({ _id: id }))?.n;
  const killedShown = async () =>
    Number(/^mongodb_abandoned_transactions_total\S* (\d+)$/m.exec(await registry.metrics())?.[1]);
  /** Starts a transaction and leaves it open, as a process that is killed within it. */
  const abandon = async (mongo: Mongo, id: string) => {
    const session = mongo.client.startSession();
    session.startTransaction();
    await add(mongo, id, session);
    return session;
  };

  beforeAll(async () => {
    // All instances of a service have the same appName.
    living = await open('service-one', registry);
    dead = await open('service-one');
    other = await open('service-two');
    await living.db.collection<{ _id: string; n: number }>('counters').insertMany([
      { _id: 'held', n: 0 },
      { _id: 'elsewhere', n: 0 },
    ]);
  });
  afterAll(async () => {
    for (const mongo of [living, dead, other]) await mongo?.close();
    await namespace.cleanup();
  });

  it('an abandoned transaction is killed by the one that it blocks, long before the one-minute limit, and writes nothing', async () => {
    const abandoned = await abandon(dead, 'held');
    await withTransaction(living, ({ session }) => add(living, 'held', session), { deadline: createDeadline(30_000) });
    expect(await countOf('held')).toBe(1);
    expect(await killedShown()).toBe(1);
    // If the process still runs, its commit is refused.
    await expect(abandoned.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    expect(await countOf('held')).toBe(1);
  });

  it('an abandoned transaction is not killed by another service', async () => {
    const abandoned = await abandon(other, 'elsewhere');
    const blocked = withTransaction(living, ({ session }) => add(living, 'elsewhere', session), {
      deadline: createDeadline(4_000),
    });
    await expect(blocked).rejects.toMatchObject({ code: 'internal' });
    await abandoned.commitTransaction();
    expect(await countOf('elsewhere')).toBe(1);
  });
});
