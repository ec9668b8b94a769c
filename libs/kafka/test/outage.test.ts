import {
  consumeBroadcast,
  consumeEvents,
  createProducer,
  type EventProducer,
  type Kafka,
  type Received,
} from '@shopscope/kafka';
import { startTcpProxy, type TcpProxy, testNamespace } from '@shopscope/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect, createNotes, meta, note } from './notes.ts';

/** Longer than all retries with their back-off. */
const recovery = { timeout: 40_000, interval: 100 };

describe('an outage of the broker', { tags: ['wall-clock'] }, () => {
  const namespace = testNamespace('kafka-outage');
  const server = new URL(`tcp://${namespace.brokers[0]}`);
  /** Not affected by the outage. */
  let near: Kafka;
  let publisher: EventProducer;
  /** Behind a proxy that the test freezes and closes. */
  let far: Kafka;
  let farProducer: EventProducer;
  let proxy: TcpProxy;
  const fatal = vi.fn();
  const stops: (() => Promise<void>)[] = [];

  const breakConnections = () => proxy.refuse();
  const restoreConnections = () => proxy.accept();
  const collect = () => {
    const seen: string[] = [];
    const subscription = {
      type: note,
      handle: async (events: Received<string>[]) => void seen.push(...events.map(({ event }) => event)),
    };
    return { seen, subscription };
  };

  beforeAll(async () => {
    near = connect(namespace);
    await createNotes(near, 'notes');
    publisher = createProducer(near, { sendTimeoutMs: 60_000 });
  });
  beforeEach(async () => {
    proxy = await startTcpProxy(server);
    far = connect(namespace, () => ({ host: '127.0.0.1', port: proxy.port }));
    farProducer = createProducer(far);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await farProducer.close();
    await far.close();
    await proxy.close();
    expect(fatal).not.toHaveBeenCalled();
  });
  afterAll(async () => {
    await publisher.close();
    await near.close();
    await namespace.cleanup();
  });

  it('a publisher in an outage waits for its time limit three times, then fails at once, and recovers by itself', async () => {
    await farProducer.publish(note, 'a:before', meta);
    proxy.freeze();
    for (let i = 0; i < 3; i++) {
      const publishing = farProducer.publish(note, 'a:during', meta, { timeoutMs: 50 });
      await expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(farProducer.available).toBe(false);
    await expect(farProducer.publish(note, 'a:during', meta)).rejects.toMatchObject({
      internal: expect.stringMatching(/circuit/),
    });
    proxy.thaw();
    await vi.waitFor(() => farProducer.publish(note, 'a:after', meta), recovery);
    expect(farProducer.available).toBe(true);
  });

  it('a publisher whose connections were refused recovers by itself', async () => {
    await farProducer.publish(note, 'a:before', meta);
    await breakConnections();
    await expect(farProducer.publish(note, 'a:during', meta)).rejects.toMatchObject({ code: 'unavailable' });
    await restoreConnections();
    await vi.waitFor(() => farProducer.publish(note, 'a:after', meta), recovery);
  });

  it('a consumer recovers from an outage and misses no event', async () => {
    const { seen, subscription } = collect();
    const group = { groupId: 'survivors', subscriptions: [subscription], producer: farProducer, onFatal: fatal };
    const consumer = await consumeEvents(far, group);
    stops.push(consumer.stop);
    await publisher.publish(note, 'c:1', meta);
    await vi.waitFor(() => expect(seen).toContain('c:1'), recovery);
    await breakConnections();
    await vi.waitFor(() => expect(consumer.joined).toBe(false), recovery);
    await publisher.publish(note, 'c:2', meta);
    await restoreConnections();
    await vi.waitFor(() => expect(seen).toContain('c:2'), recovery);
    expect(consumer.joined).toBe(true);
  });

  it('a broadcast recovers and receives the events of the outage', async () => {
    const { seen, subscription } = collect();
    const cache = { name: 'cache', instanceId: 'one', subscriptions: [subscription], producer: farProducer };
    const consumer = await consumeBroadcast(far, { ...cache, onFatal: fatal });
    stops.push(consumer.stop);
    await breakConnections();
    await vi.waitFor(() => expect(consumer.joined).toBe(false), recovery);
    await publisher.publishMany(note, ['d:1', 'e:1'], meta);
    await restoreConnections();
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(['d:1', 'e:1']), recovery);
  });

  it('an outage of the broker delays a start and not a stop', async () => {
    await breakConnections();
    const { seen, subscription } = collect();
    const group = { groupId: 'late', subscriptions: [subscription], producer: farProducer, onFatal: fatal };
    const consumer = await consumeEvents(far, { ...group, joinWaitMs: 200 });
    expect(consumer.joined).toBe(false);
    await publisher.publish(note, 'f:1', meta);
    await restoreConnections();
    await vi.waitFor(() => expect(seen).toContain('f:1'), recovery);
    await breakConnections();
    await vi.waitFor(() => expect(consumer.joined).toBe(false), recovery);
    await consumer.stop();
    await restoreConnections();
  });
});
