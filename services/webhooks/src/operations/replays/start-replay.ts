import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { parseEventTypes } from '../../domain/parse-endpoint.ts';
import { maxUnfinishedReplays, newReplayId, parseSpan, type Replay } from '../../domain/replay.ts';
import { requireToken } from '../create-endpoint.ts';
import type { Dependencies } from '../dependencies.ts';
import { endpointRefOf, noSuchEndpoint } from '../find-endpoint.ts';
import { requestTokenLifeMs } from '../sealed-parts.ts';

export interface ReplayStart {
  endpointId: string;
  /** Times of events, inclusive. */
  fromMs: number;
  toMs: number;
  scope: Replay['scope'];
  /** An empty list selects the types of the endpoint. */
  eventTypes: readonly string[];
  requestToken: string;
}

/** Starts a replay. Calls with the same token start one. Throws `invalid_request` for a disabled endpoint. */
export async function startReplay<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { endpointId, fromMs, toMs, scope, eventTypes, requestToken }: ReplayStart,
  context: CallContext,
): Promise<Replay> {
  requireToken(requestToken);
  const span = parseSpan({ fromMs, toMs });
  const types = eventTypes.length > 0 ? parseEventTypes(eventTypes) : [];
  const ref = endpointRefOf(tenant, endpointId);
  const { endpoints, replays, quotas } = deps;
  const started = await changeWorkspace(deps, tenant, context, async (tx, now) => {
    const endpoint = await endpoints.find(ref, tx);
    if (!endpoint) throw noSuchEndpoint();
    const since = new Date(now.getTime() - requestTokenLifeMs);
    const earlier = requestToken ? await replays.findStarted(tenant, requestToken, since, tx) : null;
    if (earlier) return earlier;
    if (endpoint.state === 'disabled') throw invalidField('state', 'the webhook is disabled');
    if (await quotas.take(tenant, 'unfinishedReplays', 1, maxUnfinishedReplays, tx)) {
      const problem = `the workspace has ${maxUnfinishedReplays} replays that have not ended; wait for one`;
      throw invalidField('webhook_id', problem);
    }
    const replay: Replay = {
      id: newReplayId(now.getTime()),
      workspaceId: tenant.workspaceId,
      endpointId,
      ...span,
      scope,
      eventTypes: types,
      state: 'queued',
      total: 0,
      done: 0,
      cursor: null,
      error: null,
      createdAt: now,
      startedAt: null,
      finishedAt: null,
      expiresAt: null,
      progressAt: now,
    };
    await replays.insert(replay, requestToken, tenant, tx);
    return replay;
  });
  deps.onReplay();
  return started;
}
