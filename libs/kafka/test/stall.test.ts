import { ManualClock } from '@shopscope/clock';
import { consumeEvents, createProducer, type EventProducer, type Kafka, type Subscription } from '@shopscope/kafka';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect, createNotes, meta, note } from './notes.ts';

const recovery = { timeout: 40_000, interval: 200 };

describe('stall detection on a real broker', () => {
  const namespace = testNamespace('kafka-stall');
  let kafka: Kafka;
  let producer: EventProducer;
  beforeAll(async () => {
    kafka = connect(namespace);
    await createNotes(kafka, 'silent', 'paused', 'failing', 'unread', 'stopped', 'idle');
    producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    await producer.close();
    await kafka.close();
    await namespace.cleanup();
  });

  const start = async (
    topic: string,
    through: Kafka,
    handle: () => Promise<void>,
    ...others: Subscription<string>[]
  ) => {
    const clock = new ManualClock();
    const onFatal = vi.fn();
    const subscriptions = [{ type: { ...note, topic }, handle }, ...others];
    const consumer = await consumeEvents(through, { groupId: topic, subscriptions, producer, onFatal, clock });
    /** Advances the clock until the detector ends the process. */
    const fatal = () =>
      vi.waitFor(() => {
        clock.advance(10_000);
        expect(onFatal).toHaveBeenCalled();
      }, recovery);
    return { clock, consumer, onFatal, fatal };
  };

  it('a handler that never returns ends the process', async () => {
    const release = Promise.withResolvers<void>();
    const handle = vi.fn(() => release.promise);
    const { clock, consumer, fatal, onFatal } = await start('silent', kafka, handle);
    await producer.publish({ ...note, topic: 'silent' }, 'k:1', meta);
    await vi.waitFor(() => {
      // A consumer that could not join immediately waits on this clock.
      clock.advance(100);
      expect(handle).toHaveBeenCalled();
    }, recovery);
    await fatal();
    expect(String(onFatal.mock.calls[0]?.[0])).toMatch(/1 events of silent\/\d waited 60000 ms without progress/);
    release.resolve();
    await consumer.stop();
  });

  it('a consumer that joined its group and fetches nothing ends the process', async () => {
    const handle = vi.fn(async () => {});
    const client = {
      consumer: (config: Parameters<Kafka['client']['consumer']>[0]) => {
        const made = kafka.client.consumer(config);
        made.on(made.events.GROUP_JOIN, () => made.pause([{ topic: kafka.topicName('paused') }]));
        return made;
      },
    } as Kafka['client'];
    const { consumer, fatal } = await start('paused', { ...kafka, client }, handle);
    await producer.publish({ ...note, topic: 'paused' }, 'k:1', meta);
    await fatal();
    expect(handle).not.toHaveBeenCalled();
    await consumer.stop();
  });

  it('a handler that fails and is retried does not end the process', async () => {
    let tries = 0;
    const { clock, consumer, onFatal } = await start('failing', kafka, async () => {
      tries += 1;
      throw new Error('the database is down');
    });
    await producer.publish({ ...note, topic: 'failing' }, 'k:1', meta);
    await vi.waitFor(() => {
      clock.advance(5_000);
      expect(tries).toBeGreaterThan(12);
    }, recovery);
    expect(onFatal).not.toHaveBeenCalled();
    await consumer.stop();
  });

  it('the metric of the lag is absent while the lag cannot be read', async () => {
    let isReachable = true;
    const offsetRanges: Kafka['offsetRanges'] = async (topic) => {
      if (!isReachable) throw new Error('the broker is down');
      return kafka.offsetRanges(topic);
    };
    const { clock, consumer } = await start('unread', { ...kafka, offsetRanges }, async () => {});
    const shown = (isShown: boolean) =>
      vi.waitFor(async () => {
        clock.advance(10_000);
        expect(
          (await kafka.options.registry.metrics()).includes('kafka_consumer_lag{group="unread",topic="unread"'),
        ).toBe(isShown);
      }, recovery);
    await shown(true);
    isReachable = false;
    await shown(false);
    isReachable = true;
    await shown(true);
    await consumer.stop();
  });

  it('the metric of the lag counts the events of each topic of a group apart', async () => {
    const release = Promise.withResolvers<void>();
    const handle = vi.fn(() => release.promise);
    const idle = { type: { ...note, topic: 'idle' }, handle: async () => {} };
    const { clock, consumer } = await start('stopped', kafka, handle, idle);
    await producer.publish({ ...note, topic: 'stopped' }, 'k:1', meta);
    await vi.waitFor(async () => {
      clock.advance(10_000);
      const metrics = await kafka.options.registry.metrics();
      expect(metrics).toContain('kafka_consumer_lag{group="stopped",topic="stopped",service="test"} 1');
      expect(metrics).toContain('kafka_consumer_lag{group="stopped",topic="idle",service="test"} 0');
    }, recovery);
    release.resolve();
    await consumer.stop();
  });
});
