import { ManualClock } from '@shopscope/clock';
import { type EventProducer, type Kafka, TopicsDifferError } from '@shopscope/kafka';
import { keyChanged, scanRequested, usageRecorded } from '@shopscope/proto';
import { createLogger } from '@shopscope/telemetry';
import { expect, it } from 'vitest';
import { consumeKeyEvents } from './consume-key-events.ts';

const parts = {
  producer: {} as EventProducer,
  instanceId: 'gateway-1',
  keys: { invalidate: () => {} },
  onFatal: () => {},
  onEvent: () => {},
  acknowledge: () => {},
};
const logger = createLogger({ service: 'test', instance: '1', level: 'silent' });
const turn = () => new Promise(setImmediate);

it('the start waits 5 s for Kafka, continues without key events, and the consumer stops at once', async () => {
  const clock = new ManualClock();
  const ensureTopics: Kafka['ensureTopics'] = (_, { abort } = {}) =>
    new Promise((_resolve, reject) => abort?.addEventListener('abort', () => reject(abort.reason)));
  let isWaiting = true;
  const kafka = { ensureTopics, options: { logger } } as unknown as Kafka;
  const starting = consumeKeyEvents(Object.assign({ kafka, clock }, parts)).finally(() => {
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

it.each([keyChanged, ...[usageRecorded, scanRequested].flatMap(({ live, test }) => [live, test])])(
  'a gateway does not start while $topic, which requests depend on, differs from its definition',
  async ({ topic }) => {
    const differs = new TopicsDifferError([{ topic, setting: 'partitions', found: '1', needed: '3' }]);
    const ensureTopics: Kafka['ensureTopics'] = async (topics) => {
      if (topics.some((each) => each.topic === topic)) throw differs;
      throw new Error('Kafka does not respond');
    };
    const kafka = { ensureTopics, options: { logger } } as unknown as Kafka;
    const starting = consumeKeyEvents(Object.assign({ kafka, clock: new ManualClock() }, parts));
    const stopped = starting.then((consumer) => consumer.stop());
    await expect(stopped).rejects.toBe(differs);
  },
);
