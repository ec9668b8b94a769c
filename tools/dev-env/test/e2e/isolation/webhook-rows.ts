import {
  EndpointState,
  ReplayScope,
  UpdateEndpointRequest,
  WatchlistState,
  type WebhooksServiceService,
} from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { expect } from 'vitest';
import type { DevEnv } from '../../../src/index.ts';
import type { RpcRow } from './rpc-row.ts';
import type { Tenant } from './tenant.ts';

const origin = { requestId: 'req_of_the_isolation_matrix', traceparent: '', environment: 'live' as const };
/** Nothing listens there. */
const url = 'http://127.0.0.1:1/receiver';

const refused = async (answer: Promise<unknown>, code: string) => {
  await expect(answer).rejects.toMatchObject({ code });
};

interface EndpointRef {
  workspaceId: string;
  endpointId: string;
}

const creation = ({ workspaceId, name }: Tenant) => ({
  workspaceId,
  members: {
    url,
    eventTypes: ['watchlist.paused'],
    description: `Webhook of ${name}`,
    watchlistIds: [],
    filters: undefined,
    maxPerMinute: undefined,
    headers: [],
  },
  quota: 1_000,
  requestToken: '',
});

async function newEndpoint(env: DevEnv, tenant: Tenant): Promise<EndpointRef> {
  const { endpoint } = await env.webhooks.createEndpoint(creation(tenant), { origin });
  return { workspaceId: tenant.workspaceId, endpointId: endpoint?.id ?? '' };
}

/** Calls the RPC with an endpoint of the other workspace, which is not found, and then with one of the caller's. */
const ofEndpoint =
  <R>(ask: (env: DevEnv, endpoint: EndpointRef) => Promise<R>): RpcRow['ask'] =>
  async ({ env, own, other }) => {
    const { endpointId } = await newEndpoint(env, other);
    await refused(ask(env, { workspaceId: own.workspaceId, endpointId }), 'not_found');
    return ask(env, await newEndpoint(env, own));
  };

/** Makes a delivery: the watchlist of the tenant is paused. */
async function newDelivery(env: DevEnv, tenant: Tenant): Promise<{ workspaceId: string; deliveryId: string }> {
  const { workspaceId, endpointId } = await newEndpoint(env, tenant);
  const members = {
    name: `Watched by ${tenant.name}`,
    signalTypes: [],
    technologies: [],
    quota: 100,
    requestToken: '',
  };
  const noRescans = { rescanInterval: undefined, budget: undefined, keyId: '' };
  const { watchlist } = await env.subscriptions.createWatchlist({ workspaceId, ...members, ...noRescans }, { origin });
  const change = { name: undefined, signalTypes: undefined, technologies: undefined, state: WatchlistState.PAUSED };
  const request = { workspaceId, watchlistId: watchlist?.id ?? '', ...change, ...noRescans };
  await env.subscriptions.updateWatchlist(request, { origin });
  await env.subscriptions.deleteWatchlist({ workspaceId, watchlistId: request.watchlistId }, { origin });
  let deliveryId = '';
  await waitUntil('a delivery', async () => {
    const { deliveries } = await env.webhooks.listDeliveries(deliveriesOf(workspaceId, endpointId), { origin });
    deliveryId = deliveries[0]?.id ?? '';
    return deliveryId !== '';
  });
  return { workspaceId, deliveryId };
}

const deliveriesOf = (workspaceId: string, endpointId: string) => ({
  workspaceId,
  endpointId,
  eventId: '',
  states: [],
  fromMs: undefined,
  toMs: undefined,
  after: undefined,
  limit: 200,
});

const ofDelivery =
  <R>(ask: (env: DevEnv, delivery: { workspaceId: string; deliveryId: string }) => Promise<R>): RpcRow['ask'] =>
  async ({ env, own, other }) => {
    const { deliveryId } = await newDelivery(env, other);
    await refused(ask(env, { workspaceId: own.workspaceId, deliveryId }), 'not_found');
    return ask(env, await newDelivery(env, own));
  };

const replayOf = (endpoint: EndpointRef) => {
  const span = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) };
  return { ...endpoint, ...span, scope: ReplayScope.ALL, eventTypes: [], requestToken: '' };
};

async function newReplay(env: DevEnv, tenant: Tenant): Promise<{ workspaceId: string; jobId: string }> {
  const { job } = await env.webhooks.replay(replayOf(await newEndpoint(env, tenant)), { origin });
  return { workspaceId: tenant.workspaceId, jobId: job?.id ?? '' };
}

