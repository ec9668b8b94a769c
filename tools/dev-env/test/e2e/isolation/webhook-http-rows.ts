import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import type { Ask } from './asker.ts';
import type { HttpRow } from './http-row.ts';
import type { Tenant } from './tenant.ts';
import { lastHour } from './tenant-webhook.ts';

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);

/** The workspace's own webhook, and the webhook of the other workspace, which is not found. */
const webhookRow = (suffix: string, status: number, more: () => Partial<Ask> = () => ({})): HttpRow => ({
  asks: (own, other) =>
    [own, other].map(({ webhookId }) => ({ path: `/v1/webhooks/${webhookId}${suffix}`, ...more() })),
  expect: (answers) => expect(statusesOf(answers)).toEqual([status, 404]),
});

const deliveryRow = (suffix: string, status: number): HttpRow => ({
  asks: (own, other) => [own, other].map(({ deliveryId }) => ({ path: `/v1/deliveries/${deliveryId}${suffix}` })),
  expect: (answers) => expect(statusesOf(answers)).toEqual([status, 404]),
});

const creation = ({ name }: Tenant) => ({
  url: 'http://127.0.0.1:1/second',
  event_types: ['scan.failed'],
  description: `Second webhook of ${name}`,
});

/** Webhooks, deliveries and replays. */
export const webhookRows: Record<string, HttpRow> = {
  listWebhooks: {
    asks: () => [{ path: '/v1/webhooks' }, { path: '/v1/webhooks?limit=1' }],
    expect: ([answer], own) => {
      expect(answer && idsOf(answer)).toContain(own.webhookId);
    },
  },
  createWebhook: {
    asks: (own, other) => [
      { path: '/v1/webhooks', body: creation(own), headers: { 'idempotency-key': other.idempotencyKey } },
      { path: '/v1/webhooks', body: { ...creation(own), watchlist_ids: [own.watchlistId, other.watchlistId] } },
    ],
    expect: (answers) => expect(statusesOf(answers)).toEqual([201, 404]),
  },
  getWebhook: webhookRow('', 200),
  updateWebhook: {
    asks: (own, other) => [
      ...[own, other].map(({ webhookId }) => ({
        path: `/v1/webhooks/${webhookId}`,
        body: { description: 'Renamed webhook' },
      })),
      { path: `/v1/webhooks/${own.webhookId}`, body: { watchlist_ids: [other.watchlistId] } },
    ],
    expect: (answers) => expect(statusesOf(answers)).toEqual([200, 404, 404]),
  },
  testWebhook: webhookRow('/test', 200),
  rotateWebhookSecret: webhookRow('/rotate_secret', 200),
  replayWebhook: webhookRow('/replay', 202, () => ({ body: { ...lastHour(), only: 'all' } })),
  deleteWebhook: {
    asks: (_, other) => [{ path: `/v1/webhooks/${other.webhookId}` }],
    expect: (answers) => expect(statusesOf(answers)).toEqual([404]),
  },
  listDeliveries: {
    asks: (own, other) =>
      [
        '',
        `?webhook_id=${own.webhookId}`,
        `?event_id=${own.eventId}`,
        `?webhook_id=${other.webhookId}`,
        `?event_id=${other.eventId}`,
      ].map((query) => ({ path: `/v1/deliveries${query}` })),
    expect: (answers, own) => {
      expect(statusesOf(answers)).toEqual([200, 200, 200, 404, 404]);
      for (const answer of answers.slice(0, 3)) expect(idsOf(answer)).toContain(own.deliveryId);
    },
  },
  listWebhookDeliveries: webhookRow('/deliveries', 200),
  getDelivery: deliveryRow('', 200),
  // The webhook is paused.
  retryDelivery: deliveryRow('/retry', 400),
};
