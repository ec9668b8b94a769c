import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged } from '@shopscope/proto';
import { expiringKeyEvent } from '../../domain/event.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { appendFacts, type Fact } from './append-facts.ts';

/** Consumes key-events.v1: a key is about to expire. Other changes of keys make no event. */
export const keyChangedSubscription = (every: EveryEnvironment): Subscription<KeyChanged> => ({
  type: keyChanged,
  handle: (batch) =>
    appendFacts(every, batch.filter(({ event }) => event.change === KeyChange.KEY_EXPIRING).map(factOf)),
});

function factOf(received: Received<KeyChanged>): Fact {
  const { workspaceId, keyId, daysLeft, expiresAtMs } = received.event;
  if (daysLeft === undefined || expiresAtMs === undefined) {
    throw new PoisonError('an expiring key needs days_left and expires_at_ms');
  }
  return { received, workspaceId, eventOf: (tenant) => expiringKeyEvent(tenant, { keyId, daysLeft, expiresAtMs }) };
}
