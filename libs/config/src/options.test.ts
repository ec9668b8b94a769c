import { expect, it } from 'vitest';
import { kafkaOptions } from './index.ts';

it('the default replication factor of topics is 3 in production and otherwise 1', () => {
  const config = { INSTANCE_ID: 'keys-1', KAFKA_BROKERS: ['a:1'], KAFKA_TOPIC_PREFIX: 'x.' };
  const copies = (more: { SHOPSCOPE_ENV: string; KAFKA_REPLICATION_FACTOR?: number }) =>
    kafkaOptions({ ...config, ...more }).replicationFactor;
  expect(copies({ SHOPSCOPE_ENV: 'production' })).toBe(3);
  expect(copies({ SHOPSCOPE_ENV: 'development' })).toBe(1);
  expect(copies({ SHOPSCOPE_ENV: 'production', KAFKA_REPLICATION_FACTOR: 5 })).toBe(5);
});
