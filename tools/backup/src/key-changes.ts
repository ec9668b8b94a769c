import { randomUUID } from 'node:crypto';
import type { Kafka } from '@shopscope/kafka';
import { KeyChange, keyChanged } from '@shopscope/proto';

export interface KeyEvent {
  at: Date;
  /** The kind of the event, for example KEY_REVOKED. */
  change: string;
  workspaceId: string;
  keyId: string;
  planSlug: string;
}

/**
 * Reads the changes of keys, workspaces and plans since a time from key-events.v1, oldest first.
 *
 * - Purpose: a restored database `keys` does not contain changes after its backup. A key that was revoked is valid
 *   again.
 * - Reads the events that exist at the start, in a consumer group of its own, and commits no offsets.
 * - Bounds: the topic keeps 7 days. After `timeoutMs` -> rejects; it never resolves with a part of the events.
 */
export async function readKeyEvents(
  kafka: Kafka,
  { since, timeoutMs = 60_000 }: { since: Date; timeoutMs?: number },
): Promise<KeyEvent[]> {
  const ranges = await kafka.offsetRanges(keyChanged.topic);
  const open = new Map([...ranges].flatMap(([partition, { low, high }]) => (high > low ? [[partition, high]] : [])));
  if (open.size === 0) return [];
  const found: KeyEvent[] = [];
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => done.reject(new Error(`${keyChanged.topic} was not read within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const groupId = kafka.groupName(`key-changes-${randomUUID()}`);
  const consumer = kafka.client.consumer({ groupId, maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
  consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [kafka.topicName(keyChanged.topic)], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        for (const { timestamp, value } of batch.messages) {
          const at = new Date(Number(timestamp));
          if (at >= since && value) found.push(...changesOf(at, value));
        }
        const next = BigInt(batch.messages.at(-1)?.offset ?? -1) + 1n;
        if (next >= (open.get(batch.partition) ?? 0n)) open.delete(batch.partition);
        if (open.size === 0) done.resolve();
      },
    });
    await done.promise;
    return found.sort((a, b) => a.at.getTime() - b.at.getTime());
  } finally {
    clearTimeout(timer);
    await consumer.disconnect();
  }
}

function changesOf(at: Date, value: Buffer): KeyEvent[] {
  const { change, workspaceId, keyId, planSlug } = keyChanged.decode(value);
  // A key that is about to expire has not changed.
  if (change === KeyChange.KEY_EXPIRING) return [];
  const name = Object.entries(KeyChange).find(([, number]) => number === change)?.[0] ?? String(change);
  return [{ at, change: name, workspaceId, keyId, planSlug }];
}
