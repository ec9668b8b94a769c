import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { type CallContext, pageOf } from '@shopscope/grpc';
import { isId, parseId } from '@shopscope/text';
import type { EndpointRef } from '../domain/endpoint.ts';
import type { StoredEndpoint } from '../outbound/mongo/endpoints.ts';
import type { Dependencies } from './dependencies.ts';
import { oneWithHealth, type ShownEndpoint, withHealth } from './endpoint-health.ts';

export const noSuchEndpoint = () => new AppError('not_found', 'The workspace has no such webhook.');

/** Throws `not_found` for an id that no endpoint can have. */
export function endpointRefOf<E extends Environment>(
  { workspaceId, environment }: Tenant<E>,
  id: string,
): EndpointRef<E> {
  if (!isId(id, 'whk')) throw noSuchEndpoint();
  return { environment, workspaceId, id };
}

export async function findEndpoint<E extends Environment>(
  { endpoints }: Pick<Dependencies<E>, 'endpoints'>,
  tenant: Tenant<E>,
  id: string,
  { deadline }: CallContext,
): Promise<StoredEndpoint> {
  const found = await endpoints.find(endpointRefOf(tenant, id), { maxTimeMS: deadline.timeoutMs() });
  if (!found) throw noSuchEndpoint();
  return found;
}

export async function showEndpoint<E extends Environment>(
  deps: Pick<Dependencies<E>, 'endpoints' | 'queues'>,
  tenant: Tenant<E>,
  id: string,
  context: CallContext,
): Promise<ShownEndpoint> {
  const found = await findEndpoint(deps, tenant, id, context);
  return oneWithHealth(deps, tenant, found, { maxTimeMS: context.deadline.timeoutMs() });
}

/** Returns a page of endpoints, the newest first. */
export async function listEndpoints<E extends Environment>(
  deps: Pick<Dependencies<E>, 'endpoints' | 'queues'>,
  tenant: Tenant<E>,
  { afterId, limit }: { afterId: string; limit: number },
  { deadline }: CallContext,
): Promise<{ rows: ShownEndpoint[]; hasMore: boolean }> {
  if (afterId) parseId('after_id', afterId, 'whk');
  const page = await pageOf(limit, (readLimit) =>
    deps.endpoints.list(tenant, afterId, readLimit, deadline.timeoutMs()),
  );
  return { ...page, rows: await withHealth(deps, tenant, page.rows, { maxTimeMS: deadline.timeoutMs() }) };
}
