import type { Environment, Tenant } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { Endpoint } from '../domain/endpoint.ts';
import type { EndpointHealth } from '../domain/health.ts';
import type { Dependencies } from './dependencies.ts';

export type ShownEndpoint = Endpoint & { health: EndpointHealth };

export const noHealth: EndpointHealth = { streak: null, lastSuccessAt: null };

/** Adds their health to endpoints of a workspace. An endpoint that was deleted meanwhile has none. */
export async function withHealth<E extends Environment>(
  { queues }: Pick<Dependencies<E>, 'queues'>,
  tenant: Tenant<E>,
  endpoints: readonly Endpoint[],
  options: Tx | { maxTimeMS: number },
): Promise<ShownEndpoint[]> {
  const ids = endpoints.map(({ id }) => id);
  const health = await queues.healthOf(tenant, ids, options);
  return endpoints.map((endpoint) => ({ ...endpoint, health: health.get(endpoint.id) ?? noHealth }));
}

export async function oneWithHealth<E extends Environment>(
  { queues }: Pick<Dependencies<E>, 'queues'>,
  tenant: Tenant<E>,
  endpoint: Endpoint,
  options: Tx | { maxTimeMS: number },
): Promise<ShownEndpoint> {
  const health = await queues.healthOf(tenant, [endpoint.id], options);
  return { ...endpoint, health: health.get(endpoint.id) ?? noHealth };
}
