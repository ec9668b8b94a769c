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
  /** The database of profiles. */
  db: Db;
  /** The database in which the bench records what is filled. */
  benchDb: Db;
}

/** With `signals`, the corpus is complete. With `unfinished`, the signals are written and their indexes may be missing. */
type FilledCorpus = CorpusSize & { _id: 'signals' | 'unfinished'; version: number };

/** A corpus with other values or members is filled again. */
const version = 2;

/** The index of the ids grows in random places. If it did not fit into the cache, each insert would read from disk. */
const fillCacheMegabytes = 4_096;
/** MongoDB sorts the entries of the indexes in this much memory, and uses the disk beyond it. */
const sortMegabytes = 2_000;
/** The number of commands that make indexes at the same time. MongoDB makes the indexes of one command with one processor. */
const indexBuilds = 2;
const unfinished = 'bench_signals_unfinished';

/**
 * Fills the database of profiles with generated signals and the bodies of their stores. It writes them without the service, because ten
 * million merges would take hours. It does nothing if a corpus of the same size exists.
 *
 * - The signals are written in the order of their times, as profiles writes them.
 * - The indexes are made last. MongoDB then sorts their entries first and writes them several times as fast.
 * - The process is killed -> the collection `signals` and its indexes do not change. The next run fills again, or makes only the indexes
 *   if all signals were written.
 */
export async function fillSignalCorpus(
  { mongo, db, benchDb }: CorpusDatabases,
  size: CorpusSize,
  say: (line: string) => void,
): Promise<void> {
  const fills = benchDb.collection<FilledCorpus>('fills');
  const isRecorded = async (_id: FilledCorpus['_id']) => (await fills.findOne({ _id, ...size, version })) !== null;
  const record = (_id: FilledCorpus['_id']) => fills.replaceOne({ _id }, { ...size, version }, { upsert: true });
  if (await isRecorded('signals')) return;
  await withMongoCache(mongo, fillCacheMegabytes, async () => {
    say(`Copying ${size.stores} stores …`);
    await copyStores(db.collection<StoredBody>('store_bodies'), size.stores, say);
    if (!(await isRecorded('unfinished'))) {
      await fills.deleteOne({ _id: 'unfinished' });
      await writeSignals(db, size, say);
      await record('unfinished');
    }
    say('Making their indexes …');
    const current = db.collection<GeneratedSignal>('signals');
    await makeIndexes(db, await current.indexes());
    // The signals of the demo stores.
    const others = await current.find({ domain: { $not: /^bench-/ } }).toArray();
    const written = db.collection<GeneratedSignal>(unfinished);
    await written.deleteMany({ _id: { $in: others.map(({ _id }) => _id) } });
    if (others.length > 0) await written.insertMany(others);
    await fills.deleteMany({});
    await written.rename('signals', { dropTarget: true });
    await record('signals');
  });
}

async function writeSignals(db: Db, { signals, stores }: CorpusSize, say: (line: string) => void): Promise<void> {
  say(`Writing ${signals} signals …`);
  await db.dropCollection(unfinished).catch(() => {});
  const collection = await db.createCollection<GeneratedSignal>(unfinished);
  const sizes = { signals, stores, nowMs: Date.now() };
  const documentOf = (n: number) => generatedSignal(n, sizes);
  await insertInBatches({ collection, count: signals, documentOf, what: 'signals', say });
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
