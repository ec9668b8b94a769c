import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { isIdentifier, newId } from '@shopscope/ids';
import { changeWorkspace, quotaExceeded } from '@shopscope/workspace-deletion';
import type { Endpoint, EndpointMembers, Header } from '../domain/endpoint.ts';
import { newSecret } from '../domain/signature.ts';
import type { Dependencies } from './dependencies.ts';
import { noHealth, oneWithHealth, type ShownEndpoint } from './endpoint-health.ts';
import { requireUrl } from './require-url.ts';
import { requestTokenLifeMs, seal } from './sealed-parts.ts';

export interface EndpointCreation {
  members: EndpointMembers;
  headers: readonly Header[];
  /** The endpoints that the plan allows. */
  quota: number;
  /** If empty, each call creates an endpoint. */
  requestToken: string;
}

/** The secret is shown once: a repeated call returns ''. */
export interface WithSecret {
  endpoint: ShownEndpoint;
  secret: string;
}

/** Creates an active endpoint. Calls with the same token return the endpoint of the first one. */
export async function createEndpoint<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { members, headers, quota, requestToken }: EndpointCreation,
  context: CallContext,
): Promise<WithSecret> {
  requireToken(requestToken);
  await requireUrl(deps, members.url, context);
  const { endpoints, queues, quotas, vault } = deps;
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const since = new Date(now.getTime() - requestTokenLifeMs);
    const earlier = requestToken ? await endpoints.findCreated(tenant, requestToken, since, tx) : null;
    if (earlier) return { endpoint: await oneWithHealth(deps, tenant, earlier, tx), secret: '' };
    const exceeded = await quotas.take(tenant, 'webhooks', 1, quota, tx);
    if (exceeded) throw quotaExceeded('webhooks', { quota, used: exceeded.used, more: 1 });
    const id = newId('whk', now.getTime());
    const secret = newSecret();
    const endpoint: Endpoint = {
      id,
      workspaceId: tenant.workspaceId,
      ...members,
      headerNames: headers.map(({ name }) => name),
      state: 'active',
      disabledReason: null,
      createdAt: now,
      updatedAt: now,
    };
    const sealed = seal(vault, id, { secrets: [{ secret, until: null }], headers: [...headers] });
    await endpoints.insert({ ...endpoint, sealed }, requestToken, tenant, tx);
    await queues.insert(
      { environment: tenant.environment, workspaceId: tenant.workspaceId, id },
      members.maxPerMinute,
      tx,
    );
    return { endpoint: { ...endpoint, health: noHealth }, secret };
  });
}

export function requireToken(requestToken: string): void {
  if (requestToken && !isIdentifier(requestToken)) throw invalidField('request_token', 'must be an identifier');
}
