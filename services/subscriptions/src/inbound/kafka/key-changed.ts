import { createDeadline } from '@shopscope/async';
import { environments, inEnvironment } from '@shopscope/environment';
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
 * Consumes key-events.v1. A key is about to expire -> an event is appended in the environment of the key. A key is revoked -> the rescans
 * that it pays for stop. A workspace is deleted -> its deletion is recorded.
 */
export const keyChangedSubscription = (every: EveryEnvironment): Subscription<KeyChanged> => ({
  type: keyChanged,
  async handle(batch) {
    const changes = Map.groupBy(batch, ({ event }) => event.change);
    for (const { event } of changes.get(KeyChange.WORKSPACE_DELETED) ?? []) {
      await recordDeletions(every, parseId('workspace_id', event.workspaceId, 'ws'), new Date(event.atMs));
    }
    const expiring = Map.groupBy(changes.get(KeyChange.KEY_EXPIRING) ?? [], ({ meta }) => meta.environment);
    if (expiring.has(null)) throw new PoisonError('an expiring key needs an environment');
    await appendFacts(every.live, (expiring.get('live') ?? []).map(factOf));
    await appendFacts(every.test, (expiring.get('test') ?? []).map(factOf));
    for (const { event, meta: origin } of changes.get(KeyChange.KEY_REVOKED) ?? []) {
      const deadline = createDeadline(timeoutMs, { clock: every.live.clock });
      const workspaceId = parseId('workspace_id', event.workspaceId, 'ws');
      // The person who revoked the key has no environment, so the watchlists of both are searched.
      for (const environment of environments) {
        await inEnvironment(every, { workspaceId, environment }, (deps, tenant) =>
          stopRescansOfKey(deps, tenant, event.keyId, { origin: { ...origin, environment }, deadline }),
        );
      }
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
