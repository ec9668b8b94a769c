import { randomUUID } from 'node:crypto';
import { type ConsumeOptions, consumeEvents, type EventConsumer } from './consumer.ts';
import type { Kafka } from './kafka.ts';

export interface BroadcastOptions extends Omit<ConsumeOptions, 'groupId' | 'fromBeginning'> {
  /** Part of the group's name, so that operators recognise it. */
  name: string;
  instanceId: string;
}

/**
 * Every instance receives every event that was published after the call. For caches, which start empty and need no history.
 *
 * - Instance was outside its group for a time -> it also receives the events of that time.
 * - Group: a new one per start of an instance. Positions stay in memory and nothing is committed, so Kafka deletes the
 *   group when it is empty.
 */
export function consumeBroadcast(kafka: Kafka, options: BroadcastOptions): Promise<EventConsumer> {
  const { name, instanceId, ...rest } = options;
  const groupId = `${name}.${instanceId}.${randomUUID().slice(0, 8)}`;
  return consumeEvents(kafka, { ...rest, groupId, fromBeginning: false, positionsInMemory: true });
}
