import type { BSON, Db, MongoClient } from 'mongodb';

/** A collection to dump. */
export interface Listed {
  database: string;
  name: string;
  options: BSON.Document;
  indexes: BSON.Document[];
  /** The approximate bytes of its documents, because services write while MongoDB counts. */
  bytes: number;
}

/** Returns the approximate bytes that a dump of the databases would have now. */
export async function expectedBytes(client: MongoClient, databases: readonly string[]): Promise<number> {
  const listed = await Promise.all(databases.map((name) => listCollections(client.db(name))));
  return sumOfBytes(listed.flat());
}

export const sumOfBytes = (listed: readonly Listed[]): number => listed.reduce((sum, { bytes }) => sum + bytes, 0);

/** Definitions are read before the documents, because MongoDB cannot list collections of a snapshot. */
export async function listCollections(db: Db): Promise<Listed[]> {
  const collections = await db.listCollections({ type: 'collection' }).toArray();
  if (collections.length === 0) throw new Error(`the database ${db.databaseName} has no collections`);
  const named = collections.filter(({ name }) => !name.startsWith('system.'));
  return Promise.all(
    named.map(async (each) => ({
      database: db.databaseName,
      name: each.name,
      options: ('options' in each ? each.options : undefined) ?? {},
      indexes: await db.collection(each.name).listIndexes().toArray(),
      bytes: await bytesOf(db, each.name),
    })),
  );
}

async function bytesOf(db: Db, name: string): Promise<number> {
  const [found] = await db
    .collection(name)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray();
  return found?.storageStats.size ?? 0;
}
