import { ManualClock } from '@shopscope/clock';
import { createLogger } from '@shopscope/telemetry';
import { describe, expect, it, vi } from 'vitest';
import { startMember } from './group-member.ts';
import type { Kafka } from './kafka.ts';
import { createWatchdog } from './watchdog.ts';

type Step = 'positions' | 'connect' | 'subscribe';

/** A member whose broker answers at `step` only when the test says so. */
async function memberThatWaitsAt(step: Step) {
  const reached = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const at = (name: Step) => async () => {
    if (name !== step) return;
    reached.resolve();
    await answer.promise;
  };
  const consumer = {
    events: {},
    on: () => {},
    connect: vi.fn(at('connect')),
    subscribe: vi.fn(at('subscribe')),
    run: vi.fn(async () => {}),
    stop: vi.fn(async () => {}),
    disconnect: vi.fn(async () => {}),
  };
  const clock = new ManualClock();
  const member = await startMember({
    kafka: {
      client: { consumer: () => consumer },
      options: { logger: createLogger({ service: 'test', instance: '1', level: 'silent' }) },
      topicName: (topic: string) => topic,
    } as unknown as Kafka,
    groupId: 'group',
    fromBeginning: true,
    maxEventsPerBatch: 10,
    gatherMs: 0,
    joinWaitMs: 1,
    subscriptions: [],
    handleBatch: async () => {},
    positions: { inMemory: undefined, start: at('positions'), lagByPartition: async () => new Map() },
    watchdog: createWatchdog({ clock, stallMs: 1_000, groupId: 'group' }),
    clock,
  });
  await reached.promise;
  return { member, consumer, answer };
}

describe('a group member', () => {
  it.each<Step>(['positions', 'connect', 'subscribe'])(
    'that is stopped before it runs does not come to life afterwards, and leaves no connection (%s)',
    async (step) => {
      const { member, consumer, answer } = await memberThatWaitsAt(step);
      const stopping = member.stop();
      consumer.disconnect.mockClear();
      answer.resolve();
      await stopping;
      await new Promise(setImmediate);
      expect(consumer.run).not.toHaveBeenCalled();
      // Once more when the connection is there.
      expect(consumer.disconnect).toHaveBeenCalledTimes(consumer.connect.mock.calls.length);
    },
  );
});
