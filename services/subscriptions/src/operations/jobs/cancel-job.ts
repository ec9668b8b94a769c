import { createDeadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import type { BulkJob } from '../../domain/bulk-job.ts';
import type { Dependencies } from '../dependencies.ts';
import { beginEnd, type EndDependencies } from './end-job.ts';
import { findJob, jobRefOf } from './find-job.ts';

/** What is done stays done and billed. A step that is being billed ends first. A job that has ended is returned as it is. */
export async function cancelJob<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  id: string,
  context: CallContext,
): Promise<BulkJob> {
  const ref = jobRefOf(tenant, id);
  const canceled = await deps.transact((tx) => beginEnd(deps, ref, 'canceling', tx), context);
  return canceled ?? findJob(deps, tenant, id, context);
}

const timeoutMs = 10_000;
/** More jobs of a workspace than this are never unfinished, apart from a few of concurrent calls. */
const maxJobs = 100;

/**
 * Cancels the unfinished jobs of a deleted list, or all of a deleted workspace. Their results stay. An execution cancels a job that this call
 * has missed.
 */
export async function cancelJobs<E extends Environment>(
  deps: EndDependencies<E> & Pick<Dependencies<E>, 'transact' | 'clock'>,
  tenant: Tenant<E>,
  listId?: string,
): Promise<void> {
  const deadline = createDeadline(timeoutMs, { clock: deps.clock });
  for (const ref of await deps.bulkJobs.listActive(tenant, listId, maxJobs, deadline.timeoutMs())) {
    await deps.transact((tx) => beginEnd(deps, ref, 'canceling', tx), { deadline });
  }
}
