import { type EventConsumer, PoisonError, type Received } from '@shopscope/kafka';
import { type WebhookStateChanged, webhookStateChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { type ConsumerParts, consumeInGroup } from '../../app/inbound/consume-in-group.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { type Alert, alertKinds } from '../domain/alert.ts';
import { record } from '../operations/alerts.ts';

const groupId = 'dashboard-webhooks';

/**
 * Consumes webhook-states.v1: endpoints that are failing or were disabled.
 *
 * - It does not read workspace-events.v1, which has the same events among all signals of all workspaces.
 * - Endpoints of the test environment -> not read, because receivers in development often fail.
 */
export function consumeWebhookStates(deps: Dependencies, parts: ConsumerParts): Promise<EventConsumer> {
  return consumeInGroup(parts, {
    groupId,
    subscriptions: [
      {
        type: webhookStateChanged.live,
        async handle(received) {
          for (const each of received) {
            const alert = alertOf(each);
            if (alert) await record(deps, alert, new Date(each.timestampMs));
          }
        },
      },
    ],
  });
}

function alertOf({ event, meta }: Received<WebhookStateChanged>): Alert | undefined {
  const kind = alertKinds.find((name) => event.type === `webhook.${name}`);
  if (!kind || meta.environment !== 'live') return undefined;
  if (event.related?.type !== 'webhook') throw new PoisonError('the event is about no webhook');
  return {
    id: parseId('event_id', event.eventId, 'evt'),
    workspaceId: parseId('workspace_id', event.workspaceId, 'ws'),
    endpointId: parseId('related.id', event.related.id, 'whk'),
    kind,
  };
}
