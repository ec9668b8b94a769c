import { type Endpoint, EndpointState, ReplayScope, type RotateSecretResponse } from '@shopscope/proto';
import type { z } from 'zod';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { eventTypeEntries } from '../events/event-types.ts';
import { bulkBodyOf } from '../jobs/bulk-job-body.ts';
import type { Page } from '../jobs/jobs.ts';
import type { groupPageQuery } from '../store-groups/contract.ts';
import { pageOfGroups } from '../store-groups/page-of-groups.ts';
import { checkedMembers, newMembers } from './checked-members.ts';
import type { webhookCreate, webhookReplay, webhookTest, webhookUpdate } from './contract.ts';
import { attemptBodyOf, webhookBodyOf } from './webhook-body.ts';

/**
 * The webhooks of the caller's workspace, in the environment of its key.
 *
 * - The id belongs to another workspace, is unknown, or its webhook is deleted -> 404.
 * - A secret is in the first response only. A repeated call with the same token has an empty one.
 */
type Deps = Pick<Dependencies, 'webhooks' | 'subscriptions' | 'profiles'>;
type Webhooks = Pick<Dependencies, 'webhooks'>;

/** Calls with one token have one effect. */
interface Named {
  webhookId: string;
  requestToken: string;
}

/** The two bodies of a response with a secret: the one that is sent, and the one that a replay has. */
function withSecret({ endpoint, secret }: RotateSecretResponse): { body: object; replayed: object } {
  const body = webhookBodyOf(endpoint);
  return { body: { ...body, secret: secret || null }, replayed: { ...body, secret: null } };
}

export async function create(
  deps: Deps,
  request: CallerRequest,
  body: z.output<typeof webhookCreate>,
  requestToken: string,
): Promise<{ body: object; replayed: object }> {
  const { workspaceId, plan } = request.caller;
  const members = await newMembers(deps, request, body);
  const creation = { workspaceId, members, quota: plan.quotas.webhooks, requestToken };
  return withSecret(await deps.webhooks.createEndpoint(creation, request));
}

async function endpointOf({ webhooks }: Webhooks, request: CallerRequest, endpointId: string) {
  const { workspaceId } = request.caller;
  return (await webhooks.getEndpoint({ workspaceId, endpointId }, request)).endpoint;
}

export async function read(deps: Webhooks, request: CallerRequest, webhookId: string): Promise<object> {
  return webhookBodyOf(await endpointOf(deps, request, webhookId));
}

export async function pageOfWebhooks(
  deps: Pick<Dependencies, 'webhooks' | 'cursors'>,
  request: CallerRequest,
  query: z.output<typeof groupPageQuery>,
): Promise<Page<object>> {
  return pageOfGroups(deps, request, query, {
    cursorName: 'webhooks',
    async read(page) {
      const { endpoints, hasMore } = await deps.webhooks.listEndpoints(page, request);
      return { rows: endpoints, hasMore };
    },
    bodyOf: (endpoint: Endpoint) => webhookBodyOf(endpoint),
  });
}

const protoStates = { active: EndpointState.ACTIVE, paused: EndpointState.PAUSED };

export async function change(
  deps: Deps,
  request: CallerRequest,
  webhookId: string,
  { state, ...members }: z.output<typeof webhookUpdate>,
): Promise<object> {
  const checked = await checkedMembers(deps, request, members);
  const { url, eventTypes, description, watchlistIds, filters, maxPerMinute, headers } = checked;
  const changed = {
    workspaceId: request.caller.workspaceId,
    endpointId: webhookId,
    url,
    eventTypes: eventTypes && { values: eventTypes },
    description,
    watchlistIds: watchlistIds && { values: watchlistIds },
    filters,
    rate: maxPerMinute === undefined ? undefined : { maxPerMinute: maxPerMinute ?? undefined },
    headers: headers && { headers },
    state: state ? protoStates[state] : EndpointState.UNSPECIFIED,
  };
  return webhookBodyOf((await deps.webhooks.updateEndpoint(changed, request)).endpoint);
}

export async function remove({ webhooks }: Webhooks, request: CallerRequest, webhookId: string): Promise<void> {
  await webhooks.deleteEndpoint({ workspaceId: request.caller.workspaceId, endpointId: webhookId }, request);
}

export async function rotate(
  { webhooks }: Webhooks,
  request: CallerRequest,
  { webhookId, requestToken, overlapHours }: Named & { overlapHours: number },
): Promise<{ body: object; replayed: object }> {
  const { workspaceId } = request.caller;
  const rotation = { workspaceId, endpointId: webhookId, overlapHours, requestToken };
  return withSecret(await webhooks.rotateSecret(rotation, request));
}

/** Sends the catalogue's example of a type. */
export async function test(
  deps: Webhooks & Pick<Dependencies, 'publicApiUrl'>,
  request: CallerRequest,
  webhookId: string,
  { type }: z.output<typeof webhookTest>,
): Promise<object> {
  const { workspaceId } = request.caller;
  const eventType = type ?? (await endpointOf(deps, request, webhookId))?.eventTypes[0];
  const entry = eventTypeEntries.find((each) => each.type === eventType);
  if (!entry) throw new Error(`the catalogue has no type ${eventType}`);
  const data = JSON.stringify(entry.exampleOf(deps.publicApiUrl).data);
  const sent = { workspaceId, endpointId: webhookId, eventType: entry.type, data };
  const { eventId, body, attempt } = await deps.webhooks.testEndpoint(sent, request);
  if (!attempt) throw new Error('the response has no attempt');
  return { event: { id: eventId, ...(JSON.parse(body) as object) }, attempt: attemptBodyOf(attempt) };
}

const scopes = { failed: ReplayScope.FAILED, all: ReplayScope.ALL };

/** Starts the job that delivers events again. */
export async function replay(
  { webhooks }: Webhooks,
  request: CallerRequest,
  { webhookId, requestToken }: Named,
  { from, to, only, event_types: eventTypes = [] }: z.output<typeof webhookReplay>,
): Promise<object> {
  const started = {
    workspaceId: request.caller.workspaceId,
    endpointId: webhookId,
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    scope: scopes[only],
    eventTypes,
    requestToken,
  };
  return bulkBodyOf((await webhooks.replay(started, request)).job);
}
