import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import type { Collection, Document } from 'mongodb';

/**
 * Deletes at most `limit` documents of a deleted workspace from a collection whose shard key begins with `workspaceId`. `isEmpty`: none is
 * left.
 */
export async function deleteSomeOfWorkspace<Stored extends Document & { workspaceId: string }>(
  collection: Collection<Stored>,
  { workspaceId }: Tenant<Environment>,
  limit: number,
  maxTimeMS: number,
): Promise<{ deleted: number; isEmpty: boolean }> {
  const documents = collection as unknown as Collection<{ workspaceId: string }>;
  const found = documents.find({ workspaceId }, { maxTimeMS, projection: { _id: 1 } }).limit(limit);
  const ids = (await found.toArray()).map(({ _id }) => _id);
  if (ids.length === 0) return { deleted: 0, isEmpty: true };
  const { deletedCount } = await documents.deleteMany({ workspaceId, _id: { $in: ids } }, { maxTimeMS });
  return { deleted: deletedCount, isEmpty: ids.length < limit };
}

interface Deletable<E extends Environment> {
  deleteSome(tenant: Tenant<E>, limit: number, maxTimeMS: number): Promise<{ isEmpty: boolean }>;
}

const maxBatchSize = 1_000;

/** Deletes all documents of a workspace from these stores, one store after another, in batches. Throws at the deadline with some of them left. */
export async function deleteAllOf<E extends Environment>(
  stores: readonly Deletable<E>[],
  tenant: Tenant<E>,
  deadline: Deadline,
): Promise<void> {
  for (const store of stores) {
    while (!(await store.deleteSome(tenant, maxBatchSize, deadline.timeoutMs())).isEmpty);
  }
}
