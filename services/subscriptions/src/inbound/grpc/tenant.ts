import type { AnyTenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { parseId } from '../../domain/store-group.ts';

/** The workspace of a request, in the environment of its call. */
export function tenantOf({ workspaceId }: { workspaceId: string }, _context: CallContext): AnyTenant {
  parseId('workspace_id', workspaceId, 'ws');
  return { workspaceId, environment: 'live' };
}
