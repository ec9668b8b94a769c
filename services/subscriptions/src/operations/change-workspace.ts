import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import type { Dependencies } from './dependencies.ts';

/** Runs `work` in a transaction, after earlier changes of the workspace in this instance. */
export async function changeWorkspace<E extends Environment, T>(
  deps: Pick<Dependencies<E>, 'transact' | 'changes' | 'clock'>,
  { environment, workspaceId }: Tenant<E>,
  { deadline }: CallContext,
  work: (tx: Tx, now: Date) => Promise<T>,
): Promise<T> {
  const change = () => deps.transact((tx) => work(tx, new Date(deps.clock.now())), { deadline });
  return deps.changes.run(`${environment}/${workspaceId}`, change, deadline);
}
