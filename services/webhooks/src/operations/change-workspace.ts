import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import type { Dependencies } from './dependencies.ts';

/** Runs `work` in a transaction, after earlier changes of the workspace in this instance. Throws `not_found` for a deleted workspace. */
export async function changeWorkspace<E extends Environment, T>(
  {
    transact,
    changes,
    clock,
    deletedWorkspaces,
  }: Pick<Dependencies<E>, 'transact' | 'changes' | 'clock' | 'deletedWorkspaces'>,
  { environment, workspaceId }: Tenant<E>,
  { deadline }: Pick<CallContext, 'deadline'>,
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
