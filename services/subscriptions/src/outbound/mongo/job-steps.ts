import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import type { Collection, Db } from 'mongodb';
import type { JobRef, Refusal } from '../../domain/bulk-job.ts';
import type { ExportPart, ExportPosition } from '../../domain/export.ts';
import type { JobStep, LeasedStep } from '../../domain/job-step.ts';

interface StepDocument extends JobStep {
  _id: string;
  /** False after the step has ended. */
  isOpen: boolean;
  size: number;
  lastDomain: string;
  /** The reason of all results of the step. Null if its results are stored one by one. */
  refusal: Refusal | null;
  leaseToken: string;
  /** No other execution takes the step before this time. */
  leaseUntil: Date;
}

/** The steps of one job are together. */

export const jobStepCollection = {
  indexes: [
    { key: { workspaceId: 1, jobId: 1, number: 1 }, options: { unique: true } },
    { key: { workspaceId: 1, jobId: 1, lastDomain: 1 }, options: {} },
    {
      key: { workspaceId: 1, jobId: 1, isOpen: 1, number: 1 },
      options: { name: 'open', partialFilterExpression: { isOpen: true } },
    },
  ],
  shardKey: { workspaceId: 1, jobId: 1 },
  uniqueId: '_id begins with the job',
} as const satisfies CollectionDefinition;

/** A step whose results are shown. */
export interface ShownStep extends Pick<JobStep, 'number' | 'inputs'> {
  size: number;
  refusal: Refusal | null;
}

export type JobStepStore<E extends Environment> = Handles<E> & ReturnType<typeof jobStepStore<E>>;

/** Every command has the shard key. */
export const createJobStepStore = <E extends Environment>(db: Db, environment: E): JobStepStore<E> =>
  jobStepStore(db.collection<StepDocument>(nameIn(environment, 'bulk_job_steps', '_')), environment);

const noLease = '';

