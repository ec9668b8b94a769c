import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BSON, type ClientSession, type Db, type MongoClient } from 'mongodb';
import { writeDocuments } from './documents.ts';
import { type CollectionDump, type Manifest, writeManifest } from './manifest.ts';
import { isMongos } from './topology.ts';

export interface DumpOptions {
  client: MongoClient;
  databases: readonly string[];
  directory: string;
  report?(line: string): void;
}

/**
 * Dumps the databases of one replica set as of one instant, while services write to them.
 *
 * - Consistency: one snapshot session reads every collection at the cluster time of its first read.
 * - Bounds: MongoDB keeps that snapshot for `minSnapshotHistoryWindowInSeconds`, by default 300. Memory: a few chunks
 *   of 4 MiB and one fetch.
 * - A sharded cluster is refused: chunks that move between shards during the dump could be missing or doubled.
 * - Interrupted dump -> it has no manifest, because the manifest is written last. It cannot be restored.
 */
export async function dump(options: DumpOptions): Promise<Manifest> {
  const { client, databases, directory, report = () => {} } = options;
  if (await isMongos(client)) throw new Error(shardedRefusal);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);

  const listed = await Promise.all(databases.map((name) => listCollections(client.db(name))));
  const session = client.startSession({ snapshot: true });
  try {
    const manifest: Manifest = { version: 1, snapshotAt: '', databases: [] };
    for (const [index, name] of databases.entries()) {
      await mkdir(join(directory, name), { mode: 0o700 });
      const collections: CollectionDump[] = [];
      for (const collection of listed[index] ?? []) {
        const dumped = await dumpCollection(client.db(name), collection, directory, session);
        report(`${name}.${dumped.name}: ${dumped.documents} documents, ${dumped.bytes} bytes`);
        collections.push(dumped);
      }
      manifest.databases.push({ name, collections });
    }
    manifest.snapshotAt = instantOf(session).toISOString();
    await writeManifest(directory, manifest);
    return manifest;
  } catch (error) {
    throw explained(error);
  } finally {
    await session.endSession();
  }
}

const shardedRefusal =
  'a dump reads one replica set as of one instant; it cannot do that over the shards of a cluster, so use the backup of the database provider';

interface Listed {
  name: string;
  options: BSON.Document;
  indexes: BSON.Document[];
}

/** Definitions are read before the documents, because MongoDB cannot list collections of a snapshot. */
async function listCollections(db: Db): Promise<Listed[]> {
  const collections = await db.listCollections({ type: 'collection' }).toArray();
  if (collections.length === 0) throw new Error(`the database ${db.databaseName} has no collections`);
  const named = collections.filter(({ name }) => !name.startsWith('system.'));
  return Promise.all(
    named.map(async (each) => ({
      name: each.name,
      options: ('options' in each ? each.options : undefined) ?? {},
      indexes: await db.collection(each.name).listIndexes().toArray(),
    })),
  );
}

async function dumpCollection(db: Db, { name, options, indexes }: Listed, directory: string, session: ClientSession) {
  const file = `${db.databaseName}/${encodeURIComponent(name)}.bson`;
  const summary = await writeDocuments(db.collection(name), join(directory, file), session);
  const asText = (value: BSON.Document | BSON.Document[]) => BSON.EJSON.stringify(value, { relaxed: false });
  return { name, file, ...summary, options: asText(options), indexes: asText(indexes) };
}

/** The high half of the session's cluster time is seconds. */
function instantOf(session: ClientSession): Date {
  const { snapshotTime } = session as ClientSession & { snapshotTime?: BSON.Timestamp };
  if (!snapshotTime) throw new Error('nothing was read at a snapshot');
  return new Date(snapshotTime.getHighBitsUnsigned() * 1_000);
}

const snapshotTooOld = 239;
const snapshotUnavailable = 246;

function explained(error: unknown): unknown {
  const { code, message } = error as { code?: number; message?: string };
  if (code !== snapshotTooOld && code !== snapshotUnavailable) return error;
  const advice = 'set minSnapshotHistoryWindowInSeconds to more than the duration of the dump';
  return new Error(`MongoDB does not keep the snapshot (${message}): ${advice}`, { cause: error });
}
