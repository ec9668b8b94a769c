import { testNamespace } from '@shopscope/local-stack/testing';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { afterAll, describe, expect, it } from 'vitest';
import { createKafka } from '../src/index.ts';

describe('offsets', () => {
  const namespace = testNamespace('offsets');
  const kafka = createKafka({
    brokers: namespace.brokers,
    clientId: 'test',
    topicPrefix: namespace.topicPrefix,
    replicationFactor: 1,
    logger: createLogger({ service: 'test', instance: 'test', level: 'silent' }),
    registry: createRegistry({ service: 'test' }),
  });
  afterAll(async () => {
    await kafka.close();
    await namespace.cleanup();
  });

  it('offsets of a topic can be read right after its creation, before its leaders know it', async () => {
    for (let n = 0; n < 10; n++) {
      const topic = `fresh-${n}.v1`;
      await kafka.ensureTopics([{ topic, partitions: 12, retentionMs: 60_000 }]);
      expect((await kafka.endOffsets(topic)).size).toBe(12);
    }
  });
});
