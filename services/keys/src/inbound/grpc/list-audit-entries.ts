import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import type { Dependencies } from '../../operations/dependencies.ts';
import { pageSize } from './page-size.ts';

export const listAuditEntriesHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listAuditEntries'] =>
  async ({ workspaceId, beforeId, limit }, caller) => {
    const found = await deps.audit.list(workspaceId, beforeId, pageSize(limit), caller.deadline.timeoutMs());
    return { entries: found.map(({ at, ...entry }) => ({ ...entry, atMs: at.getTime() })) };
  };
