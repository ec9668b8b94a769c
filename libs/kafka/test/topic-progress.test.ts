import { createDeadline } from '@shopscope/async';
import { hourMs } from '@shopscope/clock';
import {
  caughtUp,
  consumeEvents,
  createProducer,
  type EventProducer,
  hasPassed,
  type Kafka,
  topicProgress,
} from '@shopscope/kafka';
import { testNamespace } from '@shopscope/testing';
import type { Admin } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, meta, note } from './notes.ts';

describe('the progress of a group on a real broker', () => {
  const namespace = testNamespace('kafka-progress');
  let kafka: Kafka;
  let admin: Admin;
  let producer: EventProducer;

  beforeAll(async () => {
    kafka = connect(namespace);
    admin = kafka.client.admin();
    await admin.connect();
    producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    await producer.close();
    await admin.disconnect();
    await kafka.close();
    await namespace.cleanup();
  });

  const setUp = async (topic: string, partitions = 1) => {
    await kafka.ensureTopics([{ topic, partitions, retentionMs: hourMs }]);
    const type = { ...note, topic };
    const progress = topicProgress(kafka, `readers-of-${topic}`, topic);
    // A busy broker may not know a topic yet that it has just created.
    await expect.poll(async () => (await progress.ends()).size).toBe(partitions);
    return {
      type,
      progress,
      publish: (...texts: string[]) => producer.publishMany(type, texts, meta, { timeoutMs: 10_000 }),
      passed: async () => hasPassed(await progress.consumed(), await progress.ends()),
      /** Removes records as retention does: those before `offset` in partition 0. */
      remove: async (offset: number) => {
        // kafkajs can delete records only of a topic whose metadata it has loaded.
        await admin.fetchTopicOffsets(kafka.topicName(topic));
        const partitions = [{ partition: 0, offset: String(offset) }];
        await admin.deleteTopicRecords({ topic: kafka.topicName(topic), partitions });
      },
    };
  };

  it('a group that never committed has passed an empty topic, and not a topic with an event', async () => {
    const { publish, passed } = await setUp('uncommitted', 3);
    expect(await passed()).toBe(true);
    await publish('k:1');
    expect(await passed()).toBe(false);
  });

  it('a group that never committed has passed a partition that retention has emptied, and not a later event', async () => {
    const { publish, passed, progress, remove } = await setUp('emptied');
    await publish('k:1', 'k:2');
    const earlier = await progress.ends();
    await remove(1);
    expect(await passed()).toBe(false);
    await remove(2);
    expect(await passed()).toBe(true);
    await publish('k:3');
    expect(await passed()).toBe(false);
    expect(hasPassed(await progress.consumed(), earlier)).toBe(true);
  });

  it('a partition that was added is seen at once, and its events are not passed before they are consumed', async () => {
    const { publish, passed, progress } = await setUp('widened');
    expect(await passed()).toBe(true);
    await admin.createPartitions({ topicPartitions: [{ topic: kafka.topicName('widened'), count: 12 }] });
    await expect.poll(async () => (await progress.ends()).size).toBe(12);
    expect(await passed()).toBe(true);
    const before = await progress.consumed();
    // A new producer knows the new partitions; 40 keys reach most of them.
    const wide = createProducer(kafka);
    const texts = Array.from({ length: 40 }, (_, n) => `key-${n}:1`);
    await wide.publishMany({ ...note, topic: 'widened' }, texts, meta, { timeoutMs: 10_000 });
    await wide.close();
    await publish('k:1');
    const ends = await progress.ends();
    expect([...ends].some(([partition, end]) => partition > 0 && end > 0n)).toBe(true);
    expect(hasPassed(before, ends)).toBe(false);
    expect(await passed()).toBe(false);
  });

  it('a caller that waits continues once the group has handled and committed what was durable', async () => {
    const { type, publish, passed, progress } = await setUp('followed', 3);
    await publish('a:1', 'b:1', 'c:1');
    const tooShort = createDeadline(200, { error: () => new Error('not caught up') });
    await expect(caughtUp(progress, tooShort)).rejects.toThrow('not caught up');
    const handled: string[] = [];
    const consumer = await consumeEvents(kafka, {
      groupId: 'readers-of-followed',
      subscriptions: [{ type, handle: async (events) => void handled.push(...events.map(({ event }) => event)) }],
      producer,
      onFatal: (error) => {
        throw error;
      },
    });
    await caughtUp(progress, createDeadline(20_000));
    expect(handled.toSorted()).toEqual(['a:1', 'b:1', 'c:1']);
    expect(await passed()).toBe(true);
    await consumer.stop();
  });

  it('a topic that the broker does not know rejects', async () => {
    const progress = topicProgress(kafka, 'readers', 'never-created');
    await expect(progress.ends()).rejects.toThrow();
    await expect(progress.consumed()).rejects.toThrow();
  });
});
