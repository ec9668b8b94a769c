import { proxyTo, testNamespace } from '@shopscope/local-stack/testing';
import { connectMongo, ensureIndexes, fromMongo, type MongoOptions } from '@shopscope/mongo';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { afterAll, describe, expect, it, vi } from 'vitest';

describe('a connection to MongoDB', () => {
  const namespace = testNamespace('mongo-connect');
  const server = new URL(namespace.mongoUrl);
  const database = namespace.databaseName('connect');
  const options = (over: Partial<MongoOptions> = {}): MongoOptions => ({
    url: namespace.mongoUrl,
    database,
    appName: 'test',
    poolSize: 5,
    logger: createLogger({ service: 'test', instance: '1', level: 'silent' }),
    registry: createRegistry({ service: 'test' }),
    ...over,
  });
  const through = (port: number) => `mongodb://127.0.0.1:${port}/?directConnection=true`;

  afterAll(() => namespace.cleanup());

  it('waits at the start for a database that becomes available later', async () => {
    const reserved = await proxyTo(server);
    const { port } = reserved;
    await reserved.close();
    const connecting = connectMongo(options({ url: through(port) }));
    const proxy = await proxyTo(server, port);
    const mongo = await connecting;
    await mongo.ping();
    expect(mongo.available).toBe(true);
    await mongo.close();
    await proxy.close();
  });

  it('fails to start after the start timeout', async () => {
    await expect(connectMongo(options({ url: through(1), startTimeoutMs: 0 }))).rejects.toThrow();
  });

  it('fails within seconds when the database stops responding, reports itself unavailable, and recovers by itself', async () => {
    const proxy = await proxyTo(server);
    const mongo = await connectMongo(options({ url: through(proxy.port) }));
    const find = () =>
      mongo.db
        .collection('any')
        .findOne({})
        .catch((error: unknown) => {
          throw fromMongo(error);
        });
    await find();
    proxy.freeze();
    const startedAtMs = performance.now();
    await expect(find()).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    expect(mongo.available).toBe(false);
    proxy.thaw();
    await vi.waitFor(find, { timeout: 20_000 });
    expect(mongo.available).toBe(true);
    await mongo.close();
    await proxy.close();
  });

  it('reports a query that exceeds its time limit as a retryable internal error', async () => {
    const mongo = await connectMongo(options());
    await mongo.db.collection('slow').insertOne({ n: 1 });
    const slow = mongo.db.collection('slow').findOne({ $where: 'sleep(60000) || true' }, { maxTimeMS: 20 });
    expect(fromMongo(await slow.catch((error: unknown) => error))).toMatchObject({
      code: 'internal',
      mayPass: true,
    });
    await mongo.close();
  });

  it('reports a query without a free connection as a retryable internal error', async () => {
    const mongo = await connectMongo(options({ poolSize: 1 }));
    await mongo.db.collection('slow').insertOne({ n: 1 });
    const taking = mongo.db.collection('slow').findOne({ $where: 'sleep(60000) || true' }, { maxTimeMS: 15_000 });
    taking.catch(() => {});
    expect(fromMongo(await mongo.ping().catch((error: unknown) => error))).toMatchObject({
      code: 'internal',
      mayPass: true,
    });
    await mongo.close();
  });

  it('creates collections and indexes once when several instances start at the same time', async () => {
    const mongo = await connectMongo(options());
    const create = () =>
      ensureIndexes(mongo.db, { things: [{ key: { name: 1 }, options: { unique: true } }], empty: [] });
    await Promise.all([create(), create(), create()]);
    await create();
    expect(await mongo.db.collection('things').indexes()).toHaveLength(2);
    await mongo.close();
  });

  it('measures commands when command metrics are enabled', async () => {
    const registry = createRegistry({ service: 'test' });
    const mongo = await connectMongo(options({ registry, commandMetrics: true }));
    await mongo.db.collection('any').findOne({});
    expect(await registry.metrics()).toMatch(/mongodb_command_duration_seconds_count\{.*command="find".*\} 1/);
    await mongo.close();
  });
});
