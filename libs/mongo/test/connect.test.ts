import { connectMongo, ensureCollections, fromMongo, type MongoOptions } from '@shopscope/mongo';
import { mongoOptions, silentTelemetry, startTcpProxy, testNamespace } from '@shopscope/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';

describe('connection to MongoDB', () => {
  const namespace = testNamespace('mongo-connect');
  const server = new URL(namespace.mongoUrl);
  const options = (over: Partial<MongoOptions> = {}): MongoOptions => ({
    ...mongoOptions(namespace, 'connect'),
    poolSize: 5,
    ...over,
  });
  const through = (port: number) => `mongodb://127.0.0.1:${port}/?directConnection=true`;

  afterAll(() => namespace.cleanup());

  it('a connection to MongoDB waits at the start for a database that becomes reachable later', async () => {
    const proxy = await startTcpProxy(server);
    await proxy.refuse();
    const connecting = connectMongo(options({ url: through(proxy.port) }));
    await proxy.accept();
    const mongo = await connecting;
    await mongo.ping();
    expect(mongo.available).toBe(true);
    await mongo.close();
    await proxy.close();
  });

  it('a connection to MongoDB rejects when the database is not reachable within the start time', {
    tags: ['wall-clock'],
  }, async () => {
    await expect(connectMongo(options({ url: through(1), startTimeoutMs: 0 }))).rejects.toThrow();
  });

  it('a MongoDB connection fails within seconds when the database stops responding, is unavailable, and recovers by itself', {
    tags: ['wall-clock'],
  }, async () => {
    const proxy = await startTcpProxy(server);
    const mongo = await connectMongo(options({ url: through(proxy.port) }));
    const find = () =>
      mongo.db
        .collection('any')
        .findOne({})
        .catch((error: unknown) => {
          throw fromMongo(error);
        });
    await find();
    // The proxy stays frozen, so that only a time limit ends the command.
    proxy.freeze();
    await expect(find()).rejects.toMatchObject({ code: 'unavailable' });
    expect(mongo.available).toBe(false);
    proxy.thaw();
    await vi.waitFor(find, { timeout: 60_000 });
    expect(mongo.available).toBe(true);
    await mongo.close();
    await proxy.close();
  });

  it('a connection to MongoDB makes a query over its time limit a retryable internal error', async () => {
    const mongo = await connectMongo(options());
    await mongo.db.collection('slow').insertOne({ n: 1 });
    const slow = mongo.db.collection('slow').findOne({ $where: 'sleep(60000) || true' }, { maxTimeMS: 20 });
    expect(fromMongo(await slow.catch((error: unknown) => error))).toMatchObject({
      code: 'internal',
      retryable: true,
    });
    await mongo.close();
  });

  it('a connection to MongoDB makes a wait for a free connection over its time limit a retryable internal error', {
    tags: ['wall-clock'],
  }, async () => {
    const mongo = await connectMongo(options({ poolSize: 1 }));
    await mongo.db.collection('slow').insertOne({ n: 1 });
    const taking = mongo.db.collection('slow').findOne({ $where: 'sleep(60000) || true' }, { maxTimeMS: 15_000 });
    taking.catch(() => {});
    expect(fromMongo(await mongo.ping().catch((error: unknown) => error))).toMatchObject({
      code: 'internal',
      retryable: true,
    });
    await mongo.close();
  });

  it('a connection to MongoDB creates collections and indexes once under concurrent calls', async () => {
    const mongo = await connectMongo(options());
    const create = () =>
      ensureCollections(mongo.db, {
        things: { indexes: [{ key: { name: 1 }, options: { unique: true } }], unsharded: 'test' },
        empty: { indexes: [], unsharded: 'test' },
      });
    await Promise.all([create(), create(), create()]);
    await create();
    expect(await mongo.db.collection('things').indexes()).toHaveLength(2);
    await mongo.close();
  });

  it('a connection to MongoDB measures commands when commandMetrics is on', async () => {
    const { registry } = silentTelemetry();
    const mongo = await connectMongo(options({ registry, commandMetrics: true }));
    await mongo.db.collection('any').findOne({});
    expect(await registry.metrics()).toMatch(/mongodb_command_duration_seconds_count\{.*command="find".*\} 1/);
    await mongo.close();
  });
});
