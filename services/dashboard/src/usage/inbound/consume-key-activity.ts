import { type EventConsumer, PoisonError, type Received } from '@shopscope/kafka';
import { type KeyActivity, keyActivity } from '@shopscope/proto';
import { type ConsumerParts, consumeInGroup } from '../../app/inbound/consume-in-group.ts';
import type { Activity } from '../operations/activity.ts';

const groupId = 'dashboard';

/** Starts the consumer of key-activity.v1. */
export function consumeKeyActivity({
  activity,
  ...parts
}: ConsumerParts & { activity: Pick<Activity, 'record'> }): Promise<EventConsumer> {
  return consumeInGroup(parts, {
    groupId,
    subscription: { type: keyActivity, handle: (received) => activity.record(received.map(checked)) },
  });
}

const hourMs = 60 * 60 * 1000;
const idPattern = /^[\w.:-]{1,200}$/;

function checked({ event }: Received<KeyActivity>): KeyActivity {
  const { workspaceId, keyId, instanceId, hourStartMs, sequence } = event;
  for (const id of [workspaceId, keyId, instanceId]) if (!idPattern.test(id)) throw new PoisonError('an id is invalid');
  if (!(hourStartMs > 0 && hourStartMs % hourMs === 0)) throw new PoisonError('hour_start_ms begins no hour');
  if (!(sequence >= 1)) throw new PoisonError('sequence counts from 1');
  return event;
}
