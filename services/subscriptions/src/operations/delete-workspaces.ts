import type { Environment, Tenant } from '@shopscope/environment';
import type { ClaimedDeletion } from '../outbound/mongo/deleted-workspaces.ts';
import type { Dependencies } from './dependencies.ts';
import { type WorkspaceDataDependencies, workspaceDataOf } from './workspace-data.ts';

/** The workspaces that one run visits. */
const maxWorkspaces = 20;
const timeoutMs = 10_000;
/** The time after which another run may continue a deletion. A run ends long before. */
const claimMs = 60_000;

type DeletionDependencies<E extends Environment> = WorkspaceDataDependencies<E> &
  Pick<Dependencies<E>, 'logger' | 'metrics'>;

/** Records that a workspace is deleted. {@link deleteWorkspaces} deletes its data, and nothing creates data of it afterwards. */
export async function recordDeletion<E extends Environment>(
  { deletedWorkspaces, clock }: Pick<Dependencies<E>, 'deletedWorkspaces' | 'clock'>,
  tenant: Tenant<E>,
  deletedAt: Date,
): Promise<void> {
  await deletedWorkspaces.record(tenant, deletedAt, new Date(clock.now()), timeoutMs);
}

/**
 * Deletes data of deleted workspaces (workspace-data.ts).
 *
 * - Concurrency: one instance at a time works on a workspace. Every deletion is idempotent, so an expired claim does no harm.
 * - The process ends -> another run continues after {@link claimMs}.
 * - A transaction began before the record of the deletion -> its data is deleted too, because the deletion does not end before.
 * - A deletion fails -> the other workspaces continue, and this one is repeated after {@link claimMs}.
 * - Bounds: `maxPerRun` documents, in batches of `maxBatchSize`, and {@link maxWorkspaces} workspaces per run. The next run continues.
 */
export async function deleteWorkspaces<E extends Environment>(
  deps: DeletionDependencies<E>,
  { maxBatchSize, maxPerRun }: { maxBatchSize: number; maxPerRun: number },
): Promise<void> {
  const { deletedWorkspaces, clock, logger, metrics, environment } = deps;
  const begun = new Date(clock.now());
  const claimedUntil = new Date(begun.getTime() + claimMs);
  let left = maxPerRun;
  for (let visited = 0; visited < maxWorkspaces && left > 0; visited++) {
    const claimed = await deletedWorkspaces.claim(begun, claimedUntil, timeoutMs);
    if (!claimed) break;
    try {
      left -= await continueDeletion(deps, claimed, { begun, maxBatchSize, limit: left });
    } catch (error) {
      const { workspaceId } = claimed.tenant;
      logger.error({ err: error, workspaceId, environment }, 'the deletion of a workspace failed; it is repeated');
    }
  }
  metrics.oldestDeletion({ environment, kind: 'workspace' }, await deletedWorkspaces.oldest(timeoutMs));
}

/** Returns the number of deleted documents. */
async function continueDeletion<E extends Environment>(
  deps: DeletionDependencies<E>,
  { tenant, settlesAt }: ClaimedDeletion<E>,
  { begun, maxBatchSize, limit }: { begun: Date; maxBatchSize: number; limit: number },
): Promise<number> {
  const { deletedWorkspaces } = deps;
  const run = { now: begun, isSettled: begun >= settlesAt, maxTimeMS: timeoutMs };
  let deleted = 0;
  for (const deleteSome of workspaceDataOf(deps)) {
    for (;;) {
      const batch = await deleteSome(tenant, Math.min(maxBatchSize, limit - deleted), run);
      deleted += batch.deleted;
      if (batch.isEmpty && deleted < limit) break;
      // Without a deleted document, another step of the timer has to end first.
      if (deleted < limit && batch.deleted > 0) continue;
      await deletedWorkspaces.continueAt(tenant, new Date(begun.getTime() + 1), timeoutMs);
      return deleted;
    }
  }
  if (run.isSettled) await deletedWorkspaces.finish(tenant, begun, timeoutMs);
  else await deletedWorkspaces.continueAt(tenant, settlesAt, timeoutMs);
  return deleted;
}
