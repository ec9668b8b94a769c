import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { CompletedRequest, RequestsCompleted } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { startRequestLog } from './publish-request-log.ts';
import { createRequestQueue } from './request-queue.ts';

interface Sent {
  events: readonly RequestsCompleted[];
  count: number;
  timeoutMs: number;
  answer(): void;
  fail(error?: Error): void;
}

/** A fake Kafka. The test decides its answers. */
function setUp(maxQueued?: number) {
  const clock = new ManualClock();
  const sent: Sent[] = [];
  const outcomes: [string, number][] = [];
  const errors: unknown[] = [];
  const queue = createRequestQueue({
    clock,
    onDropped: (reason) => void outcomes.push([reason, 1]),
    ...(maxQueued !== undefined && { maxQueued }),
  });
  const countOf = (events: readonly RequestsCompleted[]) => events.reduce((sum, each) => sum + each.requests.length, 0);
  const log = startRequestLog({
    queue,
    publish: (events, timeoutMs) =>
      new Promise((resolve, reject) => {
        sent.push({
          events,
          count: countOf(events),
          timeoutMs,
          answer: resolve,
          fail: (error = new AppError('unavailable', 'The broker does not answer.')) => reject(error),
        });
      }),
    clock,
    onPublished: (count) => void outcomes.push(['published', count]),
    onDropped: (reason, count) => void outcomes.push([reason, count]),
    onError: (error) => void errors.push(error),
  });
  const settle = async () => {
    for (let i = 0; i < 10; i++) await turn();
  };
  return {
    clock,
    queue,
    sent,
    outcomes,
    errors,
    log,
    settle,
    totalOf: (...reasons: string[]) =>
      outcomes.reduce((sum, [reason, count]) => sum + (reasons.includes(reason) ? count : 0), 0),
    add: (count: number) => {
      for (let i = 0; i < count; i++) queue.add(`ws_${i % 2}`, { requestId: `req_${i}` } as CompletedRequest);
    },
    /** Waits longer than an interval, which varies by a tenth. */
    async nextInterval() {
      clock.advance(2_201);
      await settle();
    },
    async answer() {
      sent.at(-1)?.answer();
      await settle();
    },
    async fail(error?: Error) {
      sent.at(-1)?.fail(error);
      await settle();
    },
  };
}

describe('publishing the request log', () => {
  it('the request log publishes what is queued two seconds later, and nothing while nothing is queued', async () => {
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

  it('the request log sends at most 1,000 requests at a time, one portion after the other, each with a bound', async () => {
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

  it('the request log sends a portion that Kafka does not take again, before later requests', async () => {
    const { add, nextInterval, answer, fail, outcomes, sent } = setUp();
    add(1_200);
    await nextInterval();
    await fail();
    add(100);
    await nextInterval();
    expect(sent[1]?.events).toBe(sent[0]?.events);
    await answer();
    await answer();
    expect(outcomes).toEqual([
      ['published', 1_000],
      ['published', 300],
    ]);
  });

  it('the request log uses the whole queue while Kafka takes nothing, and counts exactly what is lost', async () => {
    const { add, nextInterval, answer, fail, outcomes, totalOf, queue } = setUp(2_000);
    add(1_000);
    await nextInterval();
    await fail();
    add(2_500);
    expect([queue.size, outcomes.length, totalOf('queue_full', 'workspace_share')]).toEqual([2_000, 500, 500]);
    for (let interval = 0; interval < 5; interval++) {
      await nextInterval();
      await fail();
    }
    expect([queue.size, outcomes.length]).toEqual([2_000, 500]);
    await nextInterval();
    for (let portion = 0; portion < 3; portion++) await answer();
    expect([totalOf('published'), outcomes.length, queue.size]).toEqual([3_000, 503, 0]);
  });

  it('the request log drops and counts a portion that can never be sent, and continues with the next one', async () => {
    const { add, nextInterval, answer, fail, outcomes, errors } = setUp();
    add(1_200);
    await nextInterval();
    const tooLarge = new AppError('invalid_request', 'An event is too large.');
    await fail(tooLarge);
    await answer();
    expect([outcomes, errors]).toEqual([
      [
        ['not_published', 1_000],
        ['published', 200],
      ],
      [tooLarge],
    ]);
  });

  it('the request log ends a run with what was queued at its start, although requests continue', async () => {
    const { add, sent, nextInterval, answer } = setUp();
    add(10);
    await nextInterval();
    add(5);
    await answer();
    expect(sent.map(({ count }) => count)).toEqual([10]);
    await nextInterval();
    expect(sent.map(({ count }) => count)).toEqual([10, 5]);
  });

  it('the request log publishes what is queued when the gateway stops', async () => {
    const { add, log, settle, answer, outcomes } = setUp();
    add(7);
    const stopped = log.stop();
    await settle();
    await answer();
    await stopped;
    expect(outcomes).toEqual([['published', 7]]);
  });

  it('the request log stops within 3 s when Kafka does not answer, and counts what is missing, once', async () => {
    const { add, log, settle, clock, answer, outcomes } = setUp();
    add(1_500);
    const stopped = log.stop();
    await settle();
    clock.advance(3_001);
    await stopped;
    expect(outcomes).toEqual([['stopped', 1_500]]);
    await answer();
    expect(outcomes).toHaveLength(1);
  });

  it('the request log sends the portion under way once more when it fails at the stop, and counts it when that fails too', async () => {
    const { add, log, settle, nextInterval, fail, sent, outcomes } = setUp();
    add(1_200);
    await nextInterval();
    const stopped = log.stop();
    await fail();
    expect(sent.map(({ count }) => count)).toEqual([1_000, 1_000]);
    await fail();
    await settle();
    await stopped;
    expect(outcomes).toEqual([['stopped', 1_200]]);
  });
});
