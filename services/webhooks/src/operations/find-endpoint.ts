import type { Environment, Tenant } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { type CallContext, pageOf } from '@shopscope/grpc';
import { isId, parseId } from '@shopscope/text';
import type { Endpoint, EndpointRef } from '../domain/endpoint.ts';
import type { StoredEndpoint } from '../outbound/mongo/endpoints.ts';
import type { Dependencies } from './dependencies.ts';

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

/** Returns a page of endpoints, the newest first. */
export async function listEndpoints<E extends Environment>(
  { endpoints }: Pick<Dependencies<E>, 'endpoints'>,
  tenant: Tenant<E>,
  { afterId, limit }: { afterId: string; limit: number },
  { deadline }: CallContext,
): Promise<{ rows: Endpoint[]; hasMore: boolean }> {
  if (afterId) parseId('after_id', afterId, 'whk');
  return pageOf(limit, (readLimit) => endpoints.list(tenant, afterId, readLimit, deadline.timeoutMs()));
}
