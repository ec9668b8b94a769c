/** The webhook endpoints of a workspace. Members can read them; admins can create and change them. */

import { AppError, invalidField } from '@shopscope/errors';
import { type Endpoint, EndpointState, UpdateEndpointRequest } from '@shopscope/proto';
import { isId } from '@shopscope/text';
import { requireFormToken } from '../../app/domain/text.ts';
import {
  requireAdmin,
  requireRecentAdmin,
  requireRecentSignIn,
  requireStillAdmin,
  type WorkspaceVisit,
} from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { recordAudit } from '../../people/operations.ts';
import { readPlan } from '../../usage/operations.ts';
import { type EndpointForm, membersOf } from '../domain/endpoint-form.ts';
import { type EndpointView, endpointView } from '../domain/endpoint-view.ts';
import { withFormField } from '../domain/field-of.ts';
import { checkFilters } from './check-filters.ts';

/** An endpoint and its secret. The secret is empty if an earlier request with the same token made it. */
export interface WithSecret {
  endpoint: EndpointView;
  secret: string;
}

const endpointsPerPage = 50;

const refOf = ({ membership }: WorkspaceVisit, endpointId: string) => {
  if (isId(endpointId, 'whk')) return { workspaceId: membership.workspaceId, endpointId };
  throw new AppError('not_found', 'There is no such webhook in this workspace.');
};

/** A page of the endpoints, the newest first. `afterId`: the last endpoint of the page before, or an empty string. */
export async function list(deps: Dependencies, visit: WorkspaceVisit, afterId: string) {
  const { workspaceId } = visit.membership;
  const request = { workspaceId, afterId: isId(afterId, 'whk') ? afterId : '', limit: endpointsPerPage };
  const { endpoints, hasMore } = await deps.webhooks.listEndpoints(request, visit.origin);
  return { endpoints: endpoints.map(endpointView), older: hasMore ? endpoints.at(-1)?.id : undefined };
}

/** Throws `not_found` if the endpoint does not exist or belongs to another workspace. */
export async function get(deps: Dependencies, visit: WorkspaceVisit, endpointId: string): Promise<EndpointView> {
  return viewOf(await deps.webhooks.getEndpoint(refOf(visit, endpointId), visit.origin));
}

/** Checks that the person may create an endpoint. Throws for members and without a recent sign-in. */
export async function openForCreation(deps: Dependencies, visit: WorkspaceVisit): Promise<void> {
  requireRecentAdmin(deps, visit);
}

/** The endpoint for a form that changes it. Throws for members and without a recent sign-in. */
export async function openForChange(
  deps: Dependencies,
  visit: WorkspaceVisit,
  endpointId: string,
): Promise<EndpointView> {
  requireAdmin(visit.membership);
  const endpoint = await get(deps, visit, endpointId);
  requireRecentSignIn(visit.person, deps.clock.now());
  return endpoint;
}

/**
 * Creates an active endpoint. A form that is sent again creates no second one.
 *
 * 1. Check the names in filters, and record the change.
 * 2. Read the role again, so that a person who is demoted meanwhile gets no secret.
 * 3. Create the endpoint. The service checks its URL and the quota.
 */
export async function create(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { token, ...form }: EndpointForm & { token: string },
): Promise<WithSecret> {
  requireRecentAdmin(deps, visit);
  requireFormToken(token);
  const { workspaceId } = visit.membership;
  const { endpoint, secret } = await atFields(async () => {
    const members = membersOf(form);
    const filters = members.filters && (await checkFilters(deps, visit, members.filters));
    await recordAudit(deps, visit, { action: 'webhook.created', subjectId: workspaceId, detail: hostOf(members.url) });
    await requireStillAdmin(deps.team, visit);
    const quota = (await readPlan(deps, visit)).quotas.webhooks;
    const request = { workspaceId, members: { ...members, filters }, quota, requestToken: token };
    return deps.webhooks.createEndpoint(request, visit.origin);
  });
  return { endpoint: viewOf({ endpoint }), secret };
}

