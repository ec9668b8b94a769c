import type { CallContext } from '@shopscope/grpc';
import { parseId } from '@shopscope/text';
import { type ChainFault, startChainCheck } from '../domain/audit-chain.ts';
import type { Dependencies } from './dependencies.ts';
import { noSuchWorkspace } from './get-workspace.ts';

export interface AuditLogState {
  /** The number of entries of the chain without a fault. */
  entries: number;
  /** The number of entries outside of the chain. This service did not write them, or they were changed afterwards. */
  unchainedEntries: number;
  fault: ChainFault | undefined;
}

/** The number of entries per read. */
const maxRead = 1_000;

/**
 * Checks the hash chain of the audit log of a workspace, which may be deleted. An empty workspace id selects the entries that
 * concern all workspaces.
 *
 * Concurrency: the transaction reads one snapshot, so that entries that are added meanwhile cause no fault.
 * Bounds: {@link maxRead} entries are in memory. If the log is too long for the deadline of the call, the check ends with an error.
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
