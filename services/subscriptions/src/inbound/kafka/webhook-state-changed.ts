import type { Environment } from '@shopscope/environment';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { type WebhookStateChanged, webhookStateChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { webhookEvent } from '../../domain/webhook-event.ts';
import type { Dependencies } from '../../operations/dependencies.ts';
import { appendFacts, type Fact } from './append-facts.ts';

/** Consumes webhook-states.v1 of one environment: an endpoint is failing or was disabled, or a replay has ended. */
export const webhookStateSubscription = <E extends Environment>(
  deps: Dependencies<E>,
): Subscription<WebhookStateChanged> => ({
  type: webhookStateChanged[deps.environment],
  handle: (batch) => appendFacts(deps, batch.map(factOf)),
});

function factOf(received: Received<WebhookStateChanged>): Fact {
  const { workspaceId, eventId, type, related, data, atMs } = received.event;
  const id = parseId('event_id', eventId, 'evt');
  return {
    received,
    workspaceId,
    happenedAtMs: atMs,
    eventOf(tenant) {
      const event = webhookEvent(tenant, { id, type, related, data });
      if (!event) throw new PoisonError('webhooks has no such event');
      return event;
    },
  };
}
