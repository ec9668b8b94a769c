import { emptyReply, jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently, unchargedReply } from '../../idempotency/run-idempotently.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { exampleReplayJob, job } from '../jobs/contract.ts';
import { exampleTime, groupPageQuery } from '../store-groups/contract.ts';
import {
  exampleCreation,
  exampleTest,
  exampleWebhook,
  exampleWithSecret,
  reads,
  webhook,
  webhookCreate,
  webhookPage,
  webhookParams,
  webhookReplay,
  webhookRotate,
  webhookTest,
  webhookTested,
  webhookUpdate,
  webhookWithSecret,
  writes,
} from './contract.ts';
import { change, create, pageOfWebhooks, read, remove, replay, rotate, test } from './webhooks.ts';

const path = '/v1/webhooks';
const ofOne = { path: `${path}/{webhook_id}`, params: webhookParams, errors: ['not_found_webhook'] } as const;
const headers = ['Cache-Control'] as const;
const success = {
  status: 200,
  description: 'The webhook.',
  schema: webhook,
  example: exampleWebhook,
  headers,
} as const;
const successWithSecret = { ...success, schema: webhookWithSecret, example: exampleWithSecret } as const;

/** The reply with a secret. A stored response is replayed without it. */
const secretReply = (status: number, { body, replayed }: { body: object; replayed: object }) => ({
  ...unchargedReply(status, body),
  replayedBody: Buffer.from(JSON.stringify(replayed)),
});

export const createWebhook = defineEndpoint({
  ...writes,
  id: 'createWebhook',
  method: 'POST',
  path,
  summary: 'Create a webhook; its secret is shown once',
  description:
    'The events of the workspace are sent to the URL, signed as Standard Webhooks 1.0 describes. Delivery is at least once and unordered. The plan ' +
    'bounds the webhooks of a workspace (webhooks): a request beyond the quota answers 400 and changes nothing.',
  body: webhookCreate,
  idempotent: true,
  success: { ...successWithSecret, status: 201, requestExample: exampleCreation },
  errors: ['not_found_watchlist'],
  handle: (request, deps) =>
    runIdempotently(deps, request, request.json, async ({ chargeId }) =>
      secretReply(201, await create(deps, request, request.body, chargeId)),
    ),
});

export const listWebhooks = defineEndpoint({
  ...reads,
  id: 'listWebhooks',
  method: 'GET',
  path,
  summary: 'Every webhook of the workspace, newest first',
  query: groupPageQuery,
  success: {
    status: 200,
    description: 'A page of webhooks.',
    schema: webhookPage,
    example: { data: [exampleWebhook], next_cursor: null },
    headers,
  },
  handle: async (request, deps) => jsonReply(200, await pageOfWebhooks(deps, request, request.query)),
});

export const getWebhook = defineEndpoint({
  ...reads,
  ...ofOne,
  id: 'getWebhook',
  method: 'GET',
  summary: 'One webhook',
  success,
  handle: async (request, deps) => jsonReply(200, await read(deps, request, request.params.webhook_id)),
});

export const updateWebhook = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'updateWebhook',
  method: 'PATCH',
  summary: 'Change, pause or resume a webhook',
  description:
    'Replaces the members that the request has, filters and headers as a whole. Deliveries that wait keep their event and go to the new URL. ' +
    'state: active also ends disabled. What was missed while disabled comes by a replay only.',
  body: webhookUpdate,
  success: { ...success, example: { ...exampleWebhook, state: 'paused' }, requestExample: { state: 'paused' } },
  errors: ['not_found_webhook', 'not_found_watchlist'],
  handle: async (request, deps) => jsonReply(200, await change(deps, request, request.params.webhook_id, request.body)),
});

export const deleteWebhook = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'deleteWebhook',
  method: 'DELETE',
  summary: 'Delete a webhook',
  description:
    'No attempt begins after the response; one that is in progress may still arrive. Its deliveries stay readable for 30 days.',
  success: { status: 204, description: 'Deleted.', headers },
  async handle(request, deps) {
    await remove(deps, request, request.params.webhook_id);
    return emptyReply();
  },
});

export const testWebhook = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'testWebhook',
  method: 'POST',
  path: `${path}/{webhook_id}/test`,
  summary: 'Send a test event',
  description:
    'Sends the example of a type of event at once, whatever the state of the webhook, and answers what the receiver answered. The message has ' +
    '`"test": true` and no sequence. It is no delivery and does not count as success or failure. The body may be absent.',
  body: webhookTest,
  isBodyOptional: true,
  idempotent: true,
  success: {
    status: 200,
    description: 'What was sent, and its attempt.',
    schema: webhookTested,
    example: exampleTest,
    requestExample: { type: 'webhook.failing' },
    headers,
  },
  handle(request, deps) {
    const { webhook_id } = request.params;
    return runIdempotently(deps, request, { webhook_id, body: request.json }, async () =>
      unchargedReply(200, await test(deps, request, webhook_id, request.body)),
    );
  },
});

export const rotateWebhookSecret = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/{webhook_id}/rotate_secret`,
  summary: 'Make a new secret; the old one signs as well while they overlap',
  description: 'At most two secrets sign: a second rotation ends the oldest one. The body may be absent.',
  body: webhookRotate,
  isBodyOptional: true,
  idempotent: true,
  success: { ...successWithSecret, requestExample: { overlap_hours: 24 } },
  handle(request, deps) {
    const { webhook_id: webhookId } = request.params;
    const content = { webhook_id: webhookId, body: request.json };
    return runIdempotently(deps, request, content, async ({ chargeId }) => {
      const rotation = { webhookId, requestToken: chargeId };
      return secretReply(200, await rotate(deps, request, { ...rotation, overlapHours: request.body.overlap_hours }));
    });
  },
});

export const replayWebhook = defineEndpoint({
  ...writes,
  ...ofOne,
  id: 'replayWebhook',
  method: 'POST',
  path: `${path}/{webhook_id}/replay`,
  summary: 'Deliver the events of a time span again, as a job',
  description:
    'Starts a job over the events that match the webhook now, behind the deliveries of new events. Follow it with GET /v1/jobs/{job_id}; ' +
    'canceling it withdraws what was not tried. A message keeps its webhook-id. A workspace has at most 20 replays that have not ended.',
  body: webhookReplay,
  idempotent: true,
  success: {
    status: 202,
    description: 'The job.',
    schema: job,
    example: exampleReplayJob,
    requestExample: { from: '2026-01-14T00:00:00.000Z', to: exampleTime, only: 'all' },
    headers,
  },
  handle(request, deps) {
    const { webhook_id: webhookId } = request.params;
    const content = { webhook_id: webhookId, body: request.json };
    return runIdempotently(deps, request, content, async ({ chargeId }) =>
      unchargedReply(202, await replay(deps, request, { webhookId, requestToken: chargeId }, request.body)),
    );
  },
});
