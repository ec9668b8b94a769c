import type { Handlers } from '@shopscope/grpc';
import type { KeysServiceService } from '@shopscope/proto';
import { givenId } from '../../domain/text.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { encodeAuditEntry } from './encode.ts';
import { pageSize } from './page-size.ts';

export const listAuditEntriesHandler =
  (deps: Dependencies): Handlers<typeof KeysServiceService>['listAuditEntries'] =>
  async ({ workspaceId, beforeId, limit }, context) => {
    // An empty workspace id selects the entries that concern all workspaces.
    if (workspaceId) givenId('workspace_id', workspaceId, 'ws');
    if (beforeId) givenId('before_id', beforeId, 'aud');
    const found = await deps.audit.list(workspaceId, beforeId, pageSize(limit), context.deadline.timeoutMs());
    return { entries: found.map(encodeAuditEntry) };
  };
