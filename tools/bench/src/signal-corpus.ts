import type { Db, MongoClient } from 'mongodb';
import { insertInBatches } from './batched-insert.ts';
import { type GeneratedSignal, generatedSignal } from './generated-signals.ts';
import { withMongoCache } from './mongo-cache.ts';
import { copyStores, type StoredBody } from './store-copies.ts';

interface CorpusSize {
  signals: number;
  stores: number;
}

interface CorpusDatabases {
  mongo: MongoClient;
  /** Of profiles. */
  db: Db;
  /** Records what is filled. */
  benchDb: Db;
}

type FilledCorpus = CorpusSize & { _id: 'signals' };

/** The index of the ids grows in random places: with a cache that it does not fit into, each insert reads from disk. */
const fillCacheMegabytes = 4_096;
/** MongoDB sorts the entries of all indexes in so much memory, and what exceeds it on disk. */
const sortMegabytes = 2_000;
/** Commands that make indexes. MongoDB makes the indexes of one command with one processor. */
const indexBuilds = 2;
const unfinished = 'bench_signals_unfinished';

/**
 * Fills profiles with generated signals and the bodies of their stores, past profiles: ten million merges would take hours.
 * A corpus of the same size is kept.
 *
 * - The signals lie in their order of time, as profiles writes them.
 * - Indexes come last, because MongoDB sorts their entries then and writes them several times as fast.
 * - Killed at any point -> `signals` is what it was before, with its indexes, and the next run fills again.
 */
export async function fillSignalCorpus(
  { mongo, db, benchDb }: CorpusDatabases,
  size: CorpusSize,
  say: (line: string) => void,
): Promise<void> {
  const fills = benchDb.collection<FilledCorpus>('fills');
  const { signals, stores } = size;
  const filled = await fills.findOne({ _id: 'signals' });
  if (filled?.signals === signals && filled.stores === stores) return;
  await withMongoCache(mongo, fillCacheMegabytes, async () => {
    say(`Copying ${stores} stores …`);
    await copyStores(db.collection<StoredBody>('store_bodies'), stores, say);
    say(`Writing ${signals} signals …`);
    await fills.deleteOne({ _id: 'signals' });
    await replaceSignals(db, size, say);
    await fills.insertOne({ _id: 'signals', signals, stores });
  });
}

async function replaceSignals(db: Db, { signals, stores }: CorpusSize, say: (line: string) => void): Promise<void> {
  const current = db.collection<GeneratedSignal>('signals');
  await db.dropCollection(unfinished).catch(() => {});
  const collection = await db.createCollection<GeneratedSignal>(unfinished);
  const sizes = { signals, stores, nowMs: Date.now() };
  const documentOf = (n: number) => generatedSignal(n, sizes);
  await insertInBatches({ collection, count: signals, documentOf, what: 'signals', say });
  say('Making their indexes …');
  const startedMs = performance.now();
  await makeIndexes(db, await current.indexes());
  say(`Made in ${Math.round((performance.now() - startedMs) / 1_000)} s.`);
  // Those of the demo stores.
  const others = await current.find({ domain: { $not: /^bench-/ } }).toArray();
  if (others.length > 0) await collection.insertMany(others);
  await collection.rename('signals', { dropTarget: true });
}

async function makeIndexes(db: Db, indexes: Awaited<ReturnType<ReturnType<Db['collection']>['indexes']>>) {
  const admin = db.admin();
  const memory = (megabytes: number) =>
    admin.command({ setParameter: 1, maxIndexBuildMemoryUsageMegabytes: megabytes });
  const { was } = await memory(sortMegabytes);
  const wanted = indexes.filter(({ name }) => name !== '_id_').map(({ v: _, ...index }) => index);
  const parts = Array.from({ length: indexBuilds }, (_, part) => wanted.filter((_, at) => at % indexBuilds === part));
  try {
    await Promise.all(parts.map((part) => part.length > 0 && db.collection(unfinished).createIndexes(part)));
  } finally {
    await memory(was);
  }
}
