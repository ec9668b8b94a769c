import { randomUUID } from 'node:crypto';
import { type ConsumeOptions, consumeEvents, type EventConsumer } from './consumer.ts';
import type { Kafka } from './kafka.ts';

export interface BroadcastOptions extends Omit<ConsumeOptions, 'groupId' | 'fromBeginning'> {
  /** Part of the group's name, for people who list groups. */
  name: string;
  instanceId: string;
}

/**
 * Every instance sees every event published after the call, also those of a time when it was out of its group: one
 * group per start of an instance, positions in memory, nothing committed (so Kafka forgets the group when it is empty).
 * For caches, which start empty and need no history.
 */
export function consumeBroadcast(kafka: Kafka, options: BroadcastOptions): Promise<EventConsumer> {
  const { name, instanceId, ...rest } = options;
  const groupId = `${name}.${instanceId}.${randomUUID().slice(0, 8)}`;
  return consumeEvents(kafka, { ...rest, groupId, fromBeginning: false, positionsInMemory: true });
}
