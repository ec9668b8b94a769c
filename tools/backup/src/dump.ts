import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, hourMs, systemClock } from '@shopscope/clock';
import { BSON, type ClientSession, type MongoClient } from 'mongodb';
import { type Listed, listCollections, sumOfBytes } from './collections.ts';
import { writeDocuments } from './documents.ts';
import { type CollectionDump, type Manifest, writeManifest } from './manifest.ts';
import { removeDump } from './remove-dump.ts';
import { createSnapshotPace, readSnapshotWindowMs, type SnapshotPace, windowAdvice } from './snapshot-pace.ts';
import { isMongos } from './topology.ts';

export interface DumpOptions {
  client: MongoClient;
  databases: readonly string[];
  directory: string;
  report?(line: string): void;
  abort?: AbortSignal;
  clock?: Pick<Clock, 'monotonicMs' | 'after'>;
}

/** An unfinished dump that is older than this is of a process that ended. */
export const maxDumpMs = 2 * hourMs;
/** A single reader would wait for the disk of MongoDB and for that of the dump in turn. */
const maxReaders = 4;

/**
 * Dumps the databases of one replica set as of one instant, while services write to them.
 *
 * - Consistency: each reader reads whole collections, and all readers read at one cluster time.
 * - Bounds: MongoDB keeps that snapshot for `minSnapshotHistoryWindowInSeconds`, by default 300. The largest collections are
 *   read first. Memory: for each of {@link maxReaders} readers a few chunks of 4 MiB and one fetch.
 * - The rate shows that the window is too short, or {@link maxDumpMs} have passed -> the dump fails and says so.
 * - A sharded cluster is refused, because no test reads one while chunks move between its shards.
 * - Failed or aborted dump, a full disk included -> its directory is removed.
 * - Killed process -> the directory has no manifest, because the manifest is written last. It cannot be restored.
 */
export async function dump(options: DumpOptions): Promise<Manifest> {
  const { client, databases, directory, clock = systemClock } = options;
  if (await isMongos(client)) throw new Error(shardedRefusal);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`);
  const timeout = new AbortController();
  const cancelTimeout = clock.after(maxDumpMs, () => timeout.abort(new Error(`a dump may take ${maxDumpMs} ms`)));
  const startMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - startMs;
  let pace: SnapshotPace | undefined;
  try {
    const abort = AbortSignal.any([timeout.signal, ...(options.abort ? [options.abort] : [])]);
    const listed = await Promise.all(databases.map((name) => listCollections(client.db(name))));
    const expectedBytes = sumOfBytes(listed.flat());
    pace = createSnapshotPace({ windowMs: await readSnapshotWindowMs(client), expectedBytes, elapsedMs });
    for (const name of databases) await mkdir(join(directory, name), { mode: 0o700 });
    const { snapshotAt, dumped } = await readAtOneInstant({ ...options, abort, listed: listed.flat(), pace });
    const manifest: Manifest = {
      version: 1,
      snapshotAt: snapshotAt.toISOString(),
      tookMs: Math.round(elapsedMs()),
      databases: databases.map((name, n) => ({
        name,
        collections: (listed[n] ?? []).map((collection) => dumped.get(collection) as CollectionDump),
      })),
    };
    await writeManifest(directory, manifest);
    return manifest;
  } catch (error) {
    await removeDump(directory).catch(() => {});
    throw explained(error, pace);
  } finally {
    cancelTimeout();
  }
}

const shardedRefusal =
  'a dump reads one replica set as of one instant; over the shards of a cluster this is not tested, so use the backup of the database provider';

interface Reading extends DumpOptions {
  abort: AbortSignal;
  listed: readonly Listed[];
  pace: SnapshotPace;
}

async function readAtOneInstant({ client, directory, abort, listed, pace, report = () => {} }: Reading) {
  const dumped = new Map<Listed, CollectionDump>();
  const waiting = listed.toSorted((a, b) => b.bytes - a.bytes);
  const snapshotTime = await currentSnapshotTime(client, waiting);
  const failed = new AbortController();
  const anyAbort = AbortSignal.any([abort, failed.signal]);
  const readInTurn = async () => {
    const session: SnapshotSession = client.startSession({ snapshot: true });
    session.snapshotTime = snapshotTime;
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const one = await dumpCollection(next, { client, directory, session, abort: anyAbort, pace });
        report(`${next.database}.${one.name}: ${one.documents} documents, ${one.bytes} bytes`);
        dumped.set(next, one);
      }
    } catch (error) {
      failed.abort(error);
    } finally {
      await session.endSession();
    }
  };
  await Promise.all(Array.from({ length: maxReaders }, readInTurn));
  anyAbort.throwIfAborted();
  // The high half of a cluster time is seconds.
  return { snapshotAt: new Date(snapshotTime.getHighBitsUnsigned() * 1_000), dumped };
}

/** The driver sets the time at the first read of a session, and sends it with each read. */
type SnapshotSession = ClientSession & { snapshotTime?: BSON.Timestamp };

/** The cluster time of a read now. */
async function currentSnapshotTime(client: MongoClient, [first]: readonly Listed[]): Promise<BSON.Timestamp> {
  if (!first) throw new Error('there is nothing to dump');
  const session: SnapshotSession = client.startSession({ snapshot: true });
  try {
    await client
      .db(first.database)
      .collection(first.name)
      .findOne({}, { session, projection: { _id: 1 } });
    if (!session.snapshotTime) throw new Error('nothing was read at a snapshot');
    return session.snapshotTime;
  } finally {
    await session.endSession();
  }
}

async function dumpCollection(
  { database, name, options, indexes }: Listed,
  to: { client: MongoClient; directory: string; session: ClientSession; abort: AbortSignal; pace: SnapshotPace },
): Promise<CollectionDump> {
  const file = `${database}/${encodeURIComponent(name)}.bson`;
  const summary = await writeDocuments(to.client.db(database).collection(name), join(to.directory, file), to);
  const asText = (value: BSON.Document | BSON.Document[]) => BSON.EJSON.stringify(value, { relaxed: false });
  return { name, file, ...summary, options: asText(options), indexes: asText(indexes) };
}

const snapshotTooOld = 239;
const snapshotUnavailable = 246;

function explained(error: unknown, pace: SnapshotPace | undefined): unknown {
  const { code, message } = error as { code?: number | string; message?: string };
  if (code === 'ENOSPC') return new Error(`the volume is full: ${message}`);
  if (code !== snapshotTooOld && code !== snapshotUnavailable) return error;
  return new Error(`MongoDB does not keep the snapshot (${message}): ${pace?.estimate()}; ${windowAdvice}`, {
    cause: error,
  });
}