function jobStepStore<E extends Environment>(collection: Collection<StepDocument>, environment: E) {
  const ofJob = ({ workspaceId, id }: JobRef<E>) => ({ workspaceId, jobId: id });
  const byNumber = (ref: JobRef<E>, number: number) => ({ ...ofJob(ref), number });
  const documentOf = (ref: JobRef<E>, step: Pick<JobStep, 'number' | 'inputs' | 'position'>): StepDocument => ({
    _id: `${ref.id}/${step.number}`,
    ...ofJob(ref),
    ...step,
    size: step.inputs.length,
    lastDomain: step.inputs.at(-1)?.domain ?? '',
    state: 'waiting',
    isOpen: true,
    part: null,
    refusal: null,
    units: 0,
    failed: 0,
    failures: 0,
    leaseToken: noLease,
    leaseUntil: new Date(0),
  });

  return {
    environment,

    async insert(ref: JobRef<E>, steps: readonly Pick<JobStep, 'number' | 'inputs'>[], maxTimeMS: number) {
      if (steps.length === 0) return;
      const documents = steps.map((step) => documentOf(ref, { ...step, position: null }));
      await collection.insertMany(documents, { maxTimeMS, ordered: false });
    },

    /** Inserts a step of an export. */
    async insertExportStep(
      ref: JobRef<E>,
      step: { number: number; position: ExportPosition },
      options: Tx | { maxTimeMS: number },
    ): Promise<void> {
      await collection.insertOne(documentOf(ref, { ...step, inputs: [] }), options);
    },

    /** Leases the first step that no execution holds. With `onlyStored`, only steps with stored results count. */
    async lease(
      ref: JobRef<E>,
      { token, now, until, onlyStored }: { token: string; now: Date; until: Date; onlyStored: boolean },
      maxTimeMS: number,
    ): Promise<LeasedStep | null> {
      const filter = {
        ...ofJob(ref),
        isOpen: true,
        leaseUntil: { $lte: now },
        ...(onlyStored && { state: 'stored' as const }),
      };
      return collection.findOneAndUpdate(
        filter,
        { $set: { leaseToken: token, leaseUntil: until } },
        { maxTimeMS, sort: { number: 1 }, returnDocument: 'after' },
      );
    },

    /** Ends the lease before its time. Another execution may take the step from `until` on. */
    async release(ref: JobRef<E>, { number, leaseToken }: LeasedStep, until: Date, maxTimeMS: number): Promise<void> {
      const held = { ...byNumber(ref, number), leaseToken, isOpen: true };
      const update = { $set: { leaseToken: noLease, leaseUntil: until }, $inc: { failures: 1 } };
      await collection.updateOne(held, update, { maxTimeMS });
    },

    /** Notes that results with these units are stored. Returns false if another execution holds the step or it has ended. */
    async setStored(
      ref: JobRef<E>,
      { number, leaseToken }: LeasedStep,
      results: Pick<JobStep, 'units' | 'failed' | 'part'>,
      tx: Tx,
    ): Promise<boolean> {
      const held = { ...byNumber(ref, number), leaseToken, isOpen: true };
      const { matchedCount } = await collection.updateOne(held, { $set: { state: 'stored', ...results } }, tx);
      return matchedCount === 1;
    },

    /** Shows the stored results. Returns null if another execution holds the step or it has ended. */
    async show(ref: JobRef<E>, { number, leaseToken }: LeasedStep, tx: Tx): Promise<JobStep | null> {
      const held = { ...byNumber(ref, number), leaseToken, isOpen: true, state: 'stored' as const };
      return collection.findOneAndUpdate(held, { $set: { state: 'done', isOpen: false } }, tx);
    },

    /** Ends a held step without a result, so that it never has one. */
    async drop(ref: JobRef<E>, { number, leaseToken }: LeasedStep, tx: Tx): Promise<boolean> {
      const held = { ...byNumber(ref, number), leaseToken, isOpen: true };
      const { matchedCount } = await collection.updateOne(held, { $set: { state: 'waiting', isOpen: false } }, tx);
      return matchedCount === 1;
    },

    /** Returns waiting steps, held or not. */
    async listWaiting(ref: JobRef<E>, limit: number, tx: Tx): Promise<{ number: number; size: number }[]> {
      const options = { ...tx, projection: { number: 1, size: 1 } } as const;
      const found = collection.find({ ...ofJob(ref), isOpen: true, state: 'waiting' }, options);
      return found.sort({ number: 1 }).limit(limit).toArray();
    },

    /** Ends waiting steps with one error for all their stores. Returns the number of ended steps. */
    async refuse(ref: JobRef<E>, numbers: readonly number[], refusal: Refusal, tx: Tx): Promise<number> {
      const waiting = { ...ofJob(ref), number: { $in: [...numbers] }, isOpen: true, state: 'waiting' as const };
      const { modifiedCount } = await collection.updateMany(
        waiting,
        { $set: { state: 'done', isOpen: false, refusal } },
        tx,
      );
      return modifiedCount;
    },

    /** Ends a held step with one error for all its stores. */
    async refuseHeld(ref: JobRef<E>, { number, leaseToken }: LeasedStep, refusal: Refusal, tx: Tx): Promise<boolean> {
      const held = { ...byNumber(ref, number), leaseToken, isOpen: true };
      const { matchedCount } = await collection.updateOne(
        held,
        { $set: { state: 'done', isOpen: false, refusal } },
        tx,
      );
      return matchedCount === 1;
    },

    /**
     * Returns the first steps that together have `rows` shown results after `afterDomain`, in order. The first step may
     * also have results before it. `hasMore`: a further step is shown.
     */
    async listShown(
      ref: JobRef<E>,
      afterDomain: string,
      rows: number,
      maxTimeMS: number,
    ): Promise<{ steps: ShownStep[]; hasMore: boolean }> {
      const query = { ...ofJob(ref), state: 'done' as const, lastDomain: { $gt: afterDomain } };
      const projection = { number: 1, inputs: 1, size: 1, refusal: 1 } as const;
      const steps: ShownStep[] = [];
      let known = 0;
      // Steps are in the order of their domains. Few are read at a time, because one usually has half of a page.
      for await (const step of collection
        .find(query, { maxTimeMS, projection, batchSize: 4 })
        .sort({ lastDomain: 1 })) {
        if (known >= rows) return { steps, hasMore: true };
        if (steps.length > 0) known += step.size;
        steps.push(step);
      }
      return { steps, hasMore: false };
    },

    /** Returns the parts of an export that are shown, by number, from this step on. */
    async listParts(
      ref: JobRef<E>,
      fromStep: number,
      limit: number,
      maxTimeMS: number,
    ): Promise<{ number: number; part: ExportPart }[]> {
      const query = { ...ofJob(ref), number: { $gte: fromStep }, state: 'done' as const, 'part.rows': { $gt: 0 } };
      const found = collection.find(query, { maxTimeMS, projection: { number: 1, part: 1 } });
      const steps = await found.sort({ number: 1 }).limit(limit).toArray();
      return steps.flatMap(({ number, part }) => (part ? [{ number, part }] : []));
    },

    /** Returns the numbers of some steps of the job, whatever their state. */
    async listSome(ref: JobRef<E>, limit: number, maxTimeMS: number): Promise<number[]> {
      const found = collection.find(ofJob(ref), { maxTimeMS, projection: { number: 1 } });
      return (await found.sort({ number: 1 }).limit(limit).toArray()).map(({ number }) => number);
    },

    async delete(ref: JobRef<E>, numbers: readonly number[], maxTimeMS: number): Promise<void> {
      await collection.deleteMany({ ...ofJob(ref), number: { $in: [...numbers] } }, { maxTimeMS });
    },

    /** Deletes at most `limit` steps of a deleted workspace. */
    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}
