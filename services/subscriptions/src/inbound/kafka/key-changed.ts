import { environments, inEnvironment } from '@shopscope/environment';
import { PoisonError, type Received, type Subscription } from '@shopscope/kafka';
import { KeyChange, type KeyChanged, keyChanged } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import { expiringKeyEvent } from '../../domain/event.ts';
import { recordDeletion } from '../../operations/delete-workspaces.ts';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { appendFacts, type Fact } from './append-facts.ts';

/** Consumes key-events.v1: a key is about to expire, or a workspace is deleted. Other changes are ignored. */
export const keyChangedSubscription = (every: EveryEnvironment): Subscription<KeyChanged> => ({
  type: keyChanged,
  async handle(batch) {
    const changes = Map.groupBy(batch, ({ event }) => event.change);
    for (const { event } of changes.get(KeyChange.WORKSPACE_DELETED) ?? []) await recordDeletions(every, event);
    await appendFacts(every, (changes.get(KeyChange.KEY_EXPIRING) ?? []).map(factOf));
  },
});

/** A workspace is deleted in every environment. */
async function recordDeletions(every: EveryEnvironment, event: KeyChanged): Promise<void> {
  const workspaceId = parseId('workspace_id', event.workspaceId, 'ws');
  for (const environment of environments) {
    await inEnvironment(every, { workspaceId, environment }, (deps, tenant) =>
      recordDeletion(deps, tenant, new Date(event.atMs)),
    );
  }
}

function factOf(received: Received<KeyChanged>): Fact {
  const { workspaceId, keyId, daysLeft, expiresAtMs } = received.event;
  if (daysLeft === undefined || expiresAtMs === undefined) {
    throw new PoisonError('an expiring key needs days_left and expires_at_ms');
  }
  return { received, workspaceId, eventOf: (tenant) => expiringKeyEvent(tenant, { keyId, daysLeft, expiresAtMs }) };
}
