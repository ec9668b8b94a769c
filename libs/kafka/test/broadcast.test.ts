import { consumeBroadcast, createProducer, type EventConsumer, type EventProducer, type Kafka } from '@shopscope/kafka';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect, createNotes, meta, note } from './notes.ts';

describe('a broadcast', () => {
  const namespace = testNamespace('kafka-broadcast');
  let kafka: Kafka;
  let producer: EventProducer;
  const consumers: EventConsumer[] = [];

  const listen = async (instanceId: string) => {
    const seen: string[] = [];
    const consumer = await consumeBroadcast(kafka, {
      name: 'cache',
      instanceId,
      subscriptions: [{ type: note, handle: async (events) => void seen.push(...events.map(({ event }) => event)) }],
      producer,
      onFatal: (error) => {
        throw error;
      },
    });
    consumers.push(consumer);
    return { consumer, seen };
  };

  beforeAll(async () => {
    kafka = connect(namespace);
    await createNotes(kafka, 'notes');
    producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    for (const consumer of consumers) await consumer.stop();
    await producer.close();
    await kafka.close();
    await namespace.cleanup();
  });

  it('every instance of a broadcast receives the events that are published after its start, and no older ones', async () => {
    await producer.publishMany(note, ['a:old', 'b:old'], meta);
    const instances = [await listen('one'), await listen('two')];
    await producer.publishMany(note, ['a:new', 'b:new'], meta);
    for (const { consumer, seen } of instances) {
      await vi.waitFor(async () => expect(await consumer.lag()).toBe(0), { timeout: 60_000 });
      expect(seen.toSorted()).toEqual(['a:new', 'b:new']);
    }
  });

  it('events from before the start of a broadcast are not a lag', async () => {
    await producer.publishMany(note, ['a:old', 'b:old'], meta);
    const { consumer } = await listen('three');
    expect(await consumer.lag()).toBe(0);
  });
});
