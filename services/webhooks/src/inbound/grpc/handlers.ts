import { inEnvironment } from '@shopscope/environment';
import { type Handlers, tenantOf, testTenantOf } from '@shopscope/grpc';
import type { WebhooksServiceService } from '@shopscope/proto';
import { countMatches } from '../../operations/count-matches.ts';
import { createEndpoint } from '../../operations/create-endpoint.ts';
import { deleteEndpoint } from '../../operations/delete-endpoint.ts';
import { findDelivery, listDeliveries } from '../../operations/deliveries/find-delivery.ts';
import { retryDelivery } from '../../operations/deliveries/retry-delivery.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { listEndpoints, showEndpoint } from '../../operations/find-endpoint.ts';
import { cancelReplay } from '../../operations/replays/cancel-replay.ts';
import { findReplay, listReplays } from '../../operations/replays/find-replay.ts';
import { startReplay } from '../../operations/replays/start-replay.ts';
import { requireUrl } from '../../operations/require-url.ts';
import { resetTestEndpoints } from '../../operations/reset-test-endpoints.ts';
import { rotateSecret } from '../../operations/rotate-secret.ts';
import { testEndpoint } from '../../operations/test-endpoint.ts';
import { updateEndpoint } from '../../operations/update-endpoint.ts';
import {
  decodeCreation,
  decodeDeliveryFilter,
  decodeMatching,
  decodeReplay,
  decodeReplayFilter,
  decodeUpdate,
} from './decode.ts';
import { encodeAttempt, encodeDelivery, encodeEndpoint, encodeReplay } from './encode.ts';

/** Every RPC. Each decodes the request, calls one operation in the environment of the call, and encodes the result. */
export const webhooksHandlers = (every: EveryEnvironment): Handlers<typeof WebhooksServiceService> => ({
  createEndpoint: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { endpoint, secret } = await createEndpoint(deps, tenant, decodeCreation(request), context);
      return { endpoint: encodeEndpoint(endpoint), secret };
    }),
  getEndpoint: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      endpoint: encodeEndpoint(await showEndpoint(deps, tenant, request.endpointId, context)),
    })),
  listEndpoints: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { rows, hasMore } = await listEndpoints(deps, tenant, request, context);
      return { endpoints: rows.map(encodeEndpoint), hasMore };
    }),
  updateEndpoint: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const update = { id: request.endpointId, ...decodeUpdate(request) };
      return { endpoint: encodeEndpoint(await updateEndpoint(deps, tenant, update, context)) };
    }),
  deleteEndpoint: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      await deleteEndpoint(deps, tenant, request.endpointId, context);
      return {};
    }),
  rotateSecret: ({ endpointId: id, ...request }, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { endpoint, secret } = await rotateSecret(deps, tenant, { id, ...request }, context);
      return { endpoint: encodeEndpoint(endpoint), secret };
    }),
  checkUrl: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps) => {
      await requireUrl(deps, request.url, context);
      return {};
    }),
  countMatches: (request, context) =>
    inEnvironment(every, tenantOf(request, context), (deps, tenant) =>
      countMatches(deps, tenant, decodeMatching(request), context),
    ),
  testEndpoint: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { attempt, endpoint, ...sent } = await testEndpoint(deps, tenant, request, context);
      return { ...sent, attempt: encodeAttempt(attempt), endpoint: encodeEndpoint(endpoint) };
    }),
  listDeliveries: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const { rows, hasMore } = await listDeliveries(deps, tenant, decodeDeliveryFilter(request), context);
      return { deliveries: rows.map(encodeDelivery), hasMore };
    }),
  getDelivery: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      delivery: encodeDelivery(await findDelivery(deps, tenant, request.deliveryId, context)),
    })),
  retryDelivery: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      delivery: encodeDelivery(await retryDelivery(deps, tenant, request.deliveryId, context)),
    })),
  replay: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      job: encodeReplay(await startReplay(deps, tenant, decodeReplay(request), context)),
    })),
  getReplayJob: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      job: encodeReplay(await findReplay(deps, tenant, request.jobId, context)),
    })),
  listReplayJobs: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
      const filter = decodeReplayFilter(request);
      if (!filter) return { jobs: [], hasMore: false };
      const { rows, hasMore } = await listReplays(deps, tenant, filter, context);
      return { jobs: rows.map(encodeReplay), hasMore };
    }),
  cancelReplayJob: (request, context) =>
    inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
      job: encodeReplay(await cancelReplay(deps, tenant, request.jobId, context)),
    })),
  resetTestEndpoints: async (request, context) => {
    await resetTestEndpoints(every.test, testTenantOf(request, context), context);
    return {};
  },
});
