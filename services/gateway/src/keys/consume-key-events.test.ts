import { ManualClock } from '@shopscope/clock';
import type { EventProducer, Kafka } from '@shopscope/kafka';
import { createLogger } from '@shopscope/telemetry';
import { expect, it } from 'vitest';
import { consumeKeyEvents } from './consume-key-events.ts';

const turn = () => new Promise(setImmediate);

it('the start waits 5 s for Kafka, continues without key events, and the consumer stops at once', async () => {
  const clock = new ManualClock();
  const logger = createLogger({ service: 'test', instance: '1', level: 'silent' });
  const ensureTopics: Kafka['ensureTopics'] = (_, { abort } = {}) =>
    new Promise((_resolve, reject) => abort?.addEventListener('abort', () => reject(abort.reason)));
  let isWaiting = true;
  const starting = consumeKeyEvents({
    kafka: { ensureTopics, options: { logger } } as unknown as Kafka,
    producer: {} as EventProducer,
    instanceId: 'gateway-1',
    keys: { invalidate: () => {} },
    clock,
    onFatal: () => {},
    onEvent: () => {},
    acknowledge: () => {},
  }).finally(() => {
    isWaiting = false;
  });
  await turn();
  clock.advance(4_999);
  await turn();
  expect(isWaiting).toBe(true);
  clock.advance(1);
  const consumer = await starting;
  expect(consumer.joined).toBe(false);
  await consumer.stop();
});
