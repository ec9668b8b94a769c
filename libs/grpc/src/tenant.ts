import type { AnyTenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { parseId } from '@shopscope/text';
import type { CallContext } from './server.ts';

/** The workspace of a request, in the environment of its call. Throws for a call without an environment. */
export function tenantOf({ workspaceId }: { workspaceId: string }, { origin }: CallContext): AnyTenant {
  const { environment } = origin;
  if (environment === null) throw invalidField('environment', 'is required in the origin of the call');
  return { workspaceId: parseId('workspace_id', workspaceId, 'ws'), environment };
}
