import { noFingerprint, requireUnits } from '@shopscope/charging';
import { dayMs, minuteMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isIdentifier, newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { Units } from '@shopscope/proto';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { type BulkJob, type JobRef, newJobId, requireJobPlace } from '../../domain/bulk-job.ts';
import type { FoundPayer } from '../../outbound/payers.ts';
import type { Dependencies } from '../dependencies.ts';

/** What the starts of all jobs share. */

const requestTokenLifeMs = dayMs;
/** A call ends long before. A job whose call was killed is deleted then. */
const preparationMs = 10 * minuteMs;

export function requireRequestToken(requestToken: string): void {
  if (requestToken && !isIdentifier(requestToken)) throw invalidField('request_token', 'must be an identifier');
}

/**
 * Returns the job that an earlier call with the token has started. Without one, throws if the workspace may not start a job. `field` names the
 * member of the request that starts it.
 */
export async function findStartedOrRequirePlace<E extends Environment>(
  { bulkJobs, clock }: Dependencies<E>,
  tenant: Tenant<E>,
  { requestToken, field }: { requestToken: string; field: string },
  tx: Tx,
): Promise<BulkJob | null> {
  const since = new Date(clock.now() - requestTokenLifeMs);
  const started = requestToken ? await bulkJobs.findStarted(tenant, requestToken, since, tx) : null;
  if (!started) requireJobPlace(await bulkJobs.countActive(tenant, tx), field);
  return started;
}

export type NewJob = Pick<BulkJob, 'type' | 'listIds' | 'export' | 'keyId' | 'refresh' | 'maxUnits'>;

/** Inserts a job that no call sees. Its steps are inserted next. */
export async function prepareJob<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  members: NewJob,
  context: CallContext,
): Promise<JobRef<E>> {
  const { workspaceId, environment } = tenant;
  const nowMs = deps.clock.now();
  const createdAt = new Date(nowMs);
  const { requestId, traceparent } = context.origin;
  const job: BulkJob = {
    id: newJobId(nowMs),
    workspaceId,
    ...members,
    state: 'preparing',
    total: 0,
    done: 0,
    failed: 0,
    billed: { lookupCached: 0, lookupLive: 0, historyQuery: 0 },
    stored: { steps: 0, units: 0 },
    refusal: null,
    error: null,
    createdAt,
    startedAt: null,
    finishedAt: null,
    expiresAt: new Date(nowMs + preparationMs),
    progressAt: createdAt,
    origin: { requestId, traceparent },
  };
  await changeWorkspace(deps, tenant, context, (tx) => deps.bulkJobs.insert(job, tenant, tx));
  return { environment, workspaceId, id: job.id };
}

/** Lets the timer delete a job that no call has seen. */
export async function discardJob<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  { deadline }: CallContext,
): Promise<void> {
  await deps.bulkJobs.discard(ref, new Date(deps.clock.now()), deadline.timeoutMs()).catch(() => {});
}

/** Throws if the allowance has fewer units left. Units that are lent to a gateway return soon -> `unavailable`. */
export async function requireQuote<E extends Environment>(
  { charging }: Dependencies<E>,
  caller: FoundPayer['payer'],
  { units, operation }: { units: Units; operation: string },
  { origin, deadline }: CallContext,
): Promise<void> {
  const charge = { chargeId: newId('chg'), fingerprint: noFingerprint, units, operation };
  await requireUnits(charging, { ...charge, caller, origin, deadline });
}

/** Shows a prepared job with all its steps, unless an earlier call with the token has started one. */
export async function showJob<E extends Environment>(
  deps: Dependencies<E>,
  ref: JobRef<E>,
  { total, ...start }: { total: number; requestToken: string; field: string },
  tenant: Tenant<E>,
  tx: Tx,
): Promise<{ job: BulkJob; isNew: boolean }> {
  const earlier = await findStartedOrRequirePlace(deps, tenant, start, tx);
  if (earlier) {
    await deps.bulkJobs.discard(ref, new Date(deps.clock.now()), tx);
    return { job: earlier, isNew: false };
  }
  const job = await deps.bulkJobs.start(ref, total, start.requestToken, tx);
  if (!job) throw new Error(`the job ${ref.id} was deleted while it was prepared`);
  return { job, isNew: true };
}
