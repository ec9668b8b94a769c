import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db, Filter } from 'mongodb';
import type { EndpointRef } from '../../domain/endpoint.ts';
import type { Replay, ReplayCursor, ReplayRef, ReplayState } from '../../domain/replay.ts';

interface ReplayDocument extends Omit<Replay, 'id'> {
  _id: string;
  /** Whether the job has not ended. */
  isActive: boolean;
  /** Executions choose jobs in the order of their latest turn. While one executes a step, it is the end of its lease. */
  turnAt: Date;
  token: string;
  /** Present after a cancellation: the step that was being executed may queue deliveries until then, which are withdrawn. */
  withdrawsUntil?: Date;
  /** The token of the call that started the job. Absent if the call had none, and after 24 hours. */
  requestToken?: string;
}

export const replayCollection = {
  indexes: [
    { key: { workspaceId: 1, createdAt: -1, _id: -1 }, options: {} },
    { key: { turnAt: 1 }, options: { name: 'turns', partialFilterExpression: { isActive: true } } },
    { key: { workspaceId: 1, isActive: 1 }, options: { name: 'active', partialFilterExpression: { isActive: true } } },
    {
      key: { workspaceId: 1, requestToken: 1 },
      options: { unique: true, partialFilterExpression: { requestToken: { $type: 'string' } } },
    },
    {
      key: { withdrawsUntil: 1 },
      options: { name: 'withdrawing', partialFilterExpression: { withdrawsUntil: { $type: 'date' } } },
    },
    { key: { expiresAt: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  shardKey: { workspaceId: 1 },
  uniqueId: 'ids are random',
  scatters: {
    'find isActive,turnAt': 'executions look for active jobs',
    'find withdrawsUntil': 'the timer looks for canceled jobs',
    'find isActive,progressAt': 'the timer looks for jobs that stand',
  },
} as const satisfies CollectionDefinition;

export interface ReplayPosition {
  createdAt: Date;
  id: string;
}
export interface ReplayFilter {
  /** An empty list selects all jobs. */
  states: readonly ReplayState[];
  ids: readonly string[];
  after: ReplayPosition | undefined;
}

/** A job whose step this process executes. */
export interface LeasedReplay extends Replay {
  token: string;
}

/** A canceled job, until its deliveries are withdrawn. */
export interface Withdrawal<E extends Environment> {
  ref: ReplayRef<E>;
  endpointId: string;
  until: Date;
}

export type ReplayStore<E extends Environment> = Handles<E> & ReturnType<typeof replayStore<E>>;

/** Every command has the shard key, except for the searches of executions. */
export const createReplayStore = <E extends Environment>(db: Db, environment: E): ReplayStore<E> =>
  replayStore(db.collection<ReplayDocument>(nameIn(environment, 'replays', '_')), environment);

const noLease = '';
/** Another instance may lease a candidate first. */
const maxCandidates = 10;

function replayStore<E extends Environment>(collection: Collection<ReplayDocument>, environment: E) {
  const byRef = ({ workspaceId, id }: ReplayRef<E>) => ({ _id: id, workspaceId });
  const visible = (now: Date): Filter<ReplayDocument> => ({ $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] });

  return {
    environment,

    async insert({ id, ...replay }: Replay, requestToken: string, _tenant: Tenant<E>, tx: Tx): Promise<void> {
      const schedule = { isActive: true, turnAt: replay.createdAt, token: noLease };
      await collection.insertOne({ _id: id, ...replay, ...schedule, ...(requestToken && { requestToken }) }, tx);
    },

    /** Returns the job that a call with the token has started since then. Older jobs lose the token. */
    async findStarted({ workspaceId }: Tenant<E>, requestToken: string, since: Date, tx: Tx): Promise<Replay | null> {
      const query = { workspaceId, requestToken };
      await collection.updateMany({ ...query, createdAt: { $lte: since } }, { $unset: { requestToken: 1 } }, tx);
      const found = await collection.findOne(query, tx);
      return found && toReplay(found);
    },

    async find(ref: ReplayRef<E>, now: Date, maxTimeMS: number): Promise<Replay | null> {
      const found = await collection.findOne({ ...byRef(ref), ...visible(now) }, { maxTimeMS });
      return found && toReplay(found);
    },

    /** Returns jobs, the newest first, then by id, descending. */
    async list(
      { workspaceId }: Tenant<E>,
      { states, ids, after }: ReplayFilter,
      now: Date,
      limit: number,
      maxTimeMS: number,
    ): Promise<Replay[]> {
      const behind = after && {
        $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id: { $lt: after.id } }],
      };
      const query: Filter<ReplayDocument> = {
        workspaceId,
        ...(ids.length > 0 && { _id: { $in: [...ids] } }),
        ...(states.length > 0 && { state: { $in: [...states] } }),
        $and: [visible(now), ...(behind ? [behind] : [])],
      };
      const found = collection.find(query, { maxTimeMS }).sort({ createdAt: -1, _id: -1 });
      return (await found.limit(limit).toArray()).map(toReplay);
    },

    /** Leases the active job that has waited longest. */
    async lease(
      { token, now, until }: { token: string; now: Date; until: Date },
      maxTimeMS: number,
    ): Promise<{ ref: ReplayRef<E>; replay: LeasedReplay } | null> {
      const isDue = { isActive: true, turnAt: { $lte: now } };
      const options = { maxTimeMS, projection: { workspaceId: 1 }, hint: 'turns' } as const;
      const due = collection.find(isDue, options).sort({ turnAt: 1 }).limit(maxCandidates);
      for (const { _id: id, workspaceId } of await due.toArray()) {
        const ref = { environment, workspaceId, id };
        const found = await collection.findOneAndUpdate(
          { ...byRef(ref), ...isDue },
          [{ $set: { turnAt: until, token, state: 'running', startedAt: { $ifNull: ['$startedAt', now] } } }],
          { maxTimeMS, returnDocument: 'after' },
        );
        if (found) return { ref, replay: { ...toReplay(found), token } };
      }
      return null;
    },

    /** Notes a step that has ended. Another turn may begin at `turnAt`. Returns false if another execution holds the job or it has ended. */
    async advance(
      ref: ReplayRef<E>,
      token: string,
      { done, cursor, total }: { done: number; cursor: ReplayCursor; total?: number },
      turnAt: Date,
      now: Date,
      maxTimeMS: number,
    ): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { ...byRef(ref), token, isActive: true },
        {
          $set: { turnAt, token: noLease, cursor, progressAt: now, ...(total !== undefined && { total }) },
          $inc: { done },
        },
        { maxTimeMS },
      );
      return matchedCount === 1;
    },

    /** Lets the job wait after a step that failed. */
    async delay(ref: ReplayRef<E>, token: string, turnAt: Date, maxTimeMS: number): Promise<void> {
      await collection.updateOne({ ...byRef(ref), token }, { $set: { turnAt, token: noLease } }, { maxTimeMS });
    },

    /** Ends a job. Returns null if it has ended, or another execution holds it. Without `token`, the holder loses it. */
    async end(
      ref: ReplayRef<E>,
      token: string | undefined,
      members: Pick<Replay, 'state' | 'error' | 'finishedAt' | 'expiresAt'> & {
        total?: number;
        done?: number;
        withdrawsUntil?: Date;
      },
      tx: Tx,
    ): Promise<Replay | null> {
      const found = await collection.findOneAndUpdate(
        { ...byRef(ref), isActive: true, ...(token !== undefined && { token }) },
        { $set: { ...members, isActive: false, token: noLease } },
        { ...tx, returnDocument: 'after' },
      );
      return found && toReplay(found);
    },

    /** Returns active jobs of an endpoint, or of any endpoint of the workspace. */
    async listActive(
      { workspaceId }: Tenant<E>,
      endpoint: EndpointRef<E> | undefined,
      limit: number,
      maxTimeMS: number,
    ): Promise<ReplayRef<E>[]> {
      const query = { workspaceId, isActive: true, ...(endpoint && { endpointId: endpoint.id }) };
      const found = await collection
        .find(query, { maxTimeMS, projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id: id }) => ({ environment, workspaceId, id }));
    },

    /** Returns canceled jobs whose deliveries are being withdrawn, the earliest first. */
    async listWithdrawing(limit: number, maxTimeMS: number): Promise<Withdrawal<E>[]> {
      const options = { maxTimeMS, projection: { workspaceId: 1, endpointId: 1, withdrawsUntil: 1 } } as const;
      const found = collection.find({ withdrawsUntil: { $type: 'date' } }, options).sort({ withdrawsUntil: 1 });
      return (await found.limit(limit).toArray()).map(({ _id: id, workspaceId, endpointId, withdrawsUntil }) => ({
        ref: { environment, workspaceId, id },
        endpointId,
        until: withdrawsUntil as Date,
      }));
    },

    async endWithdrawal(ref: ReplayRef<E>, maxTimeMS: number): Promise<void> {
      await collection.updateOne(byRef(ref), { $unset: { withdrawsUntil: 1 } }, { maxTimeMS });
    },

    /** Returns active jobs without progress since then. */
    async listStanding(since: Date, limit: number, maxTimeMS: number): Promise<ReplayRef<E>[]> {
      const query = { isActive: true, progressAt: { $lte: since } };
      const options = { maxTimeMS, projection: { workspaceId: 1 }, hint: 'turns' } as const;
      const found = await collection.find(query, options).limit(limit).toArray();
      return found.map(({ _id: id, workspaceId }) => ({ environment, workspaceId, id }));
    },

    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}

function toReplay(document: ReplayDocument): Replay {
  const { _id, isActive: _, turnAt: __, token: ___, requestToken: ____, withdrawsUntil: _____, ...replay } = document;
  return { id: _id, ...replay };
}
