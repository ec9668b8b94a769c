import type { components } from './api.gen.ts';
import type { Paged } from './pages.ts';
import { type ListQuery, type Requests, segmentOf } from './requests.ts';
import type { CallOptions, PostOptions } from './send.ts';
import type { Job } from './wait-for-job.ts';

type Schemas = components['schemas'];

export interface WebhookOperations {
  /**
   * Creates a webhook. Its `secret` is shown once. It is null when an attempt was repeated after the response of the first one was lost:
   * rotateWebhookSecret then makes another. Free, as every operation of webhooks.
   */
  createWebhook(webhook: Schemas['WebhookCreate'], options?: PostOptions): Promise<Schemas['WebhookWithSecret']>;
  listWebhooks(query?: ListQuery<'listWebhooks'>, options?: CallOptions): Paged<Schemas['WebhookPage']>;
  getWebhook(webhookId: string, options?: CallOptions): Promise<Schemas['Webhook']>;
  /** Replaces the members of `changes`, which may include the state. `active` also ends `disabled`. */
  updateWebhook(
    webhookId: string,
    changes: Schemas['WebhookUpdate'],
    options?: CallOptions,
  ): Promise<Schemas['Webhook']>;
  /** No attempt begins afterwards. One that is in progress may still arrive. */
  deleteWebhook(webhookId: string, options?: CallOptions): Promise<void>;
  /** Sends an example to the webhook, and resolves to what the receiver answered. */
  testWebhook(
    webhookId: string,
    test?: Schemas['WebhookTest'],
    options?: PostOptions,
  ): Promise<Schemas['WebhookTested']>;
  /** Makes another secret, which is shown once, as that of createWebhook. The old one signs as well while they overlap. */
  rotateWebhookSecret(
    webhookId: string,
    rotation?: Partial<Schemas['WebhookRotate']>,
    options?: PostOptions,
  ): Promise<Schemas['WebhookWithSecret']>;
  /** Starts a job that delivers the events of a time span again. waitForJob follows it. */
  replayWebhook(webhookId: string, replay: WebhookReplay, options?: PostOptions): Promise<Job>;
  listWebhookDeliveries(
    webhookId: string,
    query?: ListQuery<'listWebhookDeliveries'>,
    options?: CallOptions,
  ): Paged<Schemas['DeliveryPage']>;
  /** The deliveries of the last 30 days, newest first. */
  listDeliveries(query?: ListQuery<'listDeliveries'>, options?: CallOptions): Paged<Schemas['DeliveryPage']>;
  getDelivery(deliveryId: string, options?: CallOptions): Promise<Schemas['Delivery']>;
  /** Asks for one more attempt now, whatever the state of the delivery. */
  retryDelivery(deliveryId: string, options?: PostOptions): Promise<Schemas['Delivery']>;
}

/** `only`: default `failed`. */
export type WebhookReplay = Omit<Schemas['WebhookReplay'], 'only'> & Partial<Pick<Schemas['WebhookReplay'], 'only'>>;

export function createWebhookOperations({ get, post, patch, remove, list }: Requests): WebhookOperations {
  const pathOf = (webhookId: string) => `/v1/webhooks/${segmentOf(webhookId)}`;
  const deliveryPath = (deliveryId: string) => `/v1/deliveries/${segmentOf(deliveryId)}`;
  return {
    createWebhook: (body, options) => post('/v1/webhooks', body, options),
    listWebhooks: (query, options) => list(() => '/v1/webhooks', query, options),
    getWebhook: async (webhookId, options) => get(pathOf(webhookId), options),
    updateWebhook: async (webhookId, body, options) => patch(pathOf(webhookId), body, options),
    deleteWebhook: async (webhookId, options) => remove(pathOf(webhookId), options),
    testWebhook: async (webhookId, body = {}, options) => post(`${pathOf(webhookId)}/test`, body, options),
    rotateWebhookSecret: async (webhookId, body = {}, options) =>
      post(`${pathOf(webhookId)}/rotate_secret`, body, options),
    replayWebhook: async (webhookId, body, options) => post(`${pathOf(webhookId)}/replay`, body, options),
    listWebhookDeliveries: (webhookId, query, options) => list(() => `${pathOf(webhookId)}/deliveries`, query, options),
    listDeliveries: (query, options) => list(() => '/v1/deliveries', query, options),
    getDelivery: async (deliveryId, options) => get(deliveryPath(deliveryId), options),
    retryDelivery: async (deliveryId, options) => post(`${deliveryPath(deliveryId)}/retry`, undefined, options),
  };
}
