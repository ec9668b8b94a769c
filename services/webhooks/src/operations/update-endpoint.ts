import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import type { EndpointMembers, Header } from '../domain/endpoint.ts';
import type { Dependencies } from './dependencies.ts';
import { oneWithHealth, type ShownEndpoint } from './endpoint-health.ts';
import { endpointRefOf, noSuchEndpoint } from './find-endpoint.ts';
import { requireUrl } from './require-url.ts';
import { open, seal } from './sealed-parts.ts';

/** The members that a call changes. The others are absent. */
export interface EndpointUpdate {
  members: Partial<EndpointMembers>;
  headers?: readonly Header[] | undefined;
  state?: 'active' | 'paused' | undefined;
}

/**
 * Changes an endpoint. Waiting deliveries keep their events and go to the new URL.
 *
 * - The endpoint becomes active -> its failures are forgotten, and its waiting deliveries are due.
 * - The endpoint gets another URL -> its failures are forgotten, because they tell nothing about the new one.
 */
export async function updateEndpoint<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { id, members, headers, state }: EndpointUpdate & { id: string },
  context: CallContext,
): Promise<ShownEndpoint> {
  const ref = endpointRefOf(tenant, id);
  if (members.url !== undefined) await requireUrl(deps, members.url, context);
  const { endpoints, queues, closings, vault } = deps;
  const changed = await changeWorkspace(deps, tenant, context, async (tx, now) => {
    const before = await endpoints.find(ref, tx);
    if (!before) throw noSuchEndpoint();
    const newState = state !== undefined && state !== before.state ? state : undefined;
    const queue = {
      ...(newState && { state: newState }),
      ...(members.url !== undefined && members.url !== before.url && { hasNewUrl: true }),
      ...(members.maxPerMinute !== undefined && { maxPerMinute: members.maxPerMinute }),
    };
    if (Object.keys(queue).length > 0) await queues.set(ref, queue, now, tx);
    // The deliveries that it gets from now on must not be ended.
    if (newState) await closings.delete(ref, tx);
    const { secrets } = open(vault, id, before.sealed);
    const after = await endpoints.update(
      ref,
      {
        ...members,
        ...(headers && {
          headerNames: headers.map(({ name }) => name),
          sealed: seal(vault, id, { secrets, headers: [...headers] }),
        }),
        ...(newState && { state: newState, disabledReason: null }),
        updatedAt: now,
      },
      tx,
    );
    if (!after) throw noSuchEndpoint();
    return oneWithHealth(deps, tenant, after, tx);
  });
  if (state === 'active') deps.onDue();
  return changed;
}
