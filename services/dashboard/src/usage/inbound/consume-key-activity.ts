import { hourMs } from '@shopscope/clock';
import { type EventConsumer, PoisonError, type Received } from '@shopscope/kafka';
import { type KeyActivity, keyActivity } from '@shopscope/proto';
import { type ConsumerParts, consumeInGroup } from '../../app/inbound/consume-in-group.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { record } from '../operations/activity.ts';

const groupId = 'dashboard';

export function consumeKeyActivity(deps: Dependencies, parts: ConsumerParts): Promise<EventConsumer> {
  return consumeInGroup(parts, {
    groupId,
    subscriptions: [{ type: keyActivity, handle: (received) => record(deps, received.map(checked)) }],
  });
}

const idPattern = /^[\w.:-]{1,200}$/;

function checked({ event }: Received<KeyActivity>): KeyActivity {
  const { workspaceId, keyId, instanceId, hourStartMs, sequence } = event;
  for (const id of [workspaceId, keyId, instanceId]) if (!idPattern.test(id)) throw new PoisonError('an id is invalid');
  if (!(hourStartMs > 0 && hourStartMs % hourMs === 0)) throw new PoisonError('hour_start_ms begins no hour');
  if (!(sequence >= 1)) throw new PoisonError('sequence counts from 1');
  return event;
}
