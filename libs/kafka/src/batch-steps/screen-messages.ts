import { decodeEvent } from '../decode.ts';
import { PoisonError } from '../event-type.ts';
import type { Batch, DecodedEvent, RejectedMessage } from './batch.ts';

/** Separates the events for the handler from the messages that cannot be decoded or that the subscription refuses. */
export async function screenMessages({
  subscription,
  partition,
  messages,
}: Batch): Promise<{ events: DecodedEvent[]; rejected: RejectedMessage[] }> {
  const events: DecodedEvent[] = [];
  const rejected: RejectedMessage[] = [];
  for (const message of messages) {
    const received = decodeEvent(subscription.type, partition, message);
    if (received instanceof PoisonError) {
      rejected.push({ message, reason: received.message });
      continue;
    }
    const refusal = await subscription.refusalOf?.(received);
    if (refusal === undefined) events.push({ message, received });
    else rejected.push({ message, reason: refusal });
  }
  return { events, rejected };
}
