import { SchemaOlderError } from '@shopscope/errors';
import {
  type CollectionDefinitions,
  connectMongo,
  ensureCollections,
  type IndexDefinition,
  type Mongo,
  migrateCollections,
  prepareCollections,
} from '@shopscope/mongo';
import { mongoOptions, recordingTelemetry, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const production = { SHOPSCOPE_ENV: 'production' };
const byName: IndexDefinition = { key: { name: 1 } };
const expiring: IndexDefinition = { key: { at: 1 }, options: { expireAfterSeconds: 60 } };
const partial = { key: { due: 1 }, options: { name: 'due', partialFilterExpression: { due: { $gt: new Date(0) } } } };

const things = (...indexes: IndexDefinition[]): CollectionDefinitions => ({ things: { indexes, unsharded: 'test' } });
const money = (version: number, bsonType = 'number'): CollectionDefinitions => ({
  things: {
    indexes: [],
    unsharded: 'test',
    validator: { version, schema: { required: ['units'], properties: { units: { bsonType } } } },
  },
});

describe('the schema of a database', () => {
  const namespace = testNamespace('schema');
  let mongo: Mongo;
  beforeAll(async () => {
    mongo = await connectMongo(mongoOptions(namespace, 'schema'));
  });
  beforeEach(() => mongo.db.dropDatabase());
  afterAll(async () => {
    await mongo.close();
    await namespace.cleanup();
  });
  const compare = (definitions: CollectionDefinitions) => prepareCollections(mongo.db, definitions, production);

  it('a service in production starts with the schema that the migration has made', async () => {
    const definitions = { ...things(byName, expiring, partial), empty: { indexes: [], unsharded: 'test' } };
    await ensureCollections(mongo.db, definitions);
    await compare(definitions);
  });

  it.each([
    ['a missing collection', things(), 'collection things is missing'],
    ['a missing index', things(byName), 'collection things is missing (and 1 more)'],
  ])('a service in production refuses %s with one sentence and changes nothing', async (_, definitions) => {
    const refused = compare(definitions);
    await expect(refused).rejects.toBeInstanceOf(SchemaOlderError);
    await expect(refused).rejects.toThrow(
      `In database ${mongo.db.databaseName}, collection things is missing; run this version with --migrate first.`,
    );
    expect(await mongo.db.listCollections().toArray()).toEqual([]);
  });

  it('a service in production refuses an index that is missing in an existing collection', async () => {
    await ensureCollections(mongo.db, things(byName));
    await expect(compare(things(byName, expiring, partial))).rejects.toThrow(
      'index at_1 of collection things is missing or not built yet (and 1 more)',
    );
  });

  it.each([
    ['uniqueness', { key: { at: 1 }, options: { expireAfterSeconds: 60, unique: true } }],
    ['sparseness', { key: { at: 1 }, options: { expireAfterSeconds: 60, sparse: true } }],
    ['another direction', { key: { at: -1 }, options: { name: 'at_1', expireAfterSeconds: 60 } }],
    [
      'a filter',
      { key: { at: 1 }, options: { expireAfterSeconds: 60, partialFilterExpression: { at: { $exists: true } } } },
    ],
  ] as [string, IndexDefinition][])(
    'a service in production refuses an index that differs from its definition in %s',
    async (_, existing) => {
      await ensureCollections(mongo.db, things(existing));
      await expect(compare(things(expiring))).rejects.toThrow('index at_1 of collection things has other options');
    },
  );

  it.each([
    ['another collation', { collation: { locale: 'de' } }],
    ['its visibility to queries', { hidden: true }],
  ])('a service in production refuses an index that differs from its definition in %s', async (_, options) => {
    await mongo.db.collection('things').createIndex({ name: 1 }, { name: 'name_1', ...options });
    await expect(compare(things(byName))).rejects.toThrow('index name_1 of collection things has other options');
  });

  it('a service in production says to drop an index with other options, also when something is missing', async () => {
    await ensureCollections(mongo.db, things({ key: { name: 1 }, options: { unique: true } }));
    const refused = compare(things(expiring, byName));
    await expect(refused).rejects.toBeInstanceOf(SchemaOlderError);
    await expect(refused).rejects.toThrow('index name_1 of collection things has other options; drop it when');
  });

  it.each([
    ['another expiry', { key: { at: 1 }, options: { expireAfterSeconds: 61 } }],
    ['no expiry', { key: { at: 1 } }],
  ] as [string, IndexDefinition][])(
    'a service in production starts beside an index with %s, which the migration of another version has set',
    async (_, existing) => {
      await ensureCollections(mongo.db, things(existing));
      await compare(things(expiring));
    },
  );

  it('a service in production starts beside indexes and validators of a newer version', async () => {
    await ensureCollections(mongo.db, { things: { ...money(2).things, indexes: [byName, expiring] } as never });
    await compare(things(expiring));
    await compare(money(1));
  });

  it('the migration changes the expiry of an index in place', async () => {
    await ensureCollections(mongo.db, things(expiring));
    const longer = things({ key: { at: 1 }, options: { expireAfterSeconds: 3_600 } });
    await ensureCollections(mongo.db, longer);
    const [, index] = await mongo.db.collection('things').indexes();
    expect(index).toMatchObject({ name: 'at_1', expireAfterSeconds: 3_600 });
  });

  it('the migration makes everything else before it rejects an index of the same keys with another name', async () => {
    await mongo.db.collection('things').createIndex({ at: 1 }, { name: 'by_hand', expireAfterSeconds: 61 });
    const definitions = { ...things(byName, expiring), later: things(byName).things } as CollectionDefinitions;
    const refused = ensureCollections(mongo.db, definitions);
    await expect(refused).rejects.toBeInstanceOf(SchemaOlderError);
    await expect(refused).rejects.toThrow(
      'index by_hand of collection things has the keys of index at_1; drop it when no service needs it',
    );
    const others = { ...definitions, things: things(byName).things } as CollectionDefinitions;
    await compare(others);
  });

  it('the migration makes everything else before it rejects an index with other options, which it keeps', async () => {
    await ensureCollections(mongo.db, things(byName));
    const unique: IndexDefinition = { key: { name: 1 }, options: { unique: true } };
    await expect(ensureCollections(mongo.db, things(unique, expiring))).rejects.toThrow(
      'index name_1 of collection things has other options; drop it when no service needs it',
    );
    await compare(things(byName, expiring));
  });

  it('the migration gives an existing collection a validator, which then refuses documents of other types', async () => {
    await ensureCollections(mongo.db, things());
    await expect(compare(money(1))).rejects.toThrow('collection things has no validator of version 1');
    await ensureCollections(mongo.db, money(1));
    await compare(money(1));
    const collection = mongo.db.collection('things');
    await collection.insertOne({ units: 1 });
    await expect(collection.insertOne({ units: '1' })).rejects.toThrow('Document failed validation');
    await ensureCollections(mongo.db, money(2, 'string'));
    await ensureCollections(mongo.db, money(1));
    await collection.insertOne({ units: '1' });
  });

  it('several migrations at the same time and a repeated one leave the same schema', async () => {
    const definitions = {
      ...things(byName, expiring, partial),
      money: money(1).things,
    } as CollectionDefinitions;
    const telemetry = recordingTelemetry('schema');
    const run = () => migrateCollections(definitions)({ ...mongoOptions(namespace, 'schema'), ...telemetry });
    await Promise.all([run(), run(), run()]);
    await run();
    await compare(definitions);
    const lines = telemetry.lines.filter(({ msg }) => msg === 'a collection is complete');
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toMatchObject({ collection: 'money', done: 2, total: 2 });
  });

  it('the migration waits for an index build that takes longer than the socket timeout of services', {
    tags: ['nightly', 'wall-clock'],
  }, async () => {
    await ensureCollections(mongo.db, things());
    // createIndexes waits until no transaction has written to the collection.
    const session = mongo.client.startSession();
    session.startTransaction();
    await mongo.db.collection('things').insertOne({ name: 'a' }, { session });
    const migrating = migrateCollections(things(byName))(mongoOptions(namespace, 'schema'));
    migrating.catch(() => {});
    const builds = [
      { $currentOp: { allUsers: true } },
      {
        $match: { 'command.$db': mongo.db.databaseName, 'command.createIndexes': 'things', secs_running: { $gt: 21 } },
      },
    ];
    const local = { readConcern: { level: 'local' } } as const;
    const isSlow = async () => (await mongo.client.db('admin').aggregate(builds, local).toArray()).length > 0;
    await waitUntil('the build to take longer', isSlow, { timeoutMs: 60_000 });
    await session.commitTransaction();
    await session.endSession();
    await migrating;
    await compare(things(byName));
  });
});
