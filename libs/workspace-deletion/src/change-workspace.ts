import type { Deadline, KeyedQueue } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { Transact, Tx } from '@shopscope/mongo';
import type { DeletedWorkspaceStore } from './deleted-workspaces.ts';

export interface ChangeDependencies<E extends Environment> {
  transact: Transact;
  /** Runs the changes of a workspace in this instance one after another. */
  changes: KeyedQueue;
  clock: Pick<Clock, 'now'>;
  deletedWorkspaces: DeletedWorkspaceStore<E>;
}

/** Runs `work` in a transaction, after earlier changes of the workspace in this instance. Throws `not_found` for a deleted workspace. */
export async function changeWorkspace<E extends Environment, T>(
  { transact, changes, clock, deletedWorkspaces }: ChangeDependencies<E>,
  { environment, workspaceId }: Tenant<E>,
  { deadline }: { deadline: Deadline },
  work: (tx: Tx, now: Date) => Promise<T>,
): Promise<T> {
  const change = () =>
    transact(
      async (tx) => {
        const deleted = await deletedWorkspaces.among([workspaceId], tx);
        if (deleted.size > 0) throw new AppError('not_found', 'The workspace is deleted.');
        return work(tx, new Date(clock.now()));
      },
      { deadline },
    );
  return changes.run(`${environment}/${workspaceId}`, change, deadline);
}
