import type { CreateIndexesOptions, Db, IndexSpecification } from 'mongodb';

export interface IndexDefinition {
  key: IndexSpecification;
  options?: CreateIndexesOptions;
}

/** Creates missing collections and indexes. It is idempotent, and several instances may call it at the same time. */
export async function ensureIndexes(db: Db, byCollection: Record<string, readonly IndexDefinition[]>): Promise<void> {
  const existing = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const [collection, indexes] of Object.entries(byCollection)) {
    // The implicit creation of a collection within a transaction fails under contention, so it is created before.
    if (!existing.has(collection)) await db.createCollection(collection).catch(ignoreExisting);
    for (const { key, options } of indexes) await db.collection(collection).createIndex(key, options ?? {});
  }
}

const namespaceExists = 48;

function ignoreExisting(error: unknown): void {
  if ((error as { code?: unknown }).code !== namespaceExists) throw error;
}
