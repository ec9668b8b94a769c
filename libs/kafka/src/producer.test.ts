import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '@shopscope/clock';
import { silentTelemetry } from '@shopscope/testing';
import type { Kafka as KafkaJs, ProducerBatch } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import type { EventType } from './event-type.ts';
import type { Kafka } from './kafka.ts';
import { createProducer, maxEventBytes, type ProducerOptions } from './producer.ts';

const note: EventType<string> = {
  name: 'note',
  version: 1,
  topic: 'notes',
  encode: (text) => Buffer.from(text),
  decode: (bytes) => Buffer.from(bytes).toString(),
  key: (text) => text,
};
const meta = { requestId: 'req_1', traceparent: 'trace', environment: 'live' as const };

/** A fake broker. The test decides its answers. */
function setUp(options: ProducerOptions = {}) {
  const requests: { texts: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  let producers = 0;
  const client = {
    producer() {
      producers += 1;
      return {
        connect: async () => {},
        disconnect: async () => {},
        sendBatch: ({ topicMessages }: ProducerBatch) =>
          new Promise<void>((answer, fail) => {
            const texts = (topicMessages ?? []).flatMap(({ messages }) => messages.map(({ value }) => String(value)));
            requests.push({ texts, answer, fail });
          }),
      };
    },
  } as unknown as KafkaJs;
  const kafka = {
    client,
    options: silentTelemetry(),
    topicName: (topic: string) => topic,
  } as unknown as Kafka;
  const clock = new ManualClock();
  const producer = createProducer(kafka, { lingerMs: 0, clock, ...options });
  const request = async (index: number) => {
    for (let i = 0; i < 1_000 && !requests[index]; i++) await turn();
    return requests[index] as (typeof requests)[number];
  };
  const metrics = () => kafka.options.registry.metrics();
  return { producer, requests, request, clock, metrics, producers: () => producers };
}

describe('event producer', () => {
  it('a publish call resolves only after the broker has accepted the event', async () => {
    const { producer, request } = setUp();
    let durable = false;
    const publishing = producer.publish(note, 'a', meta).then(() => {
      durable = true;
    });
    const { answer, texts } = await request(0);
    expect(texts).toEqual(['a']);
    expect(durable).toBe(false);
    answer();
    await publishing;
  });

  it('the event producer counts the headers of a record, so that dead letters with long reasons fit into requests', async () => {
    const { producer, request } = setUp();
    const headers = { 'dlq-reason': 'r'.repeat(300_000) };
    const records = ['a', 'b', 'c'].map((text) => ({ key: text, value: Buffer.from(text), headers }));
    const publishing = producer.publishRaw('notes', records);
    const first = await request(0);
    expect(first.texts).toEqual(['a', 'b']);
    first.answer();
    const second = await request(1);
    expect(second.texts).toEqual(['c']);
    second.answer();
    await publishing;
  });

  it('a timeout of a publish means that the outcome is unknown, because the event may still arrive', async () => {
    const { producer, request, clock } = setUp();
    const publishing = producer.publish(note, 'a', meta, { timeoutMs: 500 });
    const told = expect(publishing).rejects.toMatchObject({
      code: 'unavailable',
      internal: expect.stringMatching(/unknown/),
    });
    const { answer, texts } = await request(0);
    clock.advance(500);
    await told;
    expect(texts).toEqual(['a']);
    answer();
    await turn();
    expect(producer.available).toBe(true);
  });

  it('an event whose time limit passes before any request carries it is withdrawn', async () => {
    const { producer, request, requests, clock } = setUp();
    const first = producer.publish(note, 'a', meta);
    const { answer } = await request(0);
    const withdrawn = expect(producer.publish(note, 'b', meta, { timeoutMs: 5 })).rejects;
    clock.advance(5);
    await withdrawn.toMatchObject({ code: 'unavailable' });
    const third = producer.publish(note, 'c', meta);
    answer();
    await first;
    (await request(1)).answer();
    await third;
    expect(requests.map(({ texts }) => texts)).toEqual([['a'], ['c']]);
  });

  it('three publish calls without an answer in time open the circuit', async () => {
    const { producer, clock } = setUp();
    const timedOut = ['a', 'b', 'c'].map((text) => producer.publish(note, text, meta, { timeoutMs: 500 }));
    clock.advance(499);
    expect(producer.available).toBe(true);
    clock.advance(1);
    for (const { status } of await Promise.allSettled(timedOut)) expect(status).toBe('rejected');
    expect(producer.available).toBe(false);
  });

  it('an open circuit of a producer rejects at once, and a successful probe closes it', async () => {
    const { producer, request, requests, clock } = setUp();
    for (let i = 0; i < 3; i++) {
      const publishing = producer.publish(note, 'a', meta);
      (await request(i)).fail(new Error('connection lost'));
      await expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(producer.available).toBe(false);
    await expect(producer.publish(note, 'b', meta)).rejects.toMatchObject({
      internal: expect.stringMatching(/circuit/),
    });
    expect(requests).toHaveLength(3);
    clock.advance(1_000);
    const probing = producer.publish(note, 'c', meta);
    (await request(3)).answer();
    await probing;
    expect(producer.available).toBe(true);
  });

  it('a producer for best-effort events keeps its open circuit out of the metric that wakes people', async () => {
    for (const bestEffort of [false, true]) {
      const { producer, request, metrics } = setUp({ bestEffort });
      for (let i = 0; i < 3; i++) {
        const publishing = producer.publish(note, 'a', meta);
        (await request(i)).fail(new Error('connection lost'));
        await expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
      }
      expect(producer.available).toBe(false);
      expect(/^kafka_producer_available\{?.* 0$/m.test(await metrics())).toBe(!bestEffort);
    }
  });

  it('a failed produce request is followed by a new kafkajs producer', async () => {
    const { producer, request, producers } = setUp();
    const failing = producer.publish(note, 'a', meta);
    (await request(0)).fail(new Error('fenced'));
    await expect(failing).rejects.toThrow();
    const publishing = producer.publish(note, 'b', meta);
    (await request(1)).answer();
    await publishing;
    expect(producers()).toBe(2);
  });

  it('a produce request without an answer fails after five seconds and is followed by a new kafkajs producer', async () => {
    const { producer, request, clock, producers } = setUp();
    const publishing = producer.publish(note, 'a', meta, { timeoutMs: 20_000 });
    const told = expect(publishing).rejects.toMatchObject({
      code: 'unavailable',
      internal: expect.stringMatching(/did not take it/),
    });
    await request(0);
    clock.advance(4_999);
    await turn();
    expect(producers()).toBe(1);
    clock.advance(1);
    await told;
    const next = producer.publish(note, 'b', meta);
    (await request(1)).answer();
    await next;
    expect(producers()).toBe(2);
  });

  it('a full queue of the producer and an event that is too large are refused', async () => {
    const { producer, request } = setUp({ maxQueued: 2, lingerMs: 60_000 });
    const queued = [producer.publish(note, 'a', meta), producer.publish(note, 'b', meta)];
    await expect(producer.publish(note, 'c', meta)).rejects.toMatchObject({ internal: expect.stringMatching(/full/) });
    await expect(producer.publish(note, 'x'.repeat(maxEventBytes + 1), meta)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const closing = producer.close();
    (await request(0)).answer();
    await Promise.all([...queued, closing]);
  });

  it('half a million simultaneous events are refused by the queue bound, not by the call stack', async () => {
    const { producer } = setUp();
    const record = { key: 'a', value: Buffer.from('a'), headers: {} };
    const records = Array.from({ length: 500_000 }, () => record);
    await expect(producer.publishRaw('notes', records)).rejects.toMatchObject({
      code: 'unavailable',
      internal: expect.stringMatching(/full/),
    });
    const oversized = { ...record, value: Buffer.alloc(maxEventBytes + 1) };
    await expect(producer.publishRaw('notes', [...records, oversized])).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('the close of a producer sends the queued events, and later events are refused', async () => {
    const { producer, request } = setUp({ lingerMs: 60_000 });
    const publishing = producer.publish(note, 'a', meta);
    const closing = producer.close();
    (await request(0)).answer();
    await Promise.all([publishing, closing]);
    await expect(producer.publish(note, 'b', meta)).rejects.toMatchObject({
      internal: expect.stringMatching(/closed/),
    });
  });
});
