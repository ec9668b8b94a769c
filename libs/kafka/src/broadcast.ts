import { randomUUID } from 'node:crypto';
import { type ConsumeOptions, consumeEvents, type EventConsumer } from './consumer.ts';
import type { Kafka } from './kafka.ts';

export interface BroadcastOptions extends Omit<ConsumeOptions, 'groupId' | 'fromBeginning'> {
  /** A part of the group's name, by which operators recognise the group. */
  name: string;
  instanceId: string;
}

/**
 * Delivers every event that is published after the call to every instance. It is meant for caches, which start empty and need no history.
 *
 * - An instance was outside its group for a time -> it also receives the events of that time.
 * - Each start of an instance uses a new group. Positions stay in memory and nothing is committed. Kafka therefore deletes the group when
 *   it is empty.
 */
export function consumeBroadcast(kafka: Kafka, options: BroadcastOptions): Promise<EventConsumer> {
  const { name, instanceId, ...rest } = options;
  const groupId = `${name}.${instanceId}.${randomUUID().slice(0, 8)}`;
  return consumeEvents(kafka, { ...rest, groupId, fromBeginning: false, positionsInMemory: true });
}
