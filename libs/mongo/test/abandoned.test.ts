import { createDeadline } from '@shopscope/async';
import { connectMongo, type Mongo, withTransaction } from '@shopscope/mongo';
import { mongoOptions, silentTelemetry, testNamespace } from '@shopscope/testing';
import type { ClientSession } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('a transaction that a dead process left open', { tags: ['wall-clock'] }, () => {
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
  const endedShown = async () =>
    Number(/^mongodb_abandoned_transactions_total\S* (\d+)$/m.exec(await registry.metrics())?.[1]);
  /** Begins a transaction and goes no further, as a process does that is killed within it. */
  const abandon = async (mongo: Mongo, id: string) => {
    const session = mongo.client.startSession();
    session.startTransaction();
    await add(mongo, id, session);
    return session;
  };

  beforeAll(async () => {
    // One service has one name, whatever the instance.
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

  it('is ended by the one that it stands in the way of, long before the minute of MongoDB, and wrote nothing', async () => {
    const left = await abandon(dead, 'held');
    await withTransaction(living, ({ session }) => add(living, 'held', session), { deadline: createDeadline(30_000) });
    expect(await countOf('held')).toBe(1);
    expect(await endedShown()).toBe(1);
    // Should the process live after all, its commit is refused: a late write of a zombie does not stand.
    await expect(left.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    expect(await countOf('held')).toBe(1);
  });

  it("of another service is none of this one's business", async () => {
    const left = await abandon(other, 'elsewhere');
    const blocked = withTransaction(living, ({ session }) => add(living, 'elsewhere', session), {
      deadline: createDeadline(4_000),
    });
    await expect(blocked).rejects.toMatchObject({ code: 'internal' });
    await left.commitTransaction();
    expect(await countOf('elsewhere')).toBe(1);
  });
});
