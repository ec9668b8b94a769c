import type { CreateIndexesOptions, Db, IndexSpecification } from 'mongodb';

export interface IndexDefinition {
  key: IndexSpecification;
  options?: CreateIndexesOptions;
}

/** Creates the collections and indexes that are missing; running it again, or in several instances, changes nothing. */
export async function ensureIndexes(db: Db, byCollection: Record<string, readonly IndexDefinition[]>): Promise<void> {
  const existing = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const [collection, indexes] of Object.entries(byCollection)) {
    // A transaction cannot create a collection implicitly under contention; here it exists before the first one.
    if (!existing.has(collection)) await db.createCollection(collection).catch(ignoreExisting);
    for (const { key, options } of indexes) await db.collection(collection).createIndex(key, options ?? {});
  }
}

const namespaceExists = 48;

function ignoreExisting(error: unknown): void {
  if ((error as { code?: unknown }).code !== namespaceExists) throw error;
}
