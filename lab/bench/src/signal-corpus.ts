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

/** `signals`: the corpus is complete. `unfinished`: the signals are written, and their indexes may be missing. */
type FilledCorpus = CorpusSize & { _id: 'signals' | 'unfinished' };

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
 * - Killed at any point -> `signals` is what it was before, with its indexes. The next run fills again; signals that were all
 *   written get their indexes only.
 */
export async function fillSignalCorpus(
  { mongo, db, benchDb }: CorpusDatabases,
  size: CorpusSize,
  say: (line: string) => void,
): Promise<void> {
  const fills = benchDb.collection<FilledCorpus>('fills');
  const isRecorded = async (_id: FilledCorpus['_id']) => (await fills.findOne({ _id, ...size })) !== null;
  const record = (_id: FilledCorpus['_id']) => fills.replaceOne({ _id }, size, { upsert: true });
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
    // Those of the demo stores.
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
