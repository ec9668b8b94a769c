import { hourMs } from '@shopscope/clock';
import { createKafka, type Kafka, type TopicDefinition, TopicsDifferError } from '@shopscope/kafka';
import { kafkaOptions, testNamespace } from '@shopscope/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

describe('topics with other settings than their definitions', () => {
  const namespace = testNamespace('topics');
  const opened: Kafka[] = [];
  const definition: TopicDefinition = { topic: 'notes', partitions: 2, retentionMs: hourMs, appendTime: true };
  const open = (more: { replicationFactor?: number; onlyComparesTopics?: boolean } = {}) => {
    const kafka = createKafka({ ...kafkaOptions(namespace), ...more });
    opened.push(kafka);
    return kafka;
  };
  /** Creates the topic with wrong settings, as an operator may. */
  const create = async (kafka: Kafka, options: { partitions?: number; configs?: Record<string, string> } = {}) => {
    const admin = kafka.client.admin();
    await admin.connect();
    const configEntries = Object.entries({
      'retention.ms': String(hourMs),
      'message.timestamp.type': 'LogAppendTime',
      ...options.configs,
    }).map(([name, value]) => ({ name, value }));
    const topic = { topic: kafka.topicName('notes'), numPartitions: options.partitions ?? 2, replicationFactor: 1 };
    await admin.createTopics({ waitForLeaders: true, topics: [{ ...topic, configEntries }] });
    await admin.disconnect();
  };
  const found = async (kafka: Kafka, topic = definition) =>
    (await kafka.topicDifferences([topic]))
      .filter((each) => each.topic === kafka.topicName('notes'))
      .map(({ setting, found: has, needed }) => [setting, has, needed]);

  afterEach(async () => {
    await namespace.cleanup();
  });
  afterAll(async () => {
    for (const kafka of opened) await kafka.close();
  });

  it('a topic that was created from its definition has no difference', async () => {
    const kafka = open();
    await kafka.ensureTopics([definition]);
    expect(await kafka.topicDifferences([definition])).toEqual([]);
    await open({ onlyComparesTopics: true }).ensureTopics([definition]);
  });

  it('a service in production refuses a missing topic with one sentence that names the migration, and creates nothing', async () => {
    const kafka = open({ onlyComparesTopics: true });
    const name = kafka.topicName('notes');
    const sentence = `Topic ${name} is missing (and 1 more); run this version with --migrate first.`;
    await expect(kafka.ensureTopics([definition])).rejects.toThrow(sentence);
    expect(await found(kafka)).toEqual([['topic', undefined, '2 partitions']]);
  });

  it('a topic with one replica is refused where three are needed, by a sentence with topic, setting, found and needed', async () => {
    await open().ensureTopics([definition]);
    const kafka = open({ replicationFactor: 3, onlyComparesTopics: true });
    const name = kafka.topicName('notes');
    const refused = kafka.ensureTopics([definition]);
    await expect(refused).rejects.toBeInstanceOf(TopicsDifferError);
    await expect(refused).rejects.toThrow(`Topic ${name} has replication.factor 1, but 3 is needed (and 3 more)`);
    const differences = await kafka.topicDifferences([definition]);
    expect(differences.map(({ topic, setting }) => `${topic} ${setting}`)).toEqual([
      `${name} replication.factor`,
      `${name} min.insync.replicas`,
      `${name}.dlq replication.factor`,
      `${name}.dlq min.insync.replicas`,
    ]);
  });

  it('a topic with other settings is used outside production', async () => {
    const kafka = open();
    await create(kafka, { configs: { 'retention.ms': '1000' } });
    await kafka.ensureTopics([definition]);
    expect(await found(kafka)).toEqual([['retention.ms', '1000', String(hourMs)]]);
  });

  it.each([
    ['fewer partitions', { partitions: 1 }, ['partitions', '1', '2']],
    [
      'a time that publishers set',
      { configs: { 'message.timestamp.type': 'CreateTime' } },
      ['message.timestamp.type', 'CreateTime', 'LogAppendTime'],
    ],
    ['compaction', { configs: { 'cleanup.policy': 'compact' } }, ['cleanup.policy', 'compact', 'delete']],
  ])('a topic with %s differs from its definition', async (_, options, difference) => {
    const kafka = open();
    await create(kafka, options);
    expect(await found(kafka)).toEqual([difference]);
  });

  it('a topic with more partitions than its definition has no difference', async () => {
    const kafka = open();
    await create(kafka, { partitions: 4 });
    expect(await found(kafka)).toEqual([]);
  });
});
