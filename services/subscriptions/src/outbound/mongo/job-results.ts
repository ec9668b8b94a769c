import { type Environment, type Handles, nameIn, type Tenant } from '@shopscope/environment';
import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import { deleteSomeOfWorkspace } from '@shopscope/workspace-deletion';
import { Binary, type Collection, type Db } from 'mongodb';
import type { JobRef } from '../../domain/bulk-job.ts';
import type { JobResult } from '../../domain/job-step.ts';

interface ResultDocument extends Omit<JobResult, 'store'> {
  workspaceId: string;
  jobId: string;
  step: number;
  store: Binary | null;
}

/** The results of one job are together. */

export const jobResultCollection = {
  indexes: [{ key: { workspaceId: 1, jobId: 1, step: 1, domain: 1 }, options: { unique: true } }],
  shardKey: { workspaceId: 1, jobId: 1 },
  uniqueId: 'ids are random',
} as const satisfies CollectionDefinition;

/** The store bodies of a page. One more body fits into a message. */
const maxBytes = 4 * 1024 * 1024;

export type JobResultStore<E extends Environment> = Handles<E> & ReturnType<typeof jobResultStore<E>>;

/** The results of a step are hidden until the step is done. Every command has the shard key. */
export const createJobResultStore = <E extends Environment>(db: Db, environment: E): JobResultStore<E> =>
  jobResultStore(db.collection<ResultDocument>(nameIn(environment, 'bulk_job_results', '_')), environment);

function jobResultStore<E extends Environment>(collection: Collection<ResultDocument>, environment: E) {
  const ofJob = ({ workspaceId, id }: JobRef<E>) => ({ workspaceId, jobId: id });

  return {
    environment,

    /** Stores the results of a step in place of earlier ones. */
    async replace(ref: JobRef<E>, step: number, results: readonly JobResult[], tx: Tx): Promise<void> {
      await collection.deleteMany({ ...ofJob(ref), step }, tx);
      const documents = results.map(({ store, ...result }) => ({
        ...ofJob(ref),
        step,
        ...result,
        store: store && new Binary(store),
      }));
      if (documents.length > 0) await collection.insertMany(documents, { ...tx });
    },

    async remove(ref: JobRef<E>, steps: readonly number[], options: Tx | { maxTimeMS: number }): Promise<void> {
      await collection.deleteMany({ ...ofJob(ref), step: { $in: [...steps] } }, options);
    },

    /**
     * Returns the results of these steps after `afterDomain`, by domain. `isCut`: the stores together reach {@link
     * maxBytes}, and there may be more results.
     */
    async list(
      ref: JobRef<E>,
      steps: readonly number[],
      afterDomain: string,
      limit: number,
      maxTimeMS: number,
    ): Promise<{ rows: (JobResult & { step: number })[]; isCut: boolean }> {
      const rows: (JobResult & { step: number })[] = [];
      if (steps.length === 0) return { rows, isCut: false };
      const query = { ...ofJob(ref), step: { $in: [...steps] }, domain: { $gt: afterDomain } };
      const cursor = collection.find(query, { maxTimeMS }).sort({ step: 1, domain: 1 }).limit(limit);
      let bytes = 0;
      for await (const { step, domain, externalId, match, reason, scanJobId, store } of cursor) {
        const body = store && Buffer.from(store.value());
        bytes += body?.length ?? 0;
        rows.push({ step, domain, externalId, match, reason, scanJobId, store: body });
        if (bytes >= maxBytes) return { rows, isCut: true };
      }
      return { rows, isCut: false };
    },

    /** Deletes at most `limit` results of a deleted workspace. */
    deleteSome: (tenant: Tenant<E>, limit: number, maxTimeMS: number) =>
      deleteSomeOfWorkspace(collection, tenant, limit, maxTimeMS),
  };
}
