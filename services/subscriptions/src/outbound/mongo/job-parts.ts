import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import { Binary, type Collection, type Db } from 'mongodb';
import type { JobRef } from '../../domain/bulk-job.ts';

/** A piece of a part, or the stores of the lists of an export. */
interface PieceDocument {
  workspaceId: string;
  jobId: string;
  step: number;
  /** Of the execution that wrote it. */
  token: string;
  /** The position in the uncompressed part. */
  start: number;
  /** Of the uncompressed piece. */
  bytes: number;
  gzip: Binary;
}

export interface Piece {
  start: number;
  bytes: number;
  /** A member of gzip. */
  gzip: Buffer;
}

/** The pieces of one job are together. */

export const jobPartCollection = {
  indexes: [{ key: { workspaceId: 1, jobId: 1, step: 1, token: 1, start: 1 }, options: { unique: true } }],
  shardKey: { workspaceId: 1, jobId: 1 },
  uniqueId: 'ids are random',
} as const satisfies CollectionDefinition;

/** The step under which the stores of the lists are kept. */
const listsStep = -1;

export type JobPartStore<E extends Environment> = Handles<E> & ReturnType<typeof jobPartStore<E>>;

/** The parts of exports. A step names the token of its part, so pieces of other executions are never read. Every command has the shard key. */
export const createJobPartStore = <E extends Environment>(db: Db, environment: E): JobPartStore<E> =>
  jobPartStore(db.collection<PieceDocument>(nameIn(environment, 'bulk_job_parts', '_')), environment);

function jobPartStore<E extends Environment>(collection: Collection<PieceDocument>, environment: E) {
  const ofJob = ({ workspaceId, id }: JobRef<E>) => ({ workspaceId, jobId: id });
  const insert = async (ref: JobRef<E>, step: number, token: string, piece: Piece, maxTimeMS: number) => {
    const { start, bytes, gzip } = piece;
    await collection.insertOne({ ...ofJob(ref), step, token, start, bytes, gzip: new Binary(gzip) }, { maxTimeMS });
  };

  return {
    environment,
    insert,

    /** Returns the piece that has the position, or undefined behind the end. */
    async find(
      ref: JobRef<E>,
      { step, token }: { step: number; token: string },
      position: number,
      maxTimeMS: number,
    ): Promise<Piece | undefined> {
      const query = { ...ofJob(ref), step, token, start: { $lte: position } };
      const found = await collection.findOne(query, { maxTimeMS, sort: { start: -1 } });
      if (!found || position >= found.start + found.bytes) return undefined;
      const { start, bytes, gzip } = found;
      return { start, bytes, gzip: Buffer.from(gzip.value()) };
    },

    saveLists: (ref: JobRef<E>, lists: Buffer, maxTimeMS: number) =>
      insert(ref, listsStep, '', { start: 0, bytes: 0, gzip: lists }, maxTimeMS),

    async findLists(ref: JobRef<E>, maxTimeMS: number): Promise<Buffer | undefined> {
      const found = await collection.findOne({ ...ofJob(ref), step: listsStep }, { maxTimeMS });
      return found ? Buffer.from(found.gzip.value()) : undefined;
    },

    /** Deletes the pieces of a step, of all executions. */
    async remove(ref: JobRef<E>, steps: readonly number[], maxTimeMS: number): Promise<void> {
      await collection.deleteMany({ ...ofJob(ref), step: { $in: [...steps] } }, { maxTimeMS });
    },

    async removeLists(ref: JobRef<E>, maxTimeMS: number): Promise<void> {
      await collection.deleteMany({ ...ofJob(ref), step: listsStep }, { maxTimeMS });
    },

    /** Deletes at most `limit` pieces of a deleted workspace. */
    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}
