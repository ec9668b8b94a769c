import type { MongoClient } from 'mongodb';

/** Runs `work` while MongoDB has a cache of `megabytes`. Afterwards the cache has its earlier size. */
export async function withMongoCache<Result>(
  mongo: MongoClient,
  megabytes: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await cacheMegabytes(mongo);
  await setCache(mongo, megabytes);
  try {
    return await work();
  } finally {
    await setCache(mongo, before);
  }
}

export async function cacheMegabytes(mongo: MongoClient): Promise<number> {
  const { wiredTiger } = await mongo.db('admin').command({ serverStatus: 1 });
  return Math.round(wiredTiger.cache['maximum bytes configured'] / 2 ** 20);
}

async function setCache(mongo: MongoClient, megabytes: number): Promise<void> {
  await mongo.db('admin').command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${megabytes}M` });
}
