import { importStores } from '@shopscope/admin/import-stores';
import { createGrpcClient } from '@shopscope/grpc';
import { ProfilesServiceService, topics } from '@shopscope/proto';
import { createStoreFactReader } from '@shopscope/search';
import { documentOf, type VersionedDocument } from '@shopscope/store-search';
import { type Db, MongoClient } from 'mongodb';
import { deleteTopics, kafkaOf, newTopicPrefix } from './consume-rows.ts';
import { firstGeneratedDomain, generatedDomain, generatedObservations } from './generated-stores.ts';
import { createProgress } from './progress.ts';
import { searchVocabulary } from './search-vocabulary.ts';
import { startProfiles } from './service-processes.ts';
import { removeStoresFrom, writeStores } from './store-corpus.ts';
import type { Bench } from './system.ts';

const database = 'bench_observed';
const storesPerPage = 500;

/**
 * Merges the observations of generated stores through profiles, in a database of its own, and compares the documents that search makes of
 * them with those of the same stores as they are written directly. Throws if two documents or their versions differ.
 */
export async function requireSameDocuments(bench: Bench, stores: number, nowMs: number): Promise<void> {
  const topicPrefix = newTopicPrefix();
  const kafka = kafkaOf(bench.system, topicPrefix);
  const mongo = await new MongoClient(bench.system.mongoUrl).connect();
  const db = mongo.db(database);
  try {
    await db.dropDatabase();
    await kafka.ensureTopics(topics, { waitMs: 30_000 });
    const profiles = await startProfiles(bench, { database, topicPrefix });
    try {
      await compare(
        { db, address: profiles.address, siteUrl: bench.system.dashboard.url },
        { stores, nowMs },
        bench.say,
      );
    } finally {
      await profiles.stop();
    }
  } finally {
    await db.dropDatabase();
    await mongo.close();
    await deleteTopics(kafka);
  }
}

/** As {@link requireSameDocuments}, with a running profiles. The database has the directly written stores afterwards. */
export async function compare(
  { db, address, siteUrl }: { db: Db; address: string; siteUrl: string },
  { stores, nowMs }: { stores: number; nowMs: number },
  say: (line: string) => void,
): Promise<void> {
  const profiles = createGrpcClient({ definition: ProfilesServiceService, address });
  try {
    const progress = createProgress({ what: 'stores merged', total: stores, say });
    const onProgress = ({ stores: done }: { stores: number }) => progress.update(done);
    await importStores({ profiles, stores: observed(stores, nowMs), environment: '', onProgress });
    const merged = await documents(createStoreFactReader(profiles));
    await removeStoresFrom(db, firstGeneratedDomain);
    await writeStores(db, { siteUrl, nowMs, first: 0, end: stores }, say);
    const written = await documents(createStoreFactReader(profiles));
    requireEqual(merged, written, stores);
  } finally {
    profiles.close();
  }
}

function* observed(stores: number, nowMs: number) {
  for (let n = 0; n < stores; n++) yield { domain: generatedDomain(n), observations: generatedObservations(n, nowMs) };
}

async function documents(facts: ReturnType<typeof createStoreFactReader>): Promise<VersionedDocument[]> {
  const found: VersionedDocument[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await facts.list(found.at(-1)?.id ?? '', storesPerPage);
    found.push(...page.stores.map((store) => documentOf(store, searchVocabulary)));
    hasMore = page.hasMore;
  }
  return found;
}

function requireEqual(merged: readonly VersionedDocument[], written: readonly VersionedDocument[], stores: number) {
  if (merged.length !== stores || written.length !== stores)
    throw new Error(`${merged.length} merged and ${written.length} written stores, not ${stores}`);
  for (const [at, document] of merged.entries()) {
    const [ofMerges, direct] = [JSON.stringify(document), JSON.stringify(written[at])];
    if (ofMerges !== direct) throw new Error(`the document of merges is ${ofMerges}, the written one ${direct}`);
  }
}
