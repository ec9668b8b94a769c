import type { CallContext } from '@shopscope/grpc';
import { type ChainFault, startChainCheck } from '../domain/audit-chain.ts';
import { parseId } from '../domain/text.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export interface AuditLogState {
  /** Entries of the chain without a fault. */
  entries: number;
  /** Entries outside of the chain: somebody else has added or changed them. */
  unchainedEntries: number;
  fault: ChainFault | undefined;
}

/** Entries per read. */
const maxRead = 1_000;

/**
 * Checks the hash chain of a workspace's audit log, also of a deleted workspace. An empty workspace id selects the entries that
 * concern all workspaces.
 *
 * Concurrency: the transaction reads one snapshot, so that entries which are added meanwhile cause no fault.
 * Bounds: {@link maxRead} entries in memory; the deadline of the call ends the check of a longer log with an error.
 */
export async function verifyAuditLog(
  deps: Dependencies,
  workspaceId: string,
  context: CallContext,
): Promise<AuditLogState> {
  if (workspaceId) parseId('workspace_id', workspaceId, 'ws');
  return deps.transact(async (tx) => {
    const head = await deps.audit.head(workspaceId, tx);
    const unchainedEntries = await deps.audit.countUnchained(workspaceId, tx);
    const check = startChainCheck();
    for (let read = maxRead; read === maxRead; ) {
      const entries = await deps.audit.listChain(workspaceId, check.checked, maxRead, tx);
      for (const entry of entries) {
        const fault = check.next(entry);
        if (fault) return { entries: check.checked, unchainedEntries, fault };
      }
      read = entries.length;
    }
    const fault = check.end(head);
    const isEmpty = check.checked === 0 && unchainedEntries === 0 && !fault;
    if (isEmpty && workspaceId && !(await deps.workspaces.isKnown(workspaceId, tx))) throw noSuchWorkspace();
    return { entries: check.checked, unchainedEntries, fault };
  }, context);
}
