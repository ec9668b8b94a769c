/** The webhook endpoints of a workspace. Members can read them; admins can create and change them. */

import { AppError } from '@shopscope/errors';
import type { Endpoint } from '@shopscope/proto';
import { isId } from '@shopscope/text';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type EndpointView, endpointView } from '../domain/endpoint-view.ts';

const endpointsPerPage = 50;

/** A page of the endpoints, the newest first. `afterId`: the last endpoint of the page before, or an empty string. */
export async function list(deps: Dependencies, visit: WorkspaceVisit, afterId: string) {
  const { workspaceId } = visit.membership;
  const request = { workspaceId, afterId: isId(afterId, 'whk') ? afterId : '', limit: endpointsPerPage };
  const { endpoints, hasMore } = await deps.webhooks.listEndpoints(request, visit.origin);
  return { endpoints: endpoints.map(endpointView), older: hasMore ? endpoints.at(-1)?.id : undefined };
}

/** Throws `not_found` if the endpoint does not exist or belongs to another workspace. */
export async function get(deps: Dependencies, visit: WorkspaceVisit, endpointId: string): Promise<EndpointView> {
  if (!isId(endpointId, 'whk')) throw new AppError('not_found', 'There is no such webhook in this workspace.');
  const { workspaceId } = visit.membership;
  const { endpoint } = await deps.webhooks.getEndpoint({ workspaceId, endpointId }, visit.origin);
  return endpointView(endpoint as Endpoint);
}
