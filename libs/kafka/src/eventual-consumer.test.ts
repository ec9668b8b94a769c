import { ManualClock } from '@shopscope/clock';
import { silentTelemetry } from '@shopscope/testing';
import { describe, expect, it, vi } from 'vitest';
import {
  type EventConsumer,
  type EventualConsumerOptions,
  type Kafka,
  startEventually,
  TopicsDifferError,
} from './index.ts';

const topics = [{ topic: 'notes', partitions: 1, retentionMs: 60_000 }];
const turn = () => new Promise(setImmediate);

function setUp(options: Partial<EventualConsumerOptions>, ensureTopics: Kafka['ensureTopics']) {
  const clock = new ManualClock();
  const kafka = { ensureTopics, options: silentTelemetry() } as unknown as Kafka;
  return { clock, starting: startEventually({ kafka, topics, clock, ...options }) };
}
const difference = { topic: 'notes', setting: 'replication.factor', found: '1', needed: '3' } as const;
const differ = new TopicsDifferError([difference]);
const consumerOf = () => ({ lag: async () => 0, joined: true, stop: vi.fn(async () => {}) }) satisfies EventConsumer;

describe('eventual consumer', () => {
  it('a service continues after startWaitMs, and the first attempt of its consumer continues in the background', async () => {
    const [topicsThere, consumer] = [Promise.withResolvers<void>(), consumerOf()];
    const { clock, starting } = setUp({ start: async () => consumer, startWaitMs: 5_000 }, () => topicsThere.promise);
    let resolved = false;
    void starting.then(() => {
      resolved = true;
    });
    await turn();
    clock.advance(4_999);
    await turn();
    expect(resolved).toBe(false);
    clock.advance(1);
    const started = await starting;
    expect(started.joined).toBe(false);
    topicsThere.resolve();
    await turn();
    expect(started.joined).toBe(true);
    await started.stop();
    expect(consumer.stop).toHaveBeenCalledOnce();
  });

  it('a consumer start that fails is retried every two seconds until it succeeds', async () => {
    const start = vi.fn(async (): Promise<EventConsumer> => {
      if (start.mock.calls.length < 3) throw new Error('no broker');
      return consumerOf();
    });
    const { clock, starting } = setUp({ start }, async () => {});
    const started = await starting;
    expect(start).toHaveBeenCalledTimes(1);
    for (const calls of [2, 3, 3]) {
      clock.advance(2_000);
      await turn();
      expect(start).toHaveBeenCalledTimes(calls);
    }
    expect(started.joined).toBe(true);
  });

  it('a stop of a consumer while Kafka does not answer ends at once, and no consumer starts afterwards', async () => {
    const start = vi.fn(async () => consumerOf());
    const ensureTopics: Kafka['ensureTopics'] = (_, { abort } = {}) =>
      new Promise((_, reject) => abort?.addEventListener('abort', () => reject(abort.reason)));
    const { clock, starting } = setUp({ start, startWaitMs: 0 }, ensureTopics);
    clock.advance(0);
    await (await starting).stop();
    clock.advance(60_000);
    await turn();
    expect(start).not.toHaveBeenCalled();
  });

  it('a stop of a consumer during the first join ends the join and stops the consumer', async () => {
    const consumer = consumerOf();
    const start = (abort: AbortSignal) =>
      new Promise<EventConsumer>((resolve) => abort.addEventListener('abort', () => resolve(consumer)));
    const { clock, starting } = setUp({ start, startWaitMs: 5_000 }, async () => {});
    await turn();
    clock.advance(5_000);
    await (await starting).stop();
    expect(consumer.stop).toHaveBeenCalledOnce();
  });

  it('a start is refused if the first attempt finds topics that differ from their definitions', async () => {
    const ensureTopics = vi.fn(() => Promise.reject(differ));
    const { clock, starting } = setUp({}, ensureTopics);
    await expect(starting).rejects.toBe(differ);
    clock.advance(60_000);
    await turn();
    expect(ensureTopics).toHaveBeenCalledOnce();
  });

  it('a service that has started tries again every 30 s while topics differ from their definitions', async () => {
    const topicsRead = Promise.withResolvers<void>();
    const ensureTopics = vi.fn(() => topicsRead.promise);
    const { clock, starting } = setUp({ start: async () => consumerOf(), startWaitMs: 5_000 }, ensureTopics);
    await turn();
    clock.advance(5_000);
    const started = await starting;
    topicsRead.reject(differ);
    await turn();
    ensureTopics.mockResolvedValue();
    clock.advance(29_999);
    await turn();
    expect(ensureTopics).toHaveBeenCalledOnce();
    clock.advance(1);
    await turn();
    expect(started.joined).toBe(true);
  });

  it('a service starts while topics that it does not require differ from their definitions', async () => {
    const ensureTopics = vi.fn<Kafka['ensureTopics']>().mockRejectedValueOnce(differ).mockResolvedValue();
    const { clock, starting } = setUp({ start: async () => consumerOf(), requiresTopics: false }, ensureTopics);
    const started = await starting;
    expect(started.joined).toBe(false);
    clock.advance(30_000);
    await turn();
    expect(started.joined).toBe(true);
  });
});
