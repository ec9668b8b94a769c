import { run } from '@shopscope/admin/run';
import { createKafka, type Kafka } from '@shopscope/kafka';
import { topics } from '@shopscope/proto';
import { kafkaOptions, serviceEnvironment, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

describe('admin topics', () => {
  const namespace = testNamespace('admin-topics');
  let kafka: Kafka;
  beforeAll(() => {
    kafka = createKafka(kafkaOptions(namespace));
  });
  afterAll(async () => {
    await kafka.close();
    await namespace.cleanup();
  });
  const admin = async (...words: string[]) => {
    let [output, errors] = ['', ''];
    const code = await run([...words, '--json'], {
      env: { ...serviceEnvironment(namespace, 'admin'), KAFKA_REPLICATION_FACTOR: '1' },
      print: (text) => {
        output += text;
      },
      complain: (text) => {
        errors += text;
      },
    });
    return { code, errors, data: output === '' ? undefined : (JSON.parse(output) as { data: object[] }).data };
  };

  it('the plan lists every topic that is missing, and its changes leave them to the migration', async () => {
    for (const words of ['plan', 'apply']) {
      const { code, data } = await admin('topics', words);
      expect([code, data?.length]).toEqual([1, 2 * topics.length]);
    }
    await kafka.ensureTopics(topics);
    expect(await admin('topics', 'plan')).toMatchObject({ code: 0, data: [] });
  });

  it('the plan shows a setting with what was found and what is needed, and its changes restore it', async () => {
    await kafka.ensureTopics(topics);
    const name = kafka.topicName('usage.v1');
    const client = kafka.client.admin();
    await client.connect();
    const configEntries = [{ name: 'retention.ms', value: '1000' }];
    await client.alterConfigs({ validateOnly: false, resources: [{ type: 2, name, configEntries }] });
    await client.disconnect();
    const needed = String(topics[0]?.retentionMs);
    await vi.waitFor(async () => expect((await admin('topics', 'plan')).code).toBe(1), { timeout: 60_000 });
    const { data } = await admin('topics', 'plan');
    expect(data).toEqual([{ topic: name, setting: 'retention.ms', found: '1000', needed }]);
    expect(await admin('topics', 'apply')).toMatchObject({ code: 0, data: [] });
  });

  it('fewer partitions than the definition are refused', async () => {
    await kafka.ensureTopics(topics);
    const { code, errors } = await admin('topics', 'raise', 'usage.v1', '--partitions', '11');
    expect([code, errors]).toEqual([1, 'usage.v1 needs at least 12 partitions.\n']);
  });
});
