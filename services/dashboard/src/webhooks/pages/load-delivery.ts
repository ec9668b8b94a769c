import { contextOf, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import type { DeliveryStory } from '../operations/deliveries.ts';

/** Plain JSON, because the page reads it again every few seconds. */
export type DeliveryStatus = DeliveryStory & { nowMs: number };

export async function readDelivery(context: PageContext, deliveryId: string): Promise<DeliveryStatus> {
  const { deliveries, usage } = contextOf(context).application;
  const story = await deliveries.get(workspaceVisit(context), deliveryId);
  return { ...story, nowMs: usage.nowMs() };
}
