/** The deliveries to the webhooks of a workspace. Members can read them; admins can have one sent again. */

import { AppError } from '@shopscope/errors';
import { unlessNotFound } from '@shopscope/grpc';
import type { Delivery, Endpoint } from '@shopscope/proto';
import { isId } from '@shopscope/text';
import { requireAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type DeliveryFilter, deliveryTimes, positionOf, positionText } from '../domain/delivery-filter.ts';
import { type DeliveryView, deliveryView, formattedJson, stateNumber } from '../domain/delivery-view.ts';
import { type EndpointView, endpointView } from '../domain/endpoint-view.ts';
import { shownUrl } from '../domain/shown-url.ts';

const deliveriesPerPage = 50;
/** A plan allows fewer endpoints. */
const maxEndpoints = 200;

export interface DeliveryStory {
  delivery: DeliveryView;
  /** The text that is sent, with line breaks. */
  body: string;
  /** Undefined if the endpoint was deleted. */
  endpoint: EndpointView | undefined;
}

/** A page of deliveries, the newest first. */
export async function page(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { webhookId: endpointId, state, eventId, time }: DeliveryFilter,
  cursor: string | undefined,
): Promise<{ deliveries: DeliveryView[]; older: string | undefined }> {
  const { workspaceId } = visit.membership;
  const request = {
    workspaceId,
    endpointId,
    eventId,
    states: state === undefined ? [] : [stateNumber(state)],
    fromMs: time === undefined ? undefined : deps.clock.now() - deliveryTimes[time].ms,
    toMs: undefined,
    after: positionOf(cursor),
    limit: deliveriesPerPage,
  };
  const { deliveries, hasMore } = await deps.webhooks.listDeliveries(request, visit.origin);
  const last = deliveries.at(-1);
  const older = hasMore && last ? positionText({ createdAtMs: last.createdAtMs, deliveryId: last.id }) : undefined;
  return { deliveries: deliveries.map(deliveryView), older };
}

/** The names of the endpoints, by id. */
export async function endpointNames(deps: Dependencies, visit: WorkspaceVisit): Promise<Record<string, string>> {
  const request = { workspaceId: visit.membership.workspaceId, afterId: '', limit: maxEndpoints };
  const { endpoints } = await deps.webhooks.listEndpoints(request, visit.origin);
  return Object.fromEntries(endpoints.map(({ id, url }) => [id, shownUrl(url)]));
}

/** Throws `not_found` if the delivery does not exist or belongs to another workspace. */
export async function get(deps: Dependencies, visit: WorkspaceVisit, deliveryId: string): Promise<DeliveryStory> {
  const { workspaceId } = visit.membership;
  const request = { workspaceId, deliveryId: requireId(deliveryId) };
  const delivery = (await deps.webhooks.getDelivery(request, visit.origin)).delivery as Delivery;
  const ofEndpoint = { workspaceId, endpointId: delivery.endpointId };
  const found = await unlessNotFound(deps.webhooks.getEndpoint(ofEndpoint, visit.origin));
  return {
    delivery: deliveryView(delivery),
    body: formattedJson(delivery.body),
    endpoint: found && endpointView(found.endpoint as Endpoint),
  };
}

/** Has one more attempt made now. A form that is sent again while the attempt waits makes no second one. */
export async function retry(deps: Dependencies, visit: WorkspaceVisit, deliveryId: string): Promise<void> {
  requireAdmin(visit.membership);
  const request = { workspaceId: visit.membership.workspaceId, deliveryId: requireId(deliveryId) };
  await deps.webhooks.retryDelivery(request, visit.origin);
}

function requireId(deliveryId: string): string {
  if (!isId(deliveryId, 'dlv')) throw new AppError('not_found', 'There is no such delivery in this workspace.');
  return deliveryId;
}
