import { createDeadline } from '@shopscope/async';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { recordDeletions } from '@shopscope/workspace-deletion';
import { expiringKeyEvent } from '../../domain/event.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { stopRescansOfKey } from '../../operations/rescans/stop-rescans-of-key.ts';
import { appendFacts, type Fact } from './append-facts.ts';

const timeoutMs = 10_000;

/**
 * Consumes key-events.v1. A key is about to expire -> an event is appended. A key is revoked -> the rescans that it
 * pays for stop. A workspace is deleted -> its deletion is recorded.
 */
export const keyChangedSubscription = (every: EveryEnvironment): Subscription<KeyChanged> => ({
  type: keyChanged,
  async handle(batch) {
    const changes = Map.groupBy(batch, ({ event }) => event.change);
    for (const { event } of changes.get(KeyChange.WORKSPACE_DELETED) ?? []) {
      await recordDeletions(every, parseId('workspace_id', event.workspaceId, 'ws'), new Date(event.atMs));
    }
    await appendFacts(every, (changes.get(KeyChange.KEY_EXPIRING) ?? []).map(factOf));
    for (const { event, meta: origin } of changes.get(KeyChange.KEY_REVOKED) ?? []) {
      const deadline = createDeadline(timeoutMs, { clock: every.live.clock });
      const tenant = { workspaceId: parseId('workspace_id', event.workspaceId, 'ws'), environment: 'live' } as const;
      // Only live watchlists have rescans.
      await stopRescansOfKey(every.live, tenant, event.keyId, { origin: { ...origin, environment: 'live' }, deadline });
    }
  },
});

function factOf(received: Received<KeyChanged>): Fact {
  const { workspaceId, keyId, daysLeft, expiresAtMs } = received.event;
  if (daysLeft === undefined || expiresAtMs === undefined) {
    throw new PoisonError('an expiring key needs days_left and expires_at_ms');
  }
  return { received, workspaceId, eventOf: (tenant) => expiringKeyEvent(tenant, { keyId, daysLeft, expiresAtMs }) };
}
