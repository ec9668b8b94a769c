import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '@shopscope/clock';
import type { CompletedRequest, RequestsCompleted } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createRequestQueue } from '../outbound/memory/request-queue.ts';
import { startRequestLog } from './publish-request-log.ts';

/** A Kafka whose answers the test gives. */
function setUp() {
  const clock = new ManualClock();
  const queue = createRequestQueue({ onDropped: () => {} });
  const sent: { count: number; timeoutMs: number; answer(): void; fail(): void }[] = [];
  const outcomes: [string, number][] = [];
  const countOf = (events: readonly RequestsCompleted[]) => events.reduce((sum, each) => sum + each.requests.length, 0);
  const log = startRequestLog({
    queue,
    publish: (events, timeoutMs) =>
      new Promise((resolve, reject) => {
        sent.push({
          count: countOf(events),
          timeoutMs,
          answer: resolve,
          fail: () => reject(new Error('the broker does not answer')),
        });
      }),
    clock,
    onPublished: (count) => void outcomes.push(['published', count]),
    onDropped: (reason, count) => void outcomes.push([reason, count]),
    onError(error) {
      throw error;
    },
  });
  const settle = async () => {
    for (let i = 0; i < 10; i++) await turn();
  };
  return {
    clock,
    queue,
    sent,
    outcomes,
    log,
    settle,
    add: (count: number) => {
      for (let i = 0; i < count; i++) queue.add(`ws_${i % 2}`, { requestId: `req_${i}` } as CompletedRequest);
    },
    /** More than an interval, which varies by a tenth. */
    async nextInterval() {
      clock.advance(551);
      await settle();
    },
    async answer() {
      sent.at(-1)?.answer();
      await settle();
    },
    async fail() {
      sent.at(-1)?.fail();
      await settle();
    },
  };
}

describe('the request log', () => {
  it('publishes what is queued half a second later, and nothing while nothing is queued', async () => {
    const { add, sent, nextInterval, answer, outcomes } = setUp();
    await nextInterval();
    expect(sent).toHaveLength(0);
    add(3);
    await nextInterval();
    await answer();
    expect(outcomes).toEqual([['published', 3]]);
    await nextInterval();
    expect(sent).toHaveLength(1);
  });

  it('sends at most 1,000 requests at a time, one portion after the other, each with a bound', async () => {
    const { add, sent, nextInterval, answer } = setUp();
    add(2_500);
    await nextInterval();
    expect(sent).toHaveLength(1);
    await answer();
    await answer();
    await answer();
    expect(sent.map(({ count, timeoutMs }) => [count, timeoutMs])).toEqual([
      [1_000, 2_000],
      [1_000, 2_000],
      [500, 2_000],
    ]);
  });

  it('drops and counts a portion that Kafka does not take, and keeps the rest for the next interval', async () => {
    const { add, nextInterval, answer, fail, outcomes, queue } = setUp();
    add(1_200);
    await nextInterval();
    await fail();
    expect([outcomes, queue.size]).toEqual([[['not_published', 1_000]], 200]);
    await nextInterval();
    await answer();
    expect(outcomes.at(-1)).toEqual(['published', 200]);
  });

  it('ends a run with what was queued at its start, although requests go on', async () => {
    const { add, sent, nextInterval, answer } = setUp();
    add(10);
    await nextInterval();
    add(5);
    await answer();
    expect(sent.map(({ count }) => count)).toEqual([10]);
    await nextInterval();
    expect(sent.map(({ count }) => count)).toEqual([10, 5]);
  });

  it('publishes what is queued when the gateway stops', async () => {
    const { add, log, settle, answer, outcomes } = setUp();
    add(7);
    const stopped = log.stop();
    await settle();
    await answer();
    await stopped;
    expect(outcomes).toEqual([['published', 7]]);
  });

  it('stops within 3 s when Kafka does not answer, and counts what is missing', async () => {
    const { add, log, settle, clock, outcomes } = setUp();
    add(1_500);
    const stopped = log.stop();
    await settle();
    clock.advance(3_001);
    await stopped;
    expect(outcomes).toEqual([['stopped', 500]]);
  });
});
