import { createDeadline } from '@shopscope/async';
import { invalidField } from '@shopscope/errors';
import type { Received, Subscription } from '@shopscope/kafka';
import { type KeyActivity, keyActivity } from '@shopscope/proto';
import { parseId } from '@shopscope/text';
import type { Dependencies } from '../../operations/dependencies.ts';
import { recordUses } from '../../operations/record-uses.ts';
import type { KeyUse } from '../../outbound/mongo/keys.ts';

/** The time for a batch, which is one command of at most 1,000 updates by id. */
const timeoutMs = 10_000;

/**
 * Consumes key-activity.v1, with one write per batch of a partition. A malformed event causes `invalid_request` and becomes a
 * dead letter. The counts of an event are for other consumers.
 */
export const keyActivitySubscription = (deps: Pick<Dependencies, 'clock' | 'keys'>): Subscription<KeyActivity> => ({
  type: keyActivity,
  handle: (received) => recordUses(deps, received.map(decode), createDeadline(timeoutMs, { clock: deps.clock })),
});

function decode({ event }: Received<KeyActivity>): KeyUse {
  const { lastUsedAtMs } = event;
  if (!(lastUsedAtMs > 0)) throw invalidField('last_used_at_ms', 'must be an instant after 1970');
  return {
    workspaceId: parseId('workspace_id', event.workspaceId, 'ws'),
    keyId: parseId('key_id', event.keyId, 'key'),
    // A time that is too large for a Date is in the future. recordUses bounds such times.
    lastUsedAt: new Date(Math.min(lastUsedAtMs, latestDateMs)),
  };
}

/** The largest time value of a Date. */
const latestDateMs = 8.64e15;