const ofReplay =
  <R>(ask: (env: DevEnv, job: { workspaceId: string; jobId: string }) => Promise<R>): RpcRow['ask'] =>
  async ({ env, own, other }) => {
    const { jobId } = await newReplay(env, other);
    await refused(ask(env, { workspaceId: own.workspaceId, jobId }), 'not_found');
    return ask(env, await newReplay(env, own));
  };

export const webhooks: { [Rpc in keyof typeof WebhooksServiceService]: RpcRow } = {
  createEndpoint: { ask: ({ env, own }) => env.webhooks.createEndpoint(creation(own), { origin }) },
  getEndpoint: { ask: ofEndpoint((env, endpoint) => env.webhooks.getEndpoint(endpoint, { origin })) },
  listEndpoints: {
    async ask({ env, own, other }) {
      const { endpointId } = await newEndpoint(env, other);
      return Promise.all(
        // The endpoint of another workspace as a position shows nothing of it.
        ['', endpointId].map((afterId) =>
          env.webhooks.listEndpoints({ workspaceId: own.workspaceId, afterId, limit: 200 }, { origin }),
        ),
      );
    },
  },
  updateEndpoint: {
    ask: ofEndpoint((env, endpoint) =>
      env.webhooks.updateEndpoint(UpdateEndpointRequest.fromPartial({ ...endpoint, state: EndpointState.PAUSED }), {
        origin,
      }),
    ),
  },
  deleteEndpoint: { ask: ofEndpoint((env, endpoint) => env.webhooks.deleteEndpoint(endpoint, { origin })) },
  rotateSecret: {
    ask: ofEndpoint((env, endpoint) =>
      env.webhooks.rotateSecret({ ...endpoint, overlapHours: 24, requestToken: '' }, { origin }),
    ),
  },
  checkUrl: {
    ask: ({ env, own }) => env.webhooks.checkUrl({ workspaceId: own.workspaceId, url }, { origin }),
  },
  countMatches: {
    async ask({ env, own, other }) {
      const members = { eventTypes: ['watchlist.paused'], watchlistIds: [], filters: undefined };
      const count = ({ workspaceId }: Tenant) => env.webhooks.countMatches({ workspaceId, ...members }, { origin });
      const [ofOwn, ofOther] = [await count(own), await count(other)];
      await newDelivery(env, other);
      expect(await count(other)).toEqual({ matched: ofOther.matched + 1, isCut: false });
      expect(await count(own)).toEqual(ofOwn);
      return ofOwn;
    },
  },
  testEndpoint: {
    ask: ofEndpoint((env, endpoint) =>
      env.webhooks.testEndpoint({ ...endpoint, eventType: 'watchlist.paused', data: '{}' }, { origin }),
    ),
  },
  listDeliveries: {
    ask: ofEndpoint((env, { workspaceId, endpointId }) =>
      env.webhooks.listDeliveries(deliveriesOf(workspaceId, endpointId), { origin }),
    ),
  },
  getDelivery: { ask: ofDelivery((env, delivery) => env.webhooks.getDelivery(delivery, { origin })) },
  retryDelivery: { ask: ofDelivery((env, delivery) => env.webhooks.retryDelivery(delivery, { origin })) },
  replay: { ask: ofEndpoint((env, endpoint) => env.webhooks.replay(replayOf(endpoint), { origin })) },
  getReplayJob: { ask: ofReplay((env, job) => env.webhooks.getReplayJob(job, { origin })) },
  listReplayJobs: {
    async ask({ env, own, other }) {
      const jobIds = [(await newReplay(env, other)).jobId, (await newReplay(env, own)).jobId];
      const request = { workspaceId: own.workspaceId, types: [], states: [], jobIds, after: undefined, limit: 200 };
      const answer = await env.webhooks.listReplayJobs(request, { origin });
      expect(answer.jobs.map(({ id }) => id)).toEqual([jobIds[1]]);
      return answer;
    },
  },
  cancelReplayJob: { ask: ofReplay((env, job) => env.webhooks.cancelReplayJob(job, { origin })) },
  resetTestEndpoints: {
    ask: ({ env, own }) => refused(env.webhooks.resetTestEndpoints(own, { origin }), 'invalid_request'),
  },
};
