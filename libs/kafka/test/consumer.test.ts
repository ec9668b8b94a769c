import { hourMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import {
  consumeEvents,
  createProducer,
  type EventConsumer,
  type EventProducer,
  type EventType,
  type Kafka,
  PoisonError,
  replayDeadLetters,
} from '@shopscope/kafka';
import { testNamespace } from '@shopscope/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect, createNotes, meta, note } from './notes.ts';

const topics = ['order', 'poison', 'offsets', 'crash', 'meta', 'stop', 'replay', 'two'];

describe('a consumer group', () => {
  const namespace = testNamespace('kafka-consumer');
  let kafka: Kafka;
  let producer: EventProducer;
  const consumers: EventConsumer[] = [];
  const fatal = vi.fn();

  const on = (topic: string): EventType<string> => ({ ...note, topic });
  const consume = async (
    type: EventType<string>,
    handle: (texts: string[]) => Promise<void> | void,
    maxEventsPerBatch = 1_000,
  ) => {
    const consumer = await consumeEvents(kafka, {
      groupId: `readers-of-${type.topic}`,
      subscriptions: [{ type, handle: async (events) => handle(events.map(({ event }) => event)) }],
      producer,
      onFatal: fatal,
      maxEventsPerBatch,
    });
    consumers.push(consumer);
    return consumer;
  };
  const idle = (consumer: EventConsumer) =>
    vi.waitFor(async () => expect(await consumer.lag()).toBe(0), { timeout: 60_000 });
  const letters = async (topic: string) =>
    [...(await kafka.endOffsets(`${topic}.dlq`)).values()].reduce((sum, end) => sum + Number(end), 0);

  beforeAll(async () => {
    kafka = connect(namespace);
    await createNotes(kafka, ...topics);
    producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  });
  afterEach(async () => {
    for (const consumer of consumers.splice(0)) await consumer.stop();
    expect(fatal).not.toHaveBeenCalled();
  });
  afterAll(async () => {
    await producer.close();
    await kafka.close();
    await namespace.cleanup();
  });

  it('events of one key are handled in the order of their publication', async () => {
    const type = on('order');
    const seen: string[] = [];
    const consumer = await consume(type, (texts) => void seen.push(...texts));
    const texts = Array.from({ length: 300 }, (_, i) => `key-${i % 3}:${i}`);
    await Promise.all(texts.map((text) => producer.publish(type, text, meta)));
    await idle(consumer);
    for (const key of ['key-0', 'key-1', 'key-2']) {
      const published = texts.filter((text) => text.startsWith(key));
      expect(seen.filter((text) => text.startsWith(key))).toEqual(published);
    }
  });

  it('an event that cannot be handled never blocks its partition', async () => {
    const type = on('poison');
    const texts = ['k:1', 'k:garbled', 'k:2', 'k:refused', 'k:3', 'k:bug', 'k:4'];
    await producer.publishMany(type, texts, meta);
    const handled = new Set<string>();
    const consumer = await consume(type, (batch) => {
      if (batch.includes('k:refused')) throw new PoisonError('rejected');
      if (batch.includes('k:bug')) throw new TypeError('undefined is not a function');
      for (const text of batch) handled.add(text);
    });
    await idle(consumer);
    expect([...handled]).toEqual(['k:1', 'k:2', 'k:3', 'k:4']);
    expect(await letters('poison')).toBe(3);
  });

  it('an offset is committed only after the handler succeeded, and a failed batch is delivered again', async () => {
    const type = on('offsets');
    await producer.publishMany(type, ['k:1', 'k:2', 'k:3'], meta);
    const committed = async () =>
      Math.max(...[...(await kafka.committedOffsets('readers-of-offsets', 'offsets')).values()].map(Number));
    let failures = 7; // more than the local retries, so the batch is read from Kafka again
    const duringHandling: number[] = [];
    const handled: string[] = [];
    const consumer = await consume(type, async (texts) => {
      duringHandling.push(await committed());
      if (failures-- > 0) throw new AppError('unavailable', 'the database is down');
      handled.push(...texts);
    });
    await idle(consumer);
    expect(handled).toEqual(['k:1', 'k:2', 'k:3']);
    expect(duringHandling).toHaveLength(8);
    expect(Math.max(...duringHandling)).toBeLessThanOrEqual(0);
    expect(await committed()).toBe(3);
    expect(await letters('offsets')).toBe(0);
  });

  it('the next member of a group handles what a stopped member left unfinished', async () => {
    const type = on('crash');
    await producer.publishMany(type, ['k:1', 'k:2', 'k:3', 'k:4'], meta);
    const first: string[] = [];
    const dying = await consume(
      type,
      (texts) => {
        if (texts.includes('k:3')) throw new Error('dying');
        first.push(...texts);
      },
      2,
    );
    await vi.waitFor(() => expect(first).toEqual(['k:1', 'k:2']), { timeout: 60_000 });
    await dying.stop();
    const second: string[] = [];
    const consumer = await consume(type, (texts) => void second.push(...texts));
    await idle(consumer);
    expect(second).toEqual(['k:3', 'k:4']);
  });

  it('the handler receives the request id, the trace and the environment of an event', async () => {
    const type = on('meta');
    await producer.publish(type, 'k:1', meta);
    const received = Promise.withResolvers<object>();
    const consumer = await consumeEvents(kafka, {
      groupId: 'readers-of-meta',
      subscriptions: [{ type, handle: async ([event]) => received.resolve(event as object) }],
      producer,
      onFatal: fatal,
    });
    consumers.push(consumer);
    expect(await received.promise).toMatchObject({ event: 'k:1', key: 'k', topic: 'meta', offset: '0', meta });
  });

  it('a stop of a consumer finishes the current batch and commits it', async () => {
    const type = on('stop');
    await producer.publishMany(type, ['k:1', 'k:2'], meta);
    const inHand = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const consumer = await consume(type, async () => {
      inHand.resolve();
      await finish.promise;
    });
    await inHand.promise;
    const stopping = consumer.stop();
    finish.resolve();
    await stopping;
    expect(await consumer.lag()).toBe(0);
  });

  it('a replay publishes at most maxEvents dead letters to their topic, unchanged', async () => {
    const type = on('replay');
    let repaired = false;
    const handled: string[] = [];
    const consumer = await consume(type, (texts) => {
      if (!repaired) throw new PoisonError('not yet');
      handled.push(...texts);
    });
    await producer.publishMany(type, ['k:1', 'k:2', 'k:3'], meta);
    await idle(consumer);
    expect(await letters('replay')).toBe(3);
    repaired = true;
    expect(await replayDeadLetters(kafka, { topic: 'replay', producer, maxEvents: 2 })).toBe(2);
    expect(await replayDeadLetters(kafka, { topic: 'replay', producer, maxEvents: 10 })).toBe(1);
    expect(await replayDeadLetters(kafka, { topic: 'replay', producer, maxEvents: 10 })).toBe(0);
    await idle(consumer);
    expect(handled).toEqual(['k:1', 'k:2', 'k:3']);
    expect(await letters('replay')).toBe(3);
  });

  it.each([
    ['created with appendTime', true],
    ['of the time of publishers', false],
  ])('only an event of a topic %s has the time at which the broker stored it', async (_, appendTime) => {
    const topic = `times-${appendTime}`;
    await kafka.ensureTopics([{ topic, partitions: 1, retentionMs: hourMs, appendTime }]);
    const appended: (number | undefined)[] = [];
    const startMs = Date.now();
    await producer.publishMany(on(topic), ['a:1', 'b:1'], meta);
    const consumer = await consumeEvents(kafka, {
      groupId: `readers-of-${topic}`,
      subscriptions: [
        { type: on(topic), handle: async (events) => void appended.push(...events.map((each) => each.appendedAtMs)) },
      ],
      producer,
      onFatal: fatal,
    });
    consumers.push(consumer);
    await idle(consumer);
    const isNow = (atMs = 0) => atMs >= startMs && atMs <= Date.now();
    expect(appended.map((atMs) => (appendTime ? isNow(atMs) : atMs))).toEqual(
      appendTime ? [true, true] : [undefined, undefined],
    );
  });

  it('the members of a group share the partitions without losing an event', async () => {
    const type = on('two');
    const seen = new Set<string>();
    const handle = (texts: string[]) => {
      for (const text of texts) seen.add(text);
    };
    const first = await consume(type, handle);
    await producer.publishMany(type, ['a:1', 'b:1', 'c:1'], meta);
    await consume(type, handle);
    await producer.publishMany(type, ['a:2', 'b:2', 'c:2'], meta);
    await idle(first);
    expect([...seen].toSorted()).toEqual(['a:1', 'a:2', 'b:1', 'b:2', 'c:1', 'c:2']);
  });
});
