import { setImmediate as turn } from 'node:timers/promises';
import { hourMs, ManualClock } from '@shopscope/clock';
import type { KeyActivity } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createKeyActivityCounter } from './key-activity.ts';
import { startKeyActivityReports } from './report-key-activity.ts';

const callerOf = (keyId: string) => ({ workspaceId: 'ws_1', keyId });

/** A fake Kafka. The test decides its answers. */
function setUp(options: { maxReports?: number } = {}) {
  const clock = new ManualClock();
  const counter = createKeyActivityCounter({ clock, onDropped: () => {} });
  const requests: { reports: KeyActivity[]; answer(): void; fail(): void }[] = [];
  const outcomes: [string, number][] = [];
  const loop = startKeyActivityReports({
    counter,
    publish: (reports) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error('the outcome is unknown'));
        requests.push({ reports: structuredClone([...reports]), answer: resolve, fail });
      }),
    processId: 'gateway-1.0a1b2c3d',
    clock,
    onReports: (outcome, reports) => outcomes.push([outcome, reports]),
    onError(error) {
      throw error;
    },
    ...options,
  });
  const settle = async () => {
    for (let i = 0; i < 10; i++) await turn();
  };
  return {
    clock,
    counter,
    requests,
    outcomes,
    loop,
    settle,
    count: (keyId: string, times = 1) => {
      for (let i = 0; i < times; i++) counter.count(callerOf(keyId), 'succeeded', clock.now());
    },
    /** Waits longer than an interval, which varies by a tenth. */
    async nextInterval() {
      clock.advance(16_500);
      await settle();
    },
    async answerLast() {
      requests.at(-1)?.answer();
      await settle();
    },
    async failLast() {
      requests.at(-1)?.fail();
      await settle();
    },
    /** Key, sequence and count of each report, by request. */
    sent: () => requests.map(({ reports }) => reports.map((each) => [each.keyId, each.sequence, each.succeeded])),
  };
}

describe('reports of key activity', () => {
  it('one report per key with new counts is published after 15 s, and none for other keys', async () => {
    const { clock, requests, count, nextInterval, answerLast, settle, outcomes } = setUp();
    count('key_1', 3);
    const usedAtMs = clock.now();
    clock.advance(13_000);
    await settle();
    expect(requests).toHaveLength(0);
    await nextInterval();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.reports).toEqual([
      {
        workspaceId: 'ws_1',
        keyId: 'key_1',
        instanceId: 'gateway-1.0a1b2c3d',
        sequence: 1,
        lastUsedAtMs: usedAtMs,
        hourStartMs: Date.UTC(2026, 0, 15, 12),
        succeeded: 3,
        clientErrors: 0,
        serverErrors: 0,
        limited: 0,
      },
    ]);
    await answerLast();
    await nextInterval();
    expect(requests).toHaveLength(1);
    expect(outcomes).toEqual([['sent', 1]]);
  });

  it('a report whose acknowledgement is lost is repeated unchanged, and new counts go into a later report', async () => {
    const { count, nextInterval, failLast, answerLast, sent, outcomes } = setUp();
    count('key_1', 3);
    await nextInterval();
    count('key_1', 2);
    await failLast();
    count('key_1', 1);
    await nextInterval();
    await failLast();
    await nextInterval();
    await answerLast();
    await answerLast();
    expect(sent()).toEqual([[['key_1', 1, 3]], [['key_1', 1, 3]], [['key_1', 1, 3]], [['key_1', 2, 3]]]);
    expect(outcomes).toEqual([
      ['failed', 1],
      ['failed', 1],
      ['sent', 1],
      ['sent', 1],
    ]);
  });

  it('a second report of a key is never sent before the first is acknowledged, even when the hour has changed', async () => {
    const { clock, count, nextInterval, answerLast, requests } = setUp();
    count('key_1');
    clock.advance(hourMs);
    count('key_1');
    count('key_2');
    await nextInterval();
    const hours = () => requests.map(({ reports }) => reports.map(({ keyId, hourStartMs }) => [keyId, hourStartMs]));
    const noon = Date.UTC(2026, 0, 15, 12);
    const first = [
      ['key_1', noon],
      ['key_2', noon + hourMs],
    ];
    expect(hours()).toEqual([first]);
    await answerLast();
    expect(hours()).toEqual([first, [['key_1', noon + hourMs]]]);
    const sequences = requests.flatMap(({ reports }) => reports.map(({ sequence }) => sequence));
    expect(sequences).toEqual([1, 2, 3]);
  });

  it('a bounded number of reports is sent at a time, and a run ends although requests continue', async () => {
    const { count, nextInterval, answerLast, sent } = setUp({ maxReports: 2 });
    for (const keyId of ['key_1', 'key_2', 'key_3']) count(keyId);
    await nextInterval();
    for (let i = 0; i < 5; i++) {
      count(`later_${i}`);
      await answerLast();
    }
    expect(sent()).toEqual([
      [
        ['key_1', 1, 1],
        ['key_2', 2, 1],
      ],
      [['key_3', 3, 1]],
    ]);
  });

  it('reports of many keys are published in four intervals, the longest waiting first, and all when the counter fills', async () => {
    const { count, nextInterval, answerLast, sent } = setUp();
    const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `key_${from + n}`);
    const firstOf = (request: number) => sent()[request]?.map(([keyId]) => keyId);
    for (const keyId of keys(0, 1_000)) count(keyId);
    await nextInterval();
    expect(firstOf(0)).toEqual(keys(0, 250));
    await answerLast();
    // The published keys have new counts, and wait after the others.
    for (const keyId of keys(0, 250)) count(keyId);
    for (const from of [250, 500, 750]) {
      await nextInterval();
      expect(firstOf(from / 250)).toEqual(keys(from, from + 250));
      await answerLast();
      for (const keyId of keys(from, from + 250)) count(keyId);
    }
    for (const keyId of keys(1_000, 5_000)) count(keyId);
    await nextInterval();
    while (sent().length < 9) await answerLast();
    expect(
      sent()
        .slice(4)
        .map((reports) => reports.length),
    ).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  });

  it('the last report of key activity has everything that was counted until the stop', async () => {
    const { count, loop, settle, answerLast, sent } = setUp();
    count('key_1', 2);
    const stopped = loop.stop();
    await settle();
    await answerLast();
    await stopped;
    expect(sent()).toEqual([[['key_1', 1, 2]]]);
  });

  it('reports of key activity delay a stop by 3 s at most when Kafka does not respond', async () => {
    const { clock, count, loop, settle } = setUp();
    count('key_1');
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await settle();
    clock.advance(2_999);
    await settle();
    expect(isStopped).toBe(false);
    clock.advance(1);
    await stopped;
  });
});
