import type { RunningService } from '@shopscope/lifecycle';
import { loadConfig, startProfiles } from '@shopscope/profiles';
import { serviceEnvironment, testNamespace } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainOf, loadCorpus } from '../src/corpus.ts';
import type { GeneratedSignal } from '../src/generated-signals.ts';
import { cacheMegabytes } from '../src/mongo-cache.ts';
import { fillSignalCorpus } from '../src/signal-corpus.ts';
import type { StoredBody } from '../src/store-copies.ts';

const size = { signals: 25_000, stores: 20 };
const quiet = () => {};

describe('corpus of signals', () => {
  const namespace = testNamespace('signal-corpus');
  let profiles: RunningService;
  let mongo: MongoClient;
  let db: Db;
  let benchDb: Db;

  beforeAll(async () => {
    const env = { ...serviceEnvironment(namespace, 'profiles'), PUBLIC_SITE_URL: 'http://shopscope.test' };
    profiles = await startProfiles(loadConfig(env));
    mongo = await MongoClient.connect(namespace.mongoUrl);
    db = mongo.db(namespace.databaseName('profiles'));
    benchDb = mongo.db(namespace.databaseName('bench'));
  });
  afterAll(async () => {
    await mongo?.close();
    await profiles?.stop();
    await namespace.cleanup();
  });

  const fill = (over: Partial<typeof size> = {}, say: (line: string) => void = quiet) =>
    fillSignalCorpus({ mongo, db, benchDb }, { ...size, ...over }, say);
  const importStores = (count: number) =>
    loadCorpus({ addresses: { PROFILES_ADDRESS: profiles.grpcAddress ?? '' } as never }, count, quiet);
  const bodyOf = async (n: number) => {
    const stored = await db.collection<StoredBody>('store_bodies').findOne({ _id: domainOf(n) });
    return stored && { ...stored, body: stored.body.toString('utf8') };
  };
  const signals = () => db.collection<GeneratedSignal>('signals');

  it('the corpus of signals has copied stores whose bodies are those of imported ones but for the time of the scan', async () => {
    await importStores(2);
    await fill();
    const copy = await bodyOf(17);
    await importStores(18);
    const imported = await bodyOf(17);
    if (!copy || !imported) throw new Error('the store is absent');
    const { etag: _, firstScanAt: __, lastCompletedScanAt: scannedAt, ...rest } = imported;
    const body = copy.body.replaceAll(copy.lastCompletedScanAt.toISOString(), scannedAt.toISOString());
    expect({ _id: copy._id, body, sequence: copy.sequence }).toEqual(rest);
    expect(await bodyOf(size.stores - 1)).not.toBeNull();
  });

  it('the corpus of signals has each signal once, the indexes of profiles, and the signals of other stores', async () => {
    const indexes = async () => (await signals().indexes()).toSorted((a, b) => (`${a.name}` < `${b.name}` ? -1 : 1));
    const before = await indexes();
    await db.collection('signals').insertOne({ _id: 'evt_other' as never, domain: 'shop.example' });
    await fill({ signals: 30_000 });
    expect(await indexes()).toEqual(before);
    expect(before.length).toBeGreaterThan(2);
    expect(await signals().countDocuments({ domain: /^bench-/ })).toBe(30_000);
    expect(await signals().findOne({ domain: 'shop.example' })).not.toBeNull();
  });

  it('the corpus of signals is not filled again with the same size', async () => {
    await fill();
    const said: string[] = [];
    const newest = () => signals().find().sort({ confirmedAt: -1 }).limit(1).toArray();
    const before = await newest();
    await fill({}, (line) => said.push(line));
    expect(said).toEqual([]);
    expect(await newest()).toEqual(before);
  });

  it('an earlier corpus of signals keeps its indexes when a fill ends early, and the next run makes only the missing ones', async () => {
    await fill();
    const indexes = await signals().indexes();
    const end = (line: string) => {
      if (line.startsWith('Making')) throw new Error('ended early');
    };
    await expect(fill({ signals: 500 }, end)).rejects.toThrow('ended early');
    expect(await signals().indexes()).toEqual(indexes);
    expect(await signals().countDocuments({ domain: /^bench-/ })).toBe(size.signals);
    const said: string[] = [];
    await fill({ signals: 500 }, (line) => said.push(line));
    expect(said.filter((line) => line.startsWith('Writing'))).toEqual([]);
    expect(await signals().countDocuments({ domain: /^bench-/ })).toBe(500);
    expect((await signals().indexes()).length).toBe(indexes.length);
    await expect(fill({ signals: 700 }, end)).rejects.toThrow('ended early');
    await fill({ signals: 800 });
    expect(await signals().countDocuments({ domain: /^bench-/ })).toBe(800);
  });

  it('the corpus of signals is written with another cache of MongoDB, which has its former size afterwards', async () => {
    const before = await cacheMegabytes(mongo);
    const during: Promise<number>[] = [];
    await fill({ signals: 600 }, () => during.push(cacheMegabytes(mongo)));
    expect(await during[0]).not.toBe(before);
    expect(await cacheMegabytes(mongo)).toBe(before);
  });
});
