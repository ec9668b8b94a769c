import { ManualClock } from '@shopscope/clock';
import { kafkaOptions, testNamespace } from '@shopscope/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createKafka, type EventConsumer, type Kafka, startEventually } from '../src/index.ts';

describe('eventual consumer', () => {
  const namespace = testNamespace('eventually');
  const topics = [{ topic: 'late.v1', partitions: 1, retentionMs: 60_000 }];
  const consumer: EventConsumer = { lag: async () => 3, joined: true, stop: vi.fn(async () => {}) };
  const opened: Kafka[] = [];
  const open = () => {
    const kafka = createKafka(kafkaOptions(namespace));
    opened.push(kafka);
    return kafka;
  };
  afterEach(async () => {
    for (const kafka of opened.splice(0)) await kafka.close();
    await namespace.cleanup();
  });

  it('a service starts without Kafka, and its consumer starts when Kafka responds', async () => {
    const clock = new ManualClock();
    const kafka = open();
    let there = false;
    const ensureTopics = async () => {
      if (!there) throw new Error('no broker');
    };
    const started = await startEventually({
      kafka: { ...kafka, ensureTopics },
      topics,
      clock,
      start: async () => consumer,
    });
    expect(started.joined).toBe(false);
    there = true;
    clock.advance(2_000);
    await vi.waitFor(() => expect(started.joined).toBe(true), { timeout: 60_000 });
    expect(await started.lag()).toBe(3);
    await started.stop();
    expect(consumer.stop).toHaveBeenCalledOnce();
  });

  it('a stop of a consumer while Kafka does not respond ends at once', async () => {
    const clock = new ManualClock();
    const kafka = { ...open(), ensureTopics: () => Promise.reject(new Error('no broker')) };
    const started = await startEventually({ kafka, topics, clock, start: async () => consumer });
    await started.stop();
  });

  it('the topics of a consumer that is started eventually are created', async () => {
    const kafka = open();
    const started = await startEventually({ kafka, topics });
    expect((await kafka.endOffsets('late.v1')).size).toBe(1);
    await started.stop();
  });
});
