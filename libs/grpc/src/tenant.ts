import type { AnyTenant, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { parseId } from '@shopscope/text';
import type { CallContext } from './server.ts';

/** The workspace of a request, in the environment of its call. Throws for a call without an environment. */
export function tenantOf({ workspaceId }: { workspaceId: string }, { origin }: CallContext): AnyTenant {
  const { environment } = origin;
  if (environment === null) throw invalidField('environment', 'is required in the origin of the call');
  return { workspaceId: parseId('workspace_id', workspaceId, 'ws'), environment };
}

/** The workspace of a request that only the test environment serves. Throws for a call of another environment. */
export function testTenantOf(request: { workspaceId: string }, context: CallContext): Tenant<'test'> {
  const tenant = tenantOf(request, context);
  if (tenant.environment !== 'test') throw invalidField('environment', 'must be test in the origin of the call');
  return tenant;
}
