import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { verifyAuditLog } from '../../operations/verify-audit-log.ts';

export const verifyAuditLogHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['verifyAuditLog'] =>
  async ({ workspaceId }, context) => {
    const { entries, unchainedEntries, fault } = await verifyAuditLog(deps, workspaceId, context);
    return { entries, unchainedEntries, brokenSequence: fault?.sequence, fault: fault?.fault ?? '' };
  };
