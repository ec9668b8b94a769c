import { createDeadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import { PoisonError, type Received } from '@shopscope/kafka';
import { parseId } from '@shopscope/text';
import type { NewEvent } from '../../domain/event.ts';
import { appendEvents } from '../../operations/append-events.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

/** The event that a workspace gets from an event of another service. */
export interface Fact {
  received: Pick<Received<unknown>, 'meta'>;
  workspaceId: string;
  /** When it happened. A reset of the workspace removes it if it is earlier, even if it arrives later. */
  happenedAtMs?: number;
  eventOf<E extends Environment>(tenant: Tenant<E>): NewEvent<E>;
}

const timeoutMs = 10_000;

/**
 * Appends a batch of facts of one environment to the sequences of their workspaces.
 *
 * - A fact without an environment, or of the other one -> it becomes a dead letter.
 */
export async function appendFacts<E extends Environment>(
  deps: Pick<Dependencies<E>, 'environment' | 'appends' | 'clock'>,
  facts: readonly Fact[],
): Promise<void> {
  const events = facts.map((fact) => ({
    event: fact.eventOf(tenantOf(deps.environment, fact)),
    origin: fact.received.meta,
    ...(fact.happenedAtMs !== undefined && { happenedAtMs: fact.happenedAtMs }),
  }));
  await appendEvents(deps, events, createDeadline(timeoutMs, { clock: deps.clock }));
}

/** Throws for a fact that does not belong to the environment. */
export function tenantOf<E extends Environment>(environment: E, { received, workspaceId }: Fact): Tenant<E> {
  if (received.meta.environment === null) throw new PoisonError('the event has no environment');
  if (received.meta.environment !== environment) throw new PoisonError('the event is of another environment');
  return { workspaceId: parseId('workspace_id', workspaceId, 'ws'), environment };
}
