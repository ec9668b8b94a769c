import type { Clock } from '@shopscope/clock';
import { type Environment, environments, type Handles, inEnvironment, type Tenant } from '@shopscope/environment';
import type { Logger } from '@shopscope/telemetry';
import type { ClaimedDeletion, DeletedWorkspaceStore } from './deleted-workspaces.ts';

/** The workspaces that one run visits. */
const maxWorkspaces = 20;
const timeoutMs = 10_000;
/** The time after which another run may continue a deletion. A run ends long before. */
const claimMs = 60_000;

/** How a part of the data of a workspace is deleted: at most `limit` documents by one call. */
export type DeleteSome<E extends Environment> = (
  tenant: Tenant<E>,
  limit: number,
  run: DeletionRun,
) => Promise<{ deleted: number; isEmpty: boolean }>;

export interface DeletionRun {
  now: Date;
  /** Whether the deletion may end from now on. */
  isSettled: boolean;
  maxTimeMS: number;
}

export interface DeletionDependencies<E extends Environment> extends Handles<E> {
  deletedWorkspaces: DeletedWorkspaceStore<E>;
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  /** Gets the time of the oldest deletion that has not ended. */
  onOldest(at: Date | undefined): void;
}

/** Records that a workspace is deleted. {@link deleteWorkspaces} deletes its data, and nothing creates data of it afterwards. */
export async function recordDeletion<E extends Environment>(
  { deletedWorkspaces, clock }: Pick<DeletionDependencies<E>, 'deletedWorkspaces' | 'clock'>,
  tenant: Tenant<E>,
  deletedAt: Date,
): Promise<void> {
  await deletedWorkspaces.record(tenant, deletedAt, new Date(clock.now()), timeoutMs);
}

/** A workspace is deleted in every environment. */
export async function recordDeletions(
  every: { [E in Environment]: RecordDependencies<E> },
  workspaceId: string,
  deletedAt: Date,
): Promise<void> {
  for (const environment of environments) {
    await inEnvironment(every, { workspaceId, environment }, (deps, tenant) => recordDeletion(deps, tenant, deletedAt));
  }
}

type RecordDependencies<E extends Environment> = Handles<E> &
  Pick<DeletionDependencies<E>, 'deletedWorkspaces' | 'clock'>;

/**
 * Deletes data of deleted workspaces. Each part begins when the one before it is empty.
 *
 * - Concurrency: one instance at a time works on a workspace. Every deletion is idempotent, so an expired claim does no harm.
 * - The process ends -> another run continues after {@link claimMs}.
 * - A transaction began before the record of the deletion -> its data is deleted too, because the transaction ends before the deletion does.
 * - A deletion fails -> the other workspaces continue, and this one is repeated after {@link claimMs}.
 * - Bounds: `maxPerRun` documents, in batches of `maxBatchSize`, and {@link maxWorkspaces} workspaces per run. The next run continues.
 */
export async function deleteWorkspaces<E extends Environment>(
  deps: DeletionDependencies<E>,
  parts: readonly DeleteSome<E>[],
  { maxBatchSize, maxPerRun }: { maxBatchSize: number; maxPerRun: number },
): Promise<void> {
  const { deletedWorkspaces, clock, logger, onOldest, environment } = deps;
  const begun = new Date(clock.now());
  const claimedUntil = new Date(begun.getTime() + claimMs);
  let left = maxPerRun;
  for (let visited = 0; visited < maxWorkspaces && left > 0; visited++) {
    const claimed = await deletedWorkspaces.claim(begun, claimedUntil, timeoutMs);
    if (!claimed) break;
    try {
      left -= await continueDeletion(deps, claimed, { parts, begun, maxBatchSize, limit: left });
    } catch (error) {
      const { workspaceId } = claimed.tenant;
      logger.error({ err: error, workspaceId, environment }, 'the deletion of a workspace failed; it is repeated');
    }
  }
  onOldest(await deletedWorkspaces.oldest(timeoutMs));
}

/** Returns the number of deleted documents. */
async function continueDeletion<E extends Environment>(
  { deletedWorkspaces }: DeletionDependencies<E>,
  { tenant, settlesAt }: ClaimedDeletion<E>,
  {
    parts,
    begun,
    maxBatchSize,
    limit,
  }: { parts: readonly DeleteSome<E>[]; begun: Date; maxBatchSize: number; limit: number },
): Promise<number> {
  const run = { now: begun, isSettled: begun >= settlesAt, maxTimeMS: timeoutMs };
  let deleted = 0;
  for (const deleteSome of parts) {
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

interface Deletable<E extends Environment> {
  deleteSome(tenant: Tenant<E>, limit: number, maxTimeMS: number): ReturnType<DeleteSome<E>>;
}

/** The documents of a store. */
export const some =
  <E extends Environment>(store: Deletable<E>): DeleteSome<E> =>
  (tenant, limit, { maxTimeMS }) =>
    store.deleteSome(tenant, limit, maxTimeMS);

/** Other code deletes these documents. The deletion only waits until none is left. */
export const whenEmpty =
  <E extends Environment>(store: { isEmpty(tenant: Tenant<E>, maxTimeMS: number): Promise<boolean> }): DeleteSome<E> =>
  async (tenant, _, { maxTimeMS }) => ({ deleted: 0, isEmpty: await store.isEmpty(tenant, maxTimeMS) });
