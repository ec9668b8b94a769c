import { waitUntil } from '@shopscope/testing';
import type { DevEnv } from '../../../src/index.ts';
import type { Asker } from './asker.ts';

/** A webhook of a workspace with one delivery, and a replay that has ended. */
export interface TenantWebhook {
  webhookId: string;
  deliveryId: string;
  /** The event of the delivery. */
  eventId: string;
  replayId: string;
}

/** Nothing listens there. */
const url = 'http://127.0.0.1:1/receiver';

/** The events of the last hour. */
export function lastHour(): { from: string; to: string } {
  const nowMs = Date.now();
  return { from: new Date(nowMs - 3_600_000).toISOString(), to: new Date(nowMs).toISOString() };
}

/** Creates a paused webhook, so that its delivery does not change, and pauses and resumes the watchlist, which makes the delivery. */
export async function createTenantWebhook(
  env: DevEnv,
  { asker, description, watchlistId }: { asker: Asker; description: string; watchlistId: string },
): Promise<TenantWebhook> {
  const change = (path: string, state: string) => asker.send({ path, method: 'PATCH', body: { state } });
  const body = { url, event_types: ['watchlist.paused'], description };
  const webhookId = (await asker.send({ path: '/v1/webhooks', body })).body.id as string;
  const path = `/v1/webhooks/${webhookId}`;
  await change(path, 'paused');
  for (const state of ['paused', 'active']) await change(`/v1/watchlists/${watchlistId}`, state);
  const deliveries = async () => (await asker.send({ path: `${path}/deliveries` })).body.data;
  await waitUntil('the delivery', async () => (await deliveries()).length === 1);
  const [{ id: deliveryId, event_id: eventId }] = await deliveries();
  const replayId = (await asker.send({ path: `${path}/replay`, body: lastHour() })).body.id as string;
  const replay = async () => (await asker.send({ path: `/v1/jobs/${replayId}` })).body;
  await waitUntil('the end of the replay', async () => (await replay()).state === 'succeeded');
  await env.settle();
  return { webhookId, deliveryId, eventId, replayId };
}
