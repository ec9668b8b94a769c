import { dayMs } from '@shopscope/clock';
import { vocabulary } from '@shopscope/fingerprint';
import { type MergedStore, mergedStore, storeBody } from '@shopscope/profiles';
import { Binary, type Collection, type Db, MongoBulkWriteError } from 'mongodb';
import {
  domainAfterGenerated,
  firstGeneratedDomain,
  generatedDomain,
  generatedObservations,
} from './generated-stores.ts';
import { createProgress } from './progress.ts';

/** How many stores are written, and the time up to which they were observed. */
export interface StoreCorpus {
  stores: number;
  nowMs: number;
}

type FilledCorpus = StoreCorpus & { _id: 'stores'; version: number };

/** A corpus with other values or members is written again. */
const version = 1;
const storesPerBatch = 1_000;
/** While one batch is inserted in MongoDB, the documents of the next one are made. */
const batchesAtOnce = 2;
const retentionDays = 1_827;

const entries = new Map(vocabulary.map((entry) => [entry.slug, entry]));

/** Returns store `n` as profiles merges its observations. */
export function generatedStore(n: number, nowMs: number): MergedStore {
  const context = { recordedAt: new Date(nowMs), find: (slug: string) => entries.get(slug), nowMs };
  return mergedStore(generatedObservations(n, nowMs), context) as MergedStore;
}

/**
 * Writes generated stores directly into the collections of profiles: what merges of their observations would leave, without the observations
 * and the events. Merges would take several times as long. Resolves to what is in the collections.
 *
 * - A run with more stores adds the missing ones, and one with fewer removes the others.
 * - The process is killed -> the next run writes the same stores again, and those that exist do not change.
 */
export async function fillStoreCorpus(
  { db, benchDb, siteUrl }: { db: Db; benchDb: Db; siteUrl: string },
  { stores, nowMs }: StoreCorpus,
  say: (line: string) => void,
): Promise<StoreCorpus> {
  const fills = benchDb.collection<FilledCorpus>('fills');
  const found = await fills.findOne({ _id: 'stores', version });
  if (!found) await removeStoresFrom(db, firstGeneratedDomain);
  const corpus = { stores, nowMs: found?.nowMs ?? nowMs };
  const record = (filled: StoreCorpus) => fills.replaceOne({ _id: 'stores' }, { ...filled, version }, { upsert: true });
  const first = found?.stores ?? 0;
  if (first === stores) return corpus;
  await record({ ...corpus, stores: Math.min(first, stores) });
  if (first > stores) await removeStoresFrom(db, generatedDomain(stores));
  else await writeStores(db, { siteUrl, nowMs: corpus.nowMs, first, end: stores }, say);
  await record(corpus);
  return corpus;
}

/** Removes the generated stores from a domain on. */
export async function removeStoresFrom(db: Db, domain: string): Promise<void> {
  const range = { $gte: domain, $lt: domainAfterGenerated };
  for (const name of ['stores', 'store_bodies']) await db.collection(name).deleteMany({ _id: range as never });
  for (const name of ['signals', 'observations']) await db.collection(name).deleteMany({ domain: range });
}

interface Span {
  siteUrl: string;
  nowMs: number;
  first: number;
  end: number;
}

/** Writes stores `first` to `end` - 1. */
export async function writeStores(
  db: Db,
  { siteUrl, nowMs, first, end }: Span,
  say: (line: string) => void,
): Promise<void> {
  const progress = createProgress({ what: 'stores', total: end, done: first, say });
  let next = first;
  let done = first;
  const work = async () => {
    while (next < end) {
      const from = next;
      next = Math.min(from + storesPerBatch, end);
      const stores = Array.from({ length: next - from }, (_, at) => generatedStore(from + at, nowMs));
      const bodies = stores.map(({ profile }) => ({ profile, ...storeBody(profile, siteUrl) }));
      await insert(db.collection('stores'), bodies.map(profileDocument));
      await insert(db.collection('store_bodies'), bodies.map(bodyDocument));
      await insert(db.collection('signals'), stores.flatMap(signalDocuments));
      done += stores.length;
      progress.update(done);
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, work));
}

type WithBody = { profile: MergedStore['profile'] } & ReturnType<typeof storeBody>;

/** As services/profiles/src/outbound/mongo/stores.ts writes it. */
function profileDocument({ profile: { domain, ...rest }, etag }: WithBody) {
  return { _id: domain, ...rest, etag };
}

/** As services/profiles/src/outbound/mongo/store-bodies.ts writes it. */
function bodyDocument({ profile, bytes, etag }: WithBody) {
  const { domain, sequence, firstScanAt, lastCompletedScanAt } = profile;
  return { _id: domain, body: new Binary(bytes), etag, sequence, firstScanAt, lastCompletedScanAt };
}

/** The confirmed signals, as services/profiles/src/outbound/mongo/signals.ts writes them. */
function signalDocuments({ profile, signals }: MergedStore) {
  return signals.map(({ signal: { id, ...rest }, values, recordedAt }) => {
    const forgetAt = new Date(rest.confirmedAt.getTime() + retentionDays * dayMs);
    return { _id: id, ...rest, ...values, recordedAt, sequence: profile.sequence, forgetAt };
  });
}

const duplicateKey = 11_000;

async function insert(collection: Collection, documents: readonly object[]): Promise<void> {
  if (documents.length === 0) return;
  try {
    await collection.insertMany(documents as object[], { ordered: false });
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.code !== duplicateKey) throw error;
  }
}
