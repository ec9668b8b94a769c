import { AppError } from '@shopscope/errors';
import { ListDeliveriesRequest } from '@shopscope/proto';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Page } from '../jobs/jobs.ts';
import type { deliveryQuery } from './contract.ts';
import { deliveryBodyOf, protoStateOf } from './webhook-body.ts';

/**
 * The deliveries of the caller's workspace, the newest first.
 *
 * - A cursor belongs to the workspace, its environment and the filters.
 * - The id belongs to another workspace, is unknown, or its delivery is older than the retention -> 404.
 */
export async function pageOfDeliveries(
  { webhooks, cursors }: Pick<Dependencies, 'webhooks' | 'cursors'>,
  request: CallerRequest,
  { webhook_id: endpointId = '', event_id: eventId = '', ...query }: z.output<typeof deliveryQuery>,
): Promise<Page<object>> {
  const { state, from, to, cursor, limit } = query;
  const { workspaceId, keyEnvironment } = request.caller;
  const bound = ['deliveries', keyEnvironment, workspaceId, endpointId, eventId, state ?? '', from ?? '', to ?? ''];
  const [createdAtMs, deliveryId = ''] = cursor === undefined ? [] : cursors.verify(bound, cursor).split(' ');
  const page = {
    workspaceId,
    endpointId,
    eventId,
    states: state === undefined ? [] : [protoStateOf(state)],
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
    after: createdAtMs === undefined ? undefined : { createdAtMs: Number(createdAtMs), deliveryId },
    limit,
  };
  const { deliveries, hasMore } = await webhooks.listDeliveries(page, request);
  if (eventId !== '' && deliveries.length === 0) await requireEvent({ webhooks }, request, eventId);
  const last = deliveries.at(-1);
  return {
    data: deliveries.map(deliveryBodyOf),
    next_cursor: hasMore && last ? cursors.sign(bound, `${last.createdAtMs} ${last.id}`) : null,
  };
}

/** Throws `not_found` for an event without any delivery, such as one of another workspace. */
async function requireEvent(
  { webhooks }: Pick<Dependencies, 'webhooks'>,
  request: CallerRequest,
  eventId: string,
): Promise<void> {
  const ofEvent = ListDeliveriesRequest.fromPartial({ workspaceId: request.caller.workspaceId, eventId, limit: 1 });
  const { deliveries } = await webhooks.listDeliveries(ofEvent, request);
  if (deliveries.length === 0) throw new AppError('not_found', 'The workspace has no such delivery.');
}

export async function readDelivery(
  { webhooks }: Pick<Dependencies, 'webhooks'>,
  request: CallerRequest,
  deliveryId: string,
): Promise<object> {
  const { workspaceId } = request.caller;
  return deliveryBodyOf((await webhooks.getDelivery({ workspaceId, deliveryId }, request)).delivery);
}

export async function retry(
  { webhooks }: Pick<Dependencies, 'webhooks'>,
  request: CallerRequest,
  deliveryId: string,
): Promise<object> {
  const { workspaceId } = request.caller;
  return deliveryBodyOf((await webhooks.retryDelivery({ workspaceId, deliveryId }, request)).delivery);
}
