import { createDeadline } from '@shopscope/async';
import { type Environment, inEnvironment, type Tenant } from '@shopscope/environment';
import { PoisonError, type Received } from '@shopscope/kafka';
import { parseId } from '@shopscope/text';
import type { NewEvent } from '../../domain/event.ts';
import { appendEvents } from '../../operations/append-events.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';

/** The event that a workspace gets from an event of another service. */
export interface Fact {
  received: Pick<Received<unknown>, 'meta'>;
  workspaceId: string;
  eventOf<E extends Environment>(tenant: Tenant<E>): NewEvent<E>;
}

const timeoutMs = 10_000;

/**
 * Appends a batch of facts to the sequences of their workspaces. Each fact belongs to the environment of its origin.
 *
 * - A fact without an environment -> it becomes a dead letter.
 */
export async function appendFacts(every: EveryEnvironment, facts: readonly Fact[]): Promise<void> {
  const deadline = createDeadline(timeoutMs, { clock: every.live.clock });
  const tenants = facts.map(tenantOf);
  await Promise.all(
    facts.map(({ received: { meta: origin }, eventOf }, index) =>
      inEnvironment(every, tenants[index] as ReturnType<typeof tenantOf>, (deps, tenant) =>
        appendEvents(deps, [{ event: eventOf(tenant), origin }], deadline),
      ),
    ),
  );
}

/** Throws for a fact without an environment. */
export function tenantOf({ received, workspaceId }: Fact) {
  const { environment } = received.meta;
  if (environment === null) throw new PoisonError('the event has no environment');
  return { workspaceId: parseId('workspace_id', workspaceId, 'ws'), environment };
}
