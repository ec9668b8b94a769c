import { hourMs, ManualClock } from '@shopscope/clock';
import {
  changeTopics,
  consumeBroadcast,
  consumeEvents,
  createKafka,
  createProducer,
  type EventConsumer,
  type EventProducer,
  type Kafka,
  type Received,
  raisePartitions,
} from '@shopscope/kafka';
import { kafkaOptions, testNamespace } from '@shopscope/testing';
import type { Admin } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { meta, note } from './notes.ts';

const bounded = { timeout: 60_000, interval: 100 };

describe('changes of topics', () => {
  const namespace = testNamespace('change-topics');
  const options = { report: () => {}, abort: new AbortController().signal };
  let kafka: Kafka;
  let admin: Admin;
  beforeAll(async () => {
    kafka = createKafka(kafkaOptions(namespace));
    admin = kafka.client.admin();
    await admin.connect();
  });
  afterAll(async () => {
    await admin.disconnect();
    await kafka.close();
    await namespace.cleanup();
  });
  const definitionOf = (topic: string, partitions: number) => ({ topic, partitions, retentionMs: hourMs });

  it('differences of settings and partitions end, and other settings of the topic stay', async () => {
    const [one, three] = [definitionOf('drifted', 1), definitionOf('drifted', 3)];
    const topic = kafka.topicName('drifted');
    const own = { 'segment.bytes': '1048576', 'max.message.bytes': '2000000' };
    const entries = { 'retention.ms': '1000', 'cleanup.policy': 'compact', ...own };
    const configEntries = Object.entries(entries).map(([name, value]) => ({ name, value }));
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: 1, configEntries }] });
    await kafka.ensureTopics([one]);
    const differences = await kafka.topicDifferences([one]);
    expect(differences.map(({ setting }) => setting)).toEqual(['retention.ms', 'cleanup.policy']);
    await changeTopics(kafka, differences, options);
    expect(await kafka.topicDifferences([one])).toEqual([]);
    await raisePartitions(admin, { ...options, topic, partitions: 3, publishersMs: 0 });
    expect(await kafka.topicDifferences([three])).toEqual([]);
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: topic, configNames: ['segment.bytes', 'max.message.bytes'] }],
    });
    const values = resources[0]?.configEntries.map(({ configValue }) => configValue);
    expect(values?.toSorted()).toEqual(Object.values(own));
    await expect(raisePartitions(admin, { ...options, topic, partitions: 2, publishersMs: 0 })).rejects.toThrow(
      'Kafka cannot remove partitions',
    );
  });

  it('a topic that was left closed by a killed process is shown, and opened when all publishers know its partitions', async () => {
    const definition = definitionOf('closed', 1);
    await kafka.ensureTopics([definition]);
    const resource = { type: 2, name: kafka.topicName('closed') };
    const configEntries = [{ name: 'max.message.bytes', value: '0' }];
    await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
    const differences = await kafka.topicDifferences([definition]);
    expect(differences.at(-1)?.setting).toBe('max.message.bytes');
    const clock = new ManualClock();
    const report = vi.fn();
    const changed = changeTopics(kafka, differences, { ...options, report, clock });
    await vi.waitFor(() => expect(report).toHaveBeenCalledWith(expect.stringContaining('closed by')), bounded);
    expect((await kafka.topicDifferences([definition])).at(-1)?.setting).toBe('max.message.bytes');
    clock.advance(65_000);
    await changed;
    expect(await kafka.topicDifferences([definition])).toEqual([]);
  });

  it('a topic whose partitions were added stays closed until all publishers know them, also when the caller aborts', async () => {
    await kafka.ensureTopics([definitionOf('aborted', 1)]);
    const topic = kafka.topicName('aborted');
    const clock = new ManualClock();
    const report = vi.fn();
    const caller = new AbortController();
    const raised = raisePartitions(admin, { topic, partitions: 2, report, abort: caller.signal, clock });
    await vi.waitFor(() => expect(report).toHaveBeenCalledWith(expect.stringContaining('2 partitions')), bounded);
    caller.abort();
    const found = async () =>
      (await kafka.topicDifferences([definitionOf('aborted', 2)])).map(({ setting }) => setting);
    expect(await found()).toEqual(['max.message.bytes']);
    clock.advance(65_000);
    await raised;
    expect(await found()).toEqual([]);
  });

  it('a topic stays open if a group cannot handle its events before partitions are added', async () => {
    await kafka.ensureTopics([definitionOf('unhandled', 1)]);
    const topic = kafka.topicName('unhandled');
    const producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
    const type = { ...note, topic: 'unhandled' };
    const events = Array.from({ length: 10_001 }, (_, n) => `a:${n}`);
    await producer.publishMany(type, events, meta);
    const steps: string[] = [];
    const raise = () =>
      raisePartitions(admin, { ...options, topic, partitions: 2, publishersMs: 0, report: (step) => steps.push(step) });
    const groupId = kafka.groupName('one');
    await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: '0' }] });
    await expect(raise()).rejects.toThrow(`group ${groupId} has 10001 unhandled events of ${topic} and no consumer`);
    const first = Promise.withResolvers<void>();
    const subscriptions = [{ type, handle: () => first.promise }];
    const consumer = await consumeEvents(kafka, { groupId: 'one', subscriptions, producer, onFatal: () => {} });
    await expect(raise()).rejects.toThrow('Try again when it has at most 10000');
    expect(steps).toEqual([]);
    first.resolve();
    await consumer.stop();
    await producer.close();
  });

  it('a topic that cannot get its replicas keeps its other settings and accepts events', async () => {
    const definition = definitionOf('alone', 1);
    await kafka.ensureTopics([definition]);
    const replicated = createKafka({ ...kafkaOptions(namespace), replicationFactor: 3 });
    const differences = (await replicated.topicDifferences([definition])).filter(
      ({ topic }) => topic === kafka.topicName('alone'),
    );
    await replicated.close();
    expect(differences.map(({ setting }) => setting)).toEqual(['replication.factor', 'min.insync.replicas']);
    await expect(changeTopics(kafka, differences, options)).rejects.toThrow('the cluster has 1 brokers');
    expect(await kafka.topicDifferences([definition])).toEqual([]);
    const producer = createProducer(kafka, { sendTimeoutMs: 10_000 });
    await producer.publishRaw('alone', [{ key: 'a', value: null, headers: {} }]);
    await producer.close();
  });

  const addTitle =
    'partitions are added while events are published and consumed, and every event is handled once, in the order of its key';
  it(addTitle, { tags: ['nightly'] }, async () => {
    await kafka.ensureTopics([definitionOf('notes', 2)]);
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    const seen = new Map(keys.map((key) => [key, [] as number[]]));
    const broadcast = new Set<string>();
    const partitions = new Set<number>();
    const handle = async (events: Received<string>[]) => {
      for (const { event, partition } of events) {
        const [key = '', number] = event.split(':');
        seen.get(key)?.push(Number(number));
        partitions.add(partition);
      }
    };
    const producers: EventProducer[] = [createProducer(kafka), createProducer(kafka)];
    const [producer] = producers as [EventProducer];
    const parts = { producer, onFatal: vi.fn() };
    const consumers: EventConsumer[] = [
      await consumeEvents(kafka, { ...parts, groupId: 'one', subscriptions: [{ type: note, handle }] }),
      await consumeBroadcast(kafka, {
        ...parts,
        name: 'cache',
        instanceId: '1',
        subscriptions: [{ type: note, handle: async (events) => void events.map(({ event }) => broadcast.add(event)) }],
      }),
    ];
    const published = new Map<string, number>();
    let publishing = true;
    /** A publisher repeats an event until it is durable, as an outbox does. */
    const publishKey = async (key: string, index: number) => {
      for (let n = 0; publishing; n++) {
        const event = `${key}:${n}`;
        const publish = () => (producers[index % 2] as EventProducer).publish(note, event, meta);
        await vi.waitFor(publish, { timeout: 60_000, interval: 20 });
        published.set(key, n + 1);
      }
    };
    const publishers = keys.map(publishKey);
    await vi.waitFor(() => expect(Math.min(...published.values())).toBeGreaterThan(20), bounded);
    // Both producers publish all the time, so they learn the new number from the refusals.
    await raisePartitions(admin, { ...options, topic: kafka.topicName('notes'), partitions: 6, publishersMs: 2_000 });
    const before = Math.max(...published.values());
    await vi.waitFor(() => expect(Math.min(...published.values())).toBeGreaterThan(before + 20), bounded);
    publishing = false;
    await Promise.all(publishers);
    const expected = keys.map((key) => [key, Array.from({ length: published.get(key) ?? 0 }, (_, n) => n)]);
    await vi.waitFor(() => {
      expect([...seen].map(([key, numbers]) => [key, numbers.length])).toEqual(
        expected.map(([key, numbers]) => [key, numbers?.length]),
      );
      expect(broadcast.size).toBe([...published.values()].reduce((sum, count) => sum + count, 0));
    }, bounded);
    expect([...seen]).toEqual(expected);
    expect(partitions.size).toBe(6);
    for (const consumer of consumers) await consumer.stop();
    for (const each of producers) await each.close();
  });
});
