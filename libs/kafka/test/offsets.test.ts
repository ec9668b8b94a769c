import { kafkaOptions, testNamespace } from '@shopscope/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createKafka } from '../src/index.ts';

describe('offsets', () => {
  const namespace = testNamespace('offsets');
  const kafka = createKafka(kafkaOptions(namespace));
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
