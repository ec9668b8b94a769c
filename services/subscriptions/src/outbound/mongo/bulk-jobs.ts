import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db, Filter, UpdateFilter } from 'mongodb';
import {
  type BilledUnits,
  type BulkJob,
  type BulkJobState,
  type EndingState,
  endingStates,
  type JobRef,
  workingStates,
} from '../../domain/bulk-job.ts';

interface BulkJobDocument extends Omit<BulkJob, 'id'> {
  _id: string;
  /** Whether the job has steps that are not done. */
  isActive: boolean;
  /** Executions choose jobs in the order of their latest turn. */
  turnAt: Date;
  /** No step of the job starts earlier, because the latest one failed. */
  retryAt: Date;
  /** The token of the call that started the job. Absent if the call had none, and after 24 hours. */
  requestToken?: string;
}

/** The jobs of one workspace are together. Executions look for active jobs in every shard. */

/** It has the active jobs only. Searches of all of them name it, because the planner would read the ended jobs, too. */
const turnIndex = 'turns';

export const bulkJobCollection = {
  indexes: [
    { key: { workspaceId: 1, createdAt: -1, _id: -1 }, options: {} },
    { key: { workspaceId: 1, listIds: 1 }, options: { name: 'active', partialFilterExpression: { isActive: true } } },
    { key: { turnAt: 1 }, options: { name: turnIndex, partialFilterExpression: { isActive: true } } },
    {
      key: { workspaceId: 1, requestToken: 1 },
      options: { unique: true, partialFilterExpression: { requestToken: { $type: 'string' } } },
    },
    { key: { expiresAt: 1 }, options: { name: 'expired', partialFilterExpression: { expiresAt: { $type: 'date' } } } },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'ids are random',
  scatters: {
    'find isActive,retryAt': 'executions look for active jobs',
    'find isActive,progressAt,state': 'the timer looks for jobs that stand',
    'find expiresAt': 'the timer looks for expired jobs',
    'aggregate isActive': 'metrics count the active jobs',
  },
} as const satisfies CollectionDefinition;

const unendedStates = [...workingStates, ...endingStates];

/** The place of a job in the order of pages: the newest first, then by id, descending. */
export interface JobPosition {
  createdAt: Date;
  id: string;
}

export interface JobFilter {
  /** An empty list selects all jobs. */
  types: readonly BulkJob['type'][];
  states: readonly BulkJobState[];
  ids: readonly string[];
  after: JobPosition | undefined;
}

/** The counts that a step adds to its job. */
export interface JobProgress {
  done: number;
  failed: number;
  billed: BilledUnits;
  /** Changes of the counts of stored steps. */
  stored: { steps: number; units: number };
  /** The total, if the step has shown it to be another one. */
  total?: number | undefined;
}

export type BulkJobStore<E extends Environment> = Handles<E> & ReturnType<typeof bulkJobStore<E>>;

/** Every command has the shard key, except for the searches of executions and of the timer. */
export const createBulkJobStore = <E extends Environment>(db: Db, environment: E): BulkJobStore<E> =>
  bulkJobStore(db.collection<BulkJobDocument>(nameIn(environment, 'bulk_jobs', '_')), environment);

function bulkJobStore<E extends Environment>(collection: Collection<BulkJobDocument>, environment: E) {
  const byRef = ({ workspaceId, id }: JobRef<E>) => ({ _id: id, workspaceId });
  const change = async (
    ref: JobRef<E>,
    states: readonly BulkJobState[],
    update: UpdateFilter<BulkJobDocument>,
    tx: Tx | { maxTimeMS: number },
  ) => {
    const filter = { ...byRef(ref), state: { $in: [...states] } };
    const found = await collection.findOneAndUpdate(filter, update, { ...tx, returnDocument: 'after' });
    return found && toJob(found);
  };
  const visible = (now: Date): Filter<BulkJobDocument> => ({
    state: { $ne: 'preparing' },
    $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
  });

  return {
    environment,

    /** Inserts a job that no call sees. */
    async insert({ id, ...job }: BulkJob, _tenant: Tenant<E>, tx: Tx): Promise<void> {
      const schedule = { isActive: false, turnAt: job.createdAt, retryAt: job.createdAt };
      await collection.insertOne({ _id: id, ...job, ...schedule }, tx);
    },

    /** Returns the job that a call with the token has started since then. Older jobs lose the token. */
    async findStarted({ workspaceId }: Tenant<E>, requestToken: string, since: Date, tx: Tx): Promise<BulkJob | null> {
      const query = { workspaceId, requestToken };
      await collection.updateMany({ ...query, createdAt: { $lte: since } }, { $unset: { requestToken: 1 } }, tx);
      const found = await collection.findOne(query, tx);
      return found && toJob(found);
    },

    /** Returns the number of exports that are kept. */
    countExports: ({ workspaceId }: Tenant<E>, now: Date, limit: number, tx: Tx): Promise<number> =>
      collection.countDocuments({ workspaceId, type: 'export', ...visible(now) }, { ...tx, limit }),

    countActive: ({ workspaceId }: Tenant<E>, tx: Tx): Promise<number> =>
      collection.countDocuments({ workspaceId, isActive: true }, tx),

    /** Shows a prepared job. Returns null if the job no longer exists. */
    start: (ref: JobRef<E>, total: number, requestToken: string, tx: Tx) => {
      const token = requestToken ? { requestToken } : {};
      const members = { state: 'queued' as const, isActive: true, total, expiresAt: null, ...token };
      return change(ref, ['preparing'], { $set: members }, tx);
    },

    async find(ref: JobRef<E>, now: Date, options: Tx | { maxTimeMS: number }): Promise<BulkJob | null> {
      const found = await collection.findOne({ ...byRef(ref), ...visible(now) }, options);
      return found && toJob(found);
    },

    /** Lets the timer delete a job that no call has seen. */
    async discard(ref: JobRef<E>, now: Date, options: Tx | number): Promise<void> {
      const prepared = { ...byRef(ref), state: 'preparing' as const };
      const update = { $set: { expiresAt: now } };
      await collection.updateOne(prepared, update, typeof options === 'number' ? { maxTimeMS: options } : options);
    },

    /** Returns jobs, the newest first, then by id, descending. */
    async list(
      { workspaceId }: Tenant<E>,
      { types, states, ids, after }: JobFilter,
      now: Date,
      limit: number,
      maxTimeMS: number,
    ): Promise<BulkJob[]> {
      const behind = after && {
        $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id: { $lt: after.id } }],
      };
      const query: Filter<BulkJobDocument> = {
        workspaceId,
        ...(ids.length > 0 && { _id: { $in: [...ids] } }),
        $and: [
          visible(now),
          ...(types.length > 0 ? [{ type: { $in: [...types] } }] : []),
          ...(states.length > 0 ? [{ state: { $in: [...states] } }] : []),
          ...(behind ? [behind] : []),
        ],
      };
      const found = collection.find(query, { maxTimeMS }).sort({ createdAt: -1, _id: -1 });
      return (await found.limit(limit).toArray()).map(toJob);
    },

    /** Returns active jobs that may have a turn, the longest waiting first. */
    async listWaiting(now: Date, limit: number, maxTimeMS: number): Promise<{ ref: JobRef<E>; turnAt: Date }[]> {
      const options = { maxTimeMS, projection: { workspaceId: 1, turnAt: 1 } } as const;
      const found = collection.find({ isActive: true, retryAt: { $lte: now } }, options).sort({ turnAt: 1 });
      return (await found.limit(limit).toArray()).map(({ _id: id, workspaceId, turnAt }) => ({
        ref: { environment, workspaceId, id },
        turnAt,
      }));
    },

    /** Returns active jobs of a list, or of any list of the workspace. */
    async listActive({ workspaceId }: Tenant<E>, listId: string | undefined, limit: number, maxTimeMS: number) {
      const options = { maxTimeMS, projection: { _id: 1 } } as const;
      const query = { workspaceId, ...(listId !== undefined && { listIds: listId }), isActive: true };
      const found = await collection.find(query, options).limit(limit).toArray();
      return found.map(({ _id: id }): JobRef<E> => ({ environment, workspaceId, id }));
    },

    /** Notes a turn of an active job. A queued job is running from then on. */
    takeTurn: (ref: JobRef<E>, now: Date, maxTimeMS: number) =>
      collection
        .findOneAndUpdate(
          { ...byRef(ref), isActive: true },
          [
            {
              $set: {
                turnAt: now,
                startedAt: { $ifNull: ['$startedAt', now] },
                state: { $cond: [{ $eq: ['$state', 'queued'] }, 'running', '$state'] },
              },
            },
          ],
          { maxTimeMS, returnDocument: 'after' },
        )
        .then((found) => found && toJob(found)),

    /** Lets the job wait after a step that failed. */
    async delay(ref: JobRef<E>, retryAt: Date, maxTimeMS: number): Promise<void> {
      await collection.updateOne(byRef(ref), { $set: { retryAt } }, { maxTimeMS });
    },

    /** Counts results of which the units are not billed yet. Returns null if the job is not running. */
    addStored: (ref: JobRef<E>, { steps, units }: JobProgress['stored'], tx: Tx) =>
      change(ref, ['running'], { $inc: { 'stored.steps': steps, 'stored.units': units } }, tx),

    /** Counts a step that has ended. Returns null if the job has ended. */
    addProgress: (ref: JobRef<E>, { done, failed, billed, stored, total }: JobProgress, now: Date, tx: Tx) =>
      change(
        ref,
        unendedStates,
        {
          $inc: {
            done,
            failed,
            'billed.lookupCached': billed.lookupCached,
            'billed.lookupLive': billed.lookupLive,
            'billed.historyQuery': billed.historyQuery,
            'stored.steps': stored.steps,
            'stored.units': stored.units,
          },
          $set: { progressAt: now, retryAt: now, ...(total !== undefined && { total }) },
        },
        tx,
      ),

    /** Lets an export read another edition. Returns null if it is not running. */
    setEdition: (
      ref: JobRef<E>,
      { editionId, ...members }: Pick<BulkJob, 'total' | 'maxUnits'> & { editionId: string },
      maxTimeMS: number,
    ) => change(ref, ['running'], { $set: { 'export.editionId': editionId, ...members } }, { maxTimeMS }),

    /** Sets why the stores without a result get an error. The first reason stays. */
    async refuse(ref: JobRef<E>, refusal: BulkJob['refusal'], options: Tx | { maxTimeMS: number }): Promise<void> {
      await collection.updateOne({ ...byRef(ref), refusal: null }, { $set: { refusal } }, options);
    },

    /** Lets a job end when its stored steps have ended. Returns null if it has ended, or is ending already. */
    beginEnd: (ref: JobRef<E>, state: EndingState, tx: Tx) => change(ref, workingStates, { $set: { state } }, tx),

    /** Ends a job. Returns null if it has ended. */
    end: (ref: JobRef<E>, members: Pick<BulkJob, 'state' | 'error'> & { finishedAt: Date; expiresAt: Date }, tx: Tx) =>
      change(ref, unendedStates, { $set: { ...members, isActive: false } }, tx),

    /** Returns jobs in these states without progress since then. */
    async listStanding(
      states: readonly BulkJobState[],
      since: Date,
      limit: number,
      maxTimeMS: number,
    ): Promise<JobRef<E>[]> {
      const query = { isActive: true, state: { $in: [...states] }, progressAt: { $lte: since } };
      const found = await collection
        .find(query, { maxTimeMS, projection: { workspaceId: 1 }, hint: turnIndex })
        .limit(limit)
        .toArray();
      return found.map(({ _id: id, workspaceId }) => ({ environment, workspaceId, id }));
    },

    /** Returns the number of active jobs, and the oldest progress of them. */
    async activity(maxTimeMS: number): Promise<{ active: number; oldestProgressAt: Date | null }> {
      const group = { $group: { _id: null, active: { $sum: 1 }, oldest: { $min: '$progressAt' } } };
      const found = collection.aggregate<{ active: number; oldest: Date }>([{ $match: { isActive: true } }, group], {
        maxTimeMS,
        hint: turnIndex,
      });
      const [row] = await found.toArray();
      return { active: row?.active ?? 0, oldestProgressAt: row?.oldest ?? null };
    },

    /** Returns jobs that have expired, the oldest first. */
    async listExpired(now: Date, limit: number, maxTimeMS: number): Promise<JobRef<E>[]> {
      const options = { maxTimeMS, projection: { workspaceId: 1 } } as const;
      const found = collection
        .find({ expiresAt: { $lte: now } }, options)
        .sort({ expiresAt: 1 })
        .limit(limit);
      return (await found.toArray()).map(({ _id: id, workspaceId }) => ({ environment, workspaceId, id }));
    },

    async delete(ref: JobRef<E>, maxTimeMS: number): Promise<void> {
      await collection.deleteOne(byRef(ref), { maxTimeMS });
    },

    /** Deletes at most `limit` jobs of a deleted workspace. */
    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),

    countActiveEverywhere: (): Promise<number> => collection.countDocuments({ isActive: true }, { hint: turnIndex }),
  };
}

function toJob(document: BulkJobDocument): BulkJob {
  const { _id, isActive: _, turnAt: __, retryAt: ___, requestToken: ____, ...job } = document;
  return { id: _id, ...job };
}
