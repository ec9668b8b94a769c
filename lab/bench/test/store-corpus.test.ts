import type { RunningService } from '@shopscope/lifecycle';
import { loadConfig, startProfiles } from '@shopscope/profiles';
import { serviceEnvironment, testNamespace } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatedDomain } from '../src/generated-stores.ts';
import { compare } from '../src/observed-stores.ts';
import { fillStoreCorpus } from '../src/store-corpus.ts';

const siteUrl = 'http://shopscope.test';
const nowMs = Date.UTC(2026, 9, 1);
const quiet = () => {};

describe('corpus of generated stores', () => {
  const namespace = testNamespace('store-corpus');
  let profiles: RunningService;
  let mongo: MongoClient;
  let db: Db;
  let benchDb: Db;

  beforeAll(async () => {
    const env = { ...serviceEnvironment(namespace, 'profiles'), PUBLIC_SITE_URL: siteUrl };
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

  const fill = (stores: number, at = nowMs) => fillStoreCorpus({ db, benchDb, siteUrl }, { stores, nowMs: at }, quiet);
  const stored = (name: string) =>
    db
      .collection(name)
      .find({ _id: /^generated-/ as never })
      .sort({ _id: 1 })
      .toArray();
  const domains = async () => (await stored('store_bodies')).map(({ _id }) => String(_id));

  it('the document of a generated store in search is that of the same store after merges of its observations', async () => {
    await compare({ db, address: profiles.grpcAddress ?? '', siteUrl }, { stores: 300, nowMs }, quiet);
    expect(await db.collection('signals').countDocuments({ type: 'technology_removed' })).toBeGreaterThan(10);
    expect(await db.collection('signals').countDocuments({ type: 'platform_changed' })).toBeGreaterThan(0);
  });

  it('a corpus of generated stores grows and shrinks to the wanted number, and stores that stay do not change', async () => {
    await fill(20);
    const first = await stored('store_bodies');
    const later = await fill(50, nowMs + 1_000_000);
    expect(later).toEqual({ stores: 50, nowMs });
    expect((await stored('store_bodies')).slice(0, 20)).toEqual(first);
    expect(await domains()).toEqual(Array.from({ length: 50 }, (_, n) => generatedDomain(n)));
    await fill(20);
    expect(await stored('store_bodies')).toEqual(first);
    expect((await stored('stores')).length).toBe(20);
    const others = await db.collection('signals').countDocuments({ domain: { $gte: generatedDomain(20) } });
    expect(others).toBe(0);
  });
});
