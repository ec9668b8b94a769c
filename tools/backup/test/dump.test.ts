import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testNamespace } from '@shopscope/testing';
import { BSON, Double, Int32, Long, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dump } from '../src/dump.ts';
import { restore } from '../src/restore.ts';

describe('dump', () => {
  const namespace = testNamespace('dump');
  const [one, two] = [namespace.databaseName('one'), namespace.databaseName('two')];
  const directories: string[] = [];
  let client: MongoClient;
  let startMs: number;
  const directory = () => {
    directories.push(mkdtempSync(join(tmpdir(), 'shopscope-dump-')));
    return directories.at(-1) as string;
  };
  const accounts = (database: string) => client.db(database).collection<{ _id: number; units: number }>('accounts');
  const drop = async () => {
    for (const name of [one, two]) await client.db(name).dropDatabase();
  };

  beforeAll(async () => {
    client = await MongoClient.connect(namespace.mongoUrl);
  });
  beforeEach(async () => {
    // The instant of a snapshot is a whole second.
    startMs = Math.floor(Date.now() / 1_000) * 1_000;
    await drop();
    for (const name of [one, two]) {
      await accounts(name).insertMany(Array.from({ length: 2_500 }, (_, n) => ({ _id: n, units: 10 })));
    }
  });
  afterAll(async () => {
    await client?.close();
    await namespace.cleanup();
    for (const each of directories) rmSync(each, { recursive: true, force: true });
  });

  it('a dump has all databases at one instant, although transactions run during the dump', async () => {
    let isMoving = true;
    const moving = (async () => {
      for (let n = 0; isMoving; n++) {
        await client.withSession((session) =>
          session.withTransaction(async () => {
            await accounts(one).updateOne({ _id: n % 2_500 }, { $inc: { units: -1 } }, { session });
            await accounts(two).updateOne({ _id: 2_499 - (n % 2_500) }, { $inc: { units: 1 } }, { session });
          }),
        );
      }
    })();
    const path = directory();
    const { snapshotAt } = await dump({ client, databases: [one, two], directory: path });
    isMoving = false;
    await moving;
    expect(Date.parse(snapshotAt)).toBeGreaterThanOrEqual(startMs);
    expect(Date.parse(snapshotAt)).toBeLessThanOrEqual(Date.now());

    await drop();
    await restore({ client, directory: path });
    const sum = async (database: string) => {
      const [total] = await accounts(database)
        .aggregate([{ $group: { _id: null, units: { $sum: '$units' } } }])
        .toArray();
      return total?.units as number;
    };
    expect((await sum(one)) + (await sum(two))).toBe(2 * 2_500 * 10);
  });

  it('a restored dump has types, indexes and collection options unchanged', async () => {
    const typed = {
      _id: 'a/1/1',
      whole: new Double(3),
      small: new Int32(3),
      large: Long.fromString('9007199254740993'),
      bytes: new BSON.Binary(Buffer.from([0, 255])),
      at: new Date(1_700_000_000_123),
      nothing: null,
    };
    const things = client.db(one).collection<typeof typed>('things');
    await things.insertOne(typed);
    await things.createIndex({ whole: 1 }, { unique: true, partialFilterExpression: { small: { $gt: 0 } } });
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 4_000_000_000 / 2 });
    await client.db(one).createCollection('checked', { validator: { units: { $gte: 0 } } });
    const rawOf = async () =>
      Buffer.from((await things.findOne({}, { raw: true })) as unknown as Uint8Array).toString('hex');
    const [bytes, indexes] = [await rawOf(), await things.listIndexes().toArray()];
    const path = directory();
    await dump({ client, databases: [one], directory: path });

    await drop();
    await restore({ client, directory: path });
    expect(await rawOf()).toBe(bytes);
    expect(await things.listIndexes().toArray()).toEqual(indexes);
    await expect(client.db(one).collection('checked').insertOne({ units: -1 })).rejects.toThrow('failed validation');
  });

  it('a restore into a sharded cluster shards each collection while it is empty and has its validator', async () => {
    const endpoints = client.db(one).collection('endpoints');
    await client.db(one).createCollection('endpoints', { validator: { units: { $gte: 0 } } });
    await endpoints.insertOne({ units: 1 });
    const sharded: object[] = [];
    const shard = async ({ shardCollection, key }: BSON.Document) => {
      const [found] = await client.db(one).listCollections({ name: 'endpoints' }).toArray();
      const documents = await endpoints.countDocuments();
      sharded.push({ shardCollection, key, documents, options: found && 'options' in found && found.options });
    };
    const path = directory();
    await dump({ client, databases: [one], directory: path });
    await drop();
    // The declared keys of the service `webhooks`.
    const manifest = join(path, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"name": "${one}"`, '"name": "webhooks"'));
    /** No mongos runs on a developer's machine. */
    const command = async (sent: BSON.Document) => ('hello' in sent ? { msg: 'isdbgrid' } : shard(sent));
    const router = {
      db: (name: string) => (name === 'admin' ? { command } : client.db(one)),
    } as unknown as MongoClient;
    await restore({ client: router, directory: path });
    expect(sharded).toEqual([
      {
        shardCollection: 'webhooks.endpoints',
        key: { workspaceId: 1 },
        documents: 0,
        options: { validator: { units: { $gte: 0 } } },
      },
    ]);
    expect(await endpoints.countDocuments()).toBe(1);
  });

  it('a restore inserts documents that are older than the validator of their collection and violate it', async () => {
    await client.db(one).command({ collMod: 'accounts', validator: { units: { $gte: 100 } } });
    const path = directory();
    await dump({ client, databases: [one], directory: path });
    await drop();
    await restore({ client, directory: path });
    expect(await accounts(one).countDocuments()).toBe(2_500);
    await expect(accounts(one).insertOne({ _id: -1, units: 10 })).rejects.toThrow('failed validation');
  });

  it('a dump is never restored into a database with documents, and the error names that database', async () => {
    const path = directory();
    await dump({ client, databases: [one, two], directory: path });
    await client.db(one).dropDatabase();
    await accounts(two).updateOne({ _id: 0 }, { $set: { units: 77 } });
    await expect(restore({ client, directory: path })).rejects.toThrow(`${two}.accounts is not empty`);
    expect(await accounts(one).countDocuments()).toBe(0);
    expect(await accounts(two).findOne({ _id: 0 })).toMatchObject({ units: 77 });
    await restore({ client, directory: path, databases: [one] });
    expect(await accounts(one).countDocuments()).toBe(2_500);
  });

  it('a dump is refused when a file was truncated or changed', async () => {
    const path = directory();
    await dump({ client, databases: [one], directory: path });
    const file = join(path, one, 'accounts.bson');
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 7);
    await drop();
    await expect(restore({ client, directory: path })).rejects.toThrow(`${file} ends within a document`);
    const changed = Buffer.from(whole);
    changed.writeInt32LE(11, changed.length - 5);
    writeFileSync(file, changed);
    await drop();
    await expect(restore({ client, directory: path })).rejects.toThrow('was not restored as it was dumped');
  });

  it('a dump without a manifest is refused, and no dump is written into a directory in use', async () => {
    const path = directory();
    await dump({ client, databases: [one], directory: path });
    await expect(dump({ client, databases: [one], directory: path })).rejects.toThrow('is not empty');
    rmSync(join(path, 'manifest.json'));
    await drop();
    await expect(restore({ client, directory: path })).rejects.toThrow('has no finished dump');
  });

  it('a dump that is aborted or cannot end in time leaves no directory', async () => {
    const path = directory();
    const abort = new AbortController();
    const aborted = dump({
      client,
      databases: [one, two],
      directory: path,
      abort: abort.signal,
      report: () => abort.abort(new Error('stopped')),
    });
    await expect(aborted).rejects.toThrow('stopped');
    expect(existsSync(path)).toBe(false);
    let nowMs = 0;
    const slow = { monotonicMs: () => (nowMs += 500_000), after: () => () => {} };
    await expect(dump({ client, databases: [one], directory: path, clock: slow })).rejects.toThrow(
      /^the dump cannot end in time: 1 MB of 1 MB were read in \d+ s, so it needs about \d+ s, and MongoDB keeps its snapshot for 30 s/,
    );
    expect(existsSync(path)).toBe(false);
  });

  it('a dump of a database that does not exist fails, and the error names the database', async () => {
    await expect(dump({ client, databases: [one, 'nobody'], directory: directory() })).rejects.toThrow(
      'the database nobody has no collections',
    );
  });
});