/** Changes what the form has. Waiting deliveries go to a new URL. Empty headers keep the stored ones. */
export async function change(
  deps: Dependencies,
  visit: WorkspaceVisit,
  endpointId: string,
  form: EndpointForm,
): Promise<EndpointView> {
  requireRecentAdmin(deps, visit);
  const before = await get(deps, visit, endpointId);
  return atFields(async () => {
    const { url, headers, eventTypes, watchlistIds, maxPerMinute, ...members } = membersOf(form);
    const filters = members.filters && (await checkFilters(deps, visit, members.filters));
    await recordAudit(deps, visit, { action: 'webhook.changed', subjectId: endpointId, detail: hostOf(url) });
    await requireStillAdmin(deps.team, visit);
    const request = UpdateEndpointRequest.fromPartial({
      ...refOf(visit, endpointId),
      description: members.description,
      eventTypes: { values: eventTypes },
      watchlistIds: { values: watchlistIds },
      filters,
      rate: { maxPerMinute },
      // Only another URL is resolved.
      url: url === before.url ? undefined : url,
      headers: headers.length > 0 || form.removesHeaders ? { headers } : undefined,
    });
    return viewOf(await deps.webhooks.updateEndpoint(request, visit.origin));
  });
}

/** Pauses an endpoint, or makes it active again after a pause or after it was disabled. */
export async function setState(
  deps: Dependencies,
  visit: WorkspaceVisit,
  endpointId: string,
  state: 'active' | 'paused',
): Promise<EndpointView> {
  requireAdmin(visit.membership);
  const ref = refOf(visit, endpointId);
  await recordAudit(deps, visit, { action: 'webhook.changed', subjectId: endpointId, detail: state });
  await requireStillAdmin(deps.team, visit);
  const request = { ...ref, state: state === 'active' ? EndpointState.ACTIVE : EndpointState.PAUSED };
  return viewOf(await deps.webhooks.updateEndpoint(UpdateEndpointRequest.fromPartial(request), visit.origin));
}

/** Makes a new secret. The old one signs, too, for `overlapHours`. */
export async function rotateSecret(
  deps: Dependencies,
  visit: WorkspaceVisit,
  endpointId: string,
  { overlapHours, token }: { overlapHours: string; token: string },
): Promise<WithSecret> {
  requireRecentAdmin(deps, visit);
  requireFormToken(token);
  const ref = refOf(visit, endpointId);
  if (!/^\d{1,3}$/.test(overlapHours)) throw invalidField('overlap_hours', 'Choose how long the old secret signs.');
  const detail = `the old secret signs for ${overlapHours} hours`;
  await recordAudit(deps, visit, { action: 'webhook.secret_rotated', subjectId: endpointId, detail });
  await requireStillAdmin(deps.team, visit);
  const request = { ...ref, overlapHours: Number(overlapHours), requestToken: token };
  const { endpoint, secret } = await deps.webhooks.rotateSecret(request, visit.origin);
  return { endpoint: viewOf({ endpoint }), secret };
}

/** `confirmation` must be the host of the URL. */
export async function deleteEndpoint(
  deps: Dependencies,
  visit: WorkspaceVisit,
  endpointId: string,
  confirmation: string,
): Promise<void> {
  requireAdmin(visit.membership);
  const { host } = await get(deps, visit, endpointId);
  requireRecentSignIn(visit.person, deps.clock.now());
  if (confirmation.toLowerCase() !== host) throw invalidField('host', `Enter the host of this webhook: ${host}`);
  await recordAudit(deps, visit, { action: 'webhook.deleted', subjectId: endpointId, detail: host });
  await requireStillAdmin(deps.team, visit);
  await deps.webhooks.deleteEndpoint(refOf(visit, endpointId), visit.origin);
}

const viewOf = ({ endpoint }: { endpoint?: Endpoint | undefined }): EndpointView => endpointView(endpoint as Endpoint);

/** The path and the query of a URL can have secrets, so the log gets the host only. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** An error names the field of the form. */
const atFields = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw withFormField(error);
  });
