import type { CreateIndexesOptions, Db, IndexDescription } from 'mongodb';

export interface IndexDefinition {
  key: IndexDescription['key'];
  options?: CreateIndexesOptions;
}

/** Creates missing collections and indexes, with one command per collection. */
export async function createCollections(
  db: Db,
  collections: readonly (readonly [name: string, indexes: readonly IndexDefinition[]])[],
): Promise<void> {
  const existing = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const [collection, indexes] of collections) {
    // The implicit creation of a collection within a transaction fails under contention, so it is created before. createIndexes creates it.
    if (indexes.length > 0)
      await db.collection(collection).createIndexes(indexes.map(({ key, options }) => ({ key, ...options })));
    else if (!existing.has(collection)) await db.createCollection(collection).catch(ignoreExisting);
  }
}

const namespaceExists = 48;

function ignoreExisting(error: unknown): void {
  if ((error as { code?: unknown }).code !== namespaceExists) throw error;
}
