import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { type WebhookStateChanged, webhookStateChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { webhookEvent } from '../../domain/webhook-event.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { appendFacts, type Fact } from './append-facts.ts';

/** Consumes webhook-states.v1: an endpoint is failing or was disabled, or a replay has ended. */
export const webhookStateSubscription = (every: EveryEnvironment): Subscription<WebhookStateChanged> => ({
  type: webhookStateChanged.live,
  handle: (batch) => appendFacts(every, batch.map(factOf)),
});

function factOf(received: Received<WebhookStateChanged>): Fact {
  const { workspaceId, eventId, type, related, data } = received.event;
  const id = parseId('event_id', eventId, 'evt');
  return {
    received,
    workspaceId,
    eventOf(tenant) {
      const event = webhookEvent(tenant, { id, type, related, data });
      if (!event) throw new PoisonError('webhooks has no such event');
      return event;
    },
  };
}
