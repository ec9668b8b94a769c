import { type Delivery, DeliveryState as State } from '@shopscope/proto';
import type { DeliveryState } from './delivery-filter.ts';
import { attemptView } from './endpoint-view.ts';

const stateNumbers: Record<DeliveryState, State> = {
  pending: State.PENDING,
  delivering: State.DELIVERING,
  succeeded: State.SUCCEEDED,
  retrying: State.RETRYING,
  failed: State.FAILED,
};

export const stateNumber = (state: DeliveryState): State => stateNumbers[state];

/** A state that a later release may add. */
export type ShownState = DeliveryState | 'unknown';

const stateName = (state: State): ShownState =>
  (Object.keys(stateNumbers) as DeliveryState[]).find((name) => stateNumbers[name] === state) ?? 'unknown';

export type DeliveryView = ReturnType<typeof deliveryView>;

/** A delivery in the form that pages show, without its body. */
export const deliveryView = (delivery: Delivery) => ({
  id: delivery.id,
  webhookId: delivery.endpointId,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  sequence: delivery.sequence,
  state: stateName(delivery.state),
  attempts: delivery.attempts.map(attemptView),
  nextAttemptAtMs: delivery.nextAttemptAtMs,
  createdAtMs: delivery.createdAtMs,
});

/** The body with line breaks. A text that is no JSON stays as it is. */
export function formattedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
