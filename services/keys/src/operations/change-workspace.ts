import type { CallContext } from '@shopscope/grpc';
import type { Tx } from '@shopscope/mongo';
import type { Dependencies } from './dependencies.ts';

/**
 * Runs `work` in a transaction, after the earlier changes of the workspace in this instance. An empty workspace id stands for a
 * change that concerns all workspaces.
 */
export async function changeWorkspace<T>(
  deps: Pick<Dependencies, 'changes' | 'transact'>,
  workspaceId: string,
  context: CallContext,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const change = () => deps.transact(work, context);
  return (await deps.changes.submit({ workspaceId, change }, context.deadline)) as T;
}
