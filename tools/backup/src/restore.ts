import { join } from 'node:path';
import { BSON, type Collection, type Db, type MongoClient } from 'mongodb';
import { documentsIn, readDocuments } from './documents.ts';
import { type CollectionDump, type Manifest, readManifest } from './manifest.ts';
import { raiseSequenceFloor } from './sequence-floor.ts';
import { shardCommands } from './shard-keys.ts';
import { isMongos } from './topology.ts';

export interface RestoreOptions {
  client: MongoClient;
  directory: string;
  databases?: readonly string[];
  report?(line: string): void;
}

/**
 * Restores databases of a dump into empty databases.
 *
 * 1. Refuse when a database contains a document: nothing is overwritten or mixed.
 * 2. Create the collections with their options and shard them by their declared keys, if the server is a mongos. A collection that
 *    `shardCollection` creates would have no validator.
 * 3. Insert the documents with majority write concern, in batches. A validator may be newer than documents that violate it.
 * 4. Read each collection back and compare its digest with the dump's.
 * 5. Create the indexes, unique ones included.
 * 6. Raise the floor of the sequences, if scan-scheduler's database was restored.
 *
 * Failure after step 1 -> a part is restored: drop the database and start again. Services must be stopped.
 */
export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { client, directory, report = () => {} } = options;
  const manifest = await readManifest(directory);
  const known = manifest.databases.map(({ name }) => name);
  const wanted = options.databases ?? known;
  const missing = wanted.filter((name) => !known.includes(name));
  if (missing.length > 0) throw new Error(`the dump has no database ${missing.join(', ')}; it has ${known.join(', ')}`);

  const chosen = manifest.databases.filter(({ name }) => wanted.includes(name));
  // Step 1: the refusal.
  for (const { name } of chosen) await refuseUnlessEmpty(client.db(name));
  const isSharded = await isMongos(client);
  for (const { name, collections } of chosen) {
    // Step 2: the collections and their shard keys.
    for (const collection of collections) await createUnlessThere(client.db(name), collection);
    const names = collections.map((collection) => collection.name);
    for (const command of isSharded ? shardCommands(name, names) : []) await client.db('admin').command(command);
    for (const collection of collections) {
      await restoreCollection(client.db(name), collection, directory);
      report(`${name}.${collection.name}: ${collection.documents} documents`);
    }
    // Step 6: the floor of the sequences.
    if (collections.some((collection) => collection.name === 'scan_targets')) await raiseSequenceFloor(client.db(name));
  }
  return { ...manifest, databases: chosen };
}

async function refuseUnlessEmpty(db: Db): Promise<void> {
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    const found = await db.collection(name).findOne({}, { projection: { _id: 1 } });
    if (found)
      throw new Error(`${db.databaseName}.${name} is not empty; a restore never overwrites. Drop the database first`);
  }
}

async function createUnlessThere(db: Db, { name, options }: CollectionDump): Promise<void> {
  const there = await db.listCollections({ name }, { nameOnly: true }).toArray();
  if (there.length === 0) await db.createCollection(name, BSON.EJSON.parse(options, { relaxed: false }));
}

async function restoreCollection(db: Db, dumped: CollectionDump, directory: string): Promise<void> {
  const { name } = dumped;
  // Step 3: the documents.
  const collection = db.collection(name, { writeConcern: { w: 'majority', journal: true } });
  await insertDocuments(collection, join(directory, dumped.file));

  // Step 4: the digest.
  const found = await readDocuments(db.collection(name, { readConcern: { level: 'majority' } }), {});
  if (found.sha256 !== dumped.sha256 || found.documents !== dumped.documents) {
    throw new Error(
      `${dumped.file} was not restored as it was dumped: ${found.documents} of ${dumped.documents} documents, ${found.sha256} instead of ${dumped.sha256}`,
    );
  }
  // Step 5: the indexes.
  const indexes = BSON.EJSON.parse(dumped.indexes, { relaxed: false }) as BSON.Document[];
  const further = indexes.filter((index) => index.name !== '_id_');
  if (further.length > 0) await db.command({ createIndexes: name, indexes: further, writeConcern: { w: 'majority' } });
}

/** Keeps the BSON types: a double with an integer value stays a double. */
const exact = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

async function insertDocuments(collection: Collection, path: string): Promise<void> {
  for await (const batch of documentsIn(path)) {
    const documents = batch.map((bytes) => BSON.deserialize(bytes, exact));
    await collection.insertMany(documents, { ordered: true, ignoreUndefined: false, bypassDocumentValidation: true });
  }
}
