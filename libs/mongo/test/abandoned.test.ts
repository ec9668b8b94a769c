import { createDeadline } from '@shopscope/async';
import { testNamespace } from '@shopscope/local-stack/testing';
import { connectMongo, type Mongo, withTransaction } from '@shopscope/mongo';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import type { ClientSession } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('an open transaction of a killed process', () => {
  const namespace = testNamespace('mongo-abandoned');
  const database = namespace.databaseName('abandoned');
  const registry = createRegistry({ service: 'test' });
  const open = (appName: string, metrics = createRegistry({ service: 'test' })) =>
    connectMongo({
      url: namespace.mongoUrl,
      database,
      appName,
      poolSize: 5,
      logger: createLogger({ service: 'test', instance: '1', level: 'silent' }),
      registry: metrics,
    });
  let living: Mongo;
  let dead: Mongo;
  let other: Mongo;
  const add = (mongo: Mongo, id: string, session: ClientSession) =>
    mongo.db.collection<{ _id: string; n: number }>('counters').updateOne({ _id: id }, { $inc: { n: 1 } }, { session });
  const countOf = async (id: string) =>
    (await living.db.collection<{ _id: string; n: number }>('counters').findOne({ _id: id }))?.n;
  const endedShown = async () =>
    Number(/^mongodb_abandoned_transactions_total\S* (\d+)$/m.exec(await registry.metrics())?.[1]);
  /** Begins a transaction and leaves it open, like a process that is killed during it. */
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

  it("is aborted by the transaction that it blocks, long before MongoDB's limit of a minute, and writes nothing", async () => {
    const left = await abandon(dead, 'held');
    await withTransaction(living, ({ session }) => add(living, 'held', session), { deadline: createDeadline(30_000) });
    expect(await countOf('held')).toBe(1);
    expect(await endedShown()).toBe(1);
    // If the process is still alive, its late commit is refused.
    await expect(left.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    expect(await countOf('held')).toBe(1);
  });

  it('is not aborted when it belongs to another service', async () => {
    const left = await abandon(other, 'elsewhere');
    const blocked = withTransaction(living, ({ session }) => add(living, 'elsewhere', session), {
      deadline: createDeadline(4_000),
    });
    await expect(blocked).rejects.toMatchObject({ code: 'internal' });
    await left.commitTransaction();
    expect(await countOf('elsewhere')).toBe(1);
  });
});
