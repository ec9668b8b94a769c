import type { Environment } from '@shopscope/environment';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { type WorkspaceEvent, workspaceEvent } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { dataOf } from '../../domain/event-data.ts';
import { createDeliveries } from '../../operations/deliveries/create-deliveries.ts';
import type { Dependencies } from '../../operations/dependencies.ts';

/** Consumes workspace-events.v1 of one environment: each event becomes deliveries. */
export const workspaceEventSubscription = <E extends Environment>(
  deps: Dependencies<E>,
): Subscription<WorkspaceEvent> => ({
  type: workspaceEvent[deps.environment],
  handle: (batch) => createDeliveries(deps, batch.map(eventOf)),
});

/** An event that cannot be read becomes a dead letter. */
function eventOf({ event }: Received<WorkspaceEvent>): WorkspaceEvent {
  parseId('workspace_id', event.workspaceId, 'ws');
  parseId('id', event.id, 'evt');
  if (!dataOf(event)) throw new PoisonError('the data of the event is not a JSON object');
  return event;
}
