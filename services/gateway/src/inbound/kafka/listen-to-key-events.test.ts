import { ManualClock } from '@shopscope/clock';
import type { EventProducer, Kafka } from '@shopscope/kafka';
import { createLogger } from '@shopscope/telemetry';
import { expect, it } from 'vitest';
import { listenToKeyEvents } from './listen-to-key-events.ts';

const turn = () => new Promise(setImmediate);

it('a gateway waits five seconds for its key events, goes on without them, and stops at once', async () => {
  const clock = new ManualClock();
  const logger = createLogger({ service: 'test', instance: '1', level: 'silent' });
  const ensureTopics: Kafka['ensureTopics'] = (_, { signal } = {}) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  let waits = true;
  const starting = listenToKeyEvents({
    kafka: { ensureTopics, options: { logger } } as unknown as Kafka,
    producer: {} as EventProducer,
    instanceId: 'gateway-1',
    keys: { invalidate: () => {} },
    clock,
    onFatal: () => {},
    heard: () => {},
  }).finally(() => {
    waits = false;
  });
  await turn();
  clock.advance(4_999);
  await turn();
  expect(waits).toBe(true);
  clock.advance(1);
  const listener = await starting;
  expect(listener.joined).toBe(false);
  await listener.stop();
});
