import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import type { Share, ShareBounds } from '../domain/share.ts';
import { createRequestQueue, type RequestQueue } from './request-queue.ts';

const clock = () => new ManualClock();
const newQueue = (time: ManualClock, over: Partial<Parameters<typeof createRequestQueue>[0]> = {}) =>
  createRequestQueue({ maxRunning: 2, runningMs: 100, maxWaiting: 100, waitMs: 5_000, clock: time, ...over });
const shareOf = (key: string, bounds: ShareBounds): Share => ({ key, whose: 'your account', bounds });

/** Enters requests and notes in which order they begin. */
function recorder(queue: RequestQueue) {
  const begun: string[] = [];
  const refused: Record<string, unknown> = {};
  return {
    begun,
    refused,
    enter(name: string, turn: string, shares: Share[] = [], cost = 1, isStranger = false) {
      const place = queue.enter({ turn, shares, cost, isStranger });
      place.begun.then(
        () => void begun.push(name),
        (error: { code: string; status: number; details: object }) => {
          refused[name] = { code: error.code, status: error.status, ...error.details };
        },
      );
      return place;
    },
  };
}

const settle = () => new Promise((done) => setImmediate(done));

describe('request queue', () => {
  it('the queue begins no more requests than may run, and the next one when one ends', async () => {
    const { begun, enter } = recorder(newQueue(clock()));
    const [first] = [enter('a1', 'a'), enter('a2', 'a'), enter('a3', 'a')];
    await settle();
    expect(begun).toEqual(['a1', 'a2']);
    first?.leave();
    first?.leave();
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('the queue alternates between turns, whatever number of requests each has waiting', async () => {
    const { begun, enter } = recorder(newQueue(clock(), { maxRunning: 1 }));
    const names = ['greedy1', 'greedy2', 'greedy3', 'greedy4', 'modest1', 'modest2'];
    const places = new Map(names.map((name) => [name, enter(name, name.slice(0, -1))]));
    for (let ended = 0; ended < names.length; ended++) {
      await settle();
      places.get(begun.at(-1) ?? '')?.leave();
    }
    expect(begun).toEqual(['greedy1', 'greedy2', 'modest1', 'greedy3', 'modest2', 'greedy4']);
  });

  it('the queue keeps places for people who are known, whatever number of addresses strangers have', async () => {
    const { begun, enter } = recorder(newQueue(clock(), { maxRunning: 3, maxStrangersRunning: 2 }));
    const stranger = (n: number) => enter(`stranger${n}`, `address ${n}`, [], 1, true);
    for (let n = 0; n < 20; n++) stranger(n);
    await settle();
    expect(begun).toEqual(['stranger0', 'stranger1']);
    enter('known', 'person a');
    await settle();
    expect(begun.slice(2)).toEqual(['known']);
  });

  it('the queue begins strangers and others alternately, and counts those who wait apart', async () => {
    const { begun, refused, enter } = recorder(newQueue(clock(), { maxRunning: 1, maxWaiting: 3 }));
    const places = new Map<string, ReturnType<typeof enter>>();
    for (const n of [1, 2, 3, 4, 5]) places.set(`s${n}`, enter(`s${n}`, `address ${n}`, [], 1, true));
    for (const n of [1, 2, 3]) places.set(`k${n}`, enter(`k${n}`, `person ${n}`));
    for (let ended = 0; ended < 7; ended++) {
      await settle();
      places.get(begun.at(-1) ?? '')?.leave();
    }
    expect(begun).toEqual(['s1', 'k1', 's2', 'k2', 's3', 'k3', 's4']);
    expect(Object.keys(refused)).toEqual(['s5']);
  });

  it('the queue begins some requests in a turn of the event loop, so that pages which have read something continue between', async () => {
    const options = { maxRunning: 9, perTurn: { known: 2, strangers: 1 } };
    const { begun, enter } = recorder(newQueue(clock(), options));
    for (const name of ['k1', 'k2', 'k3']) enter(name, name);
    for (const name of ['s1', 's2']) enter(name, name, [], 1, true);
    await Promise.resolve();
    expect(begun).toEqual(['k1', 'k2', 's1']);
    await settle();
    expect(begun.toSorted()).toEqual(['k1', 'k2', 'k3', 's1', 's2']);
  });

  it('the queue begins no further request while the thread is busy with those that run, for a bounded time', async () => {
    const time = clock();
    let isBusy = true;
    const options = { maxRunning: 1, busyRunningMs: 1_000, isBusy: () => isBusy };
    const { begun, enter } = recorder(newQueue(time, options));
    for (const name of ['a', 'b', 'c']) enter(name, name);
    const passMs = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) time.advance(100);
      await settle();
    };
    await passMs(900);
    expect(begun).toEqual(['a']);
    await passMs(100);
    expect(begun).toEqual(['a', 'b']);
    isBusy = false;
    await passMs(100);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('the queue counts a request that waits for another service as running for a bounded time only', async () => {
    const time = clock();
    const { begun, enter } = recorder(newQueue(time, { maxRunning: 1 }));
    enter('hangs', 'a');
    enter('next', 'b');
    await settle();
    time.advance(99);
    await settle();
    expect(begun).toEqual(['hangs']);
    time.advance(1);
    await settle();
    expect(begun).toEqual(['hangs', 'next']);
  });

  it('the queue begins the requests of a share at its rate, after a burst of as many as it may save up', async () => {
    const time = clock();
    const { begun, enter } = recorder(newQueue(time, { maxRunning: 100 }));
    const share = shareOf('person', { perSecond: 5, burst: 3 });
    for (let n = 1; n <= 6; n++) enter(String(n), 'a', [share]);
    await settle();
    expect(begun).toHaveLength(3);
    for (const expected of [3, 4, 4, 5, 5, 6]) {
      time.advance(100);
      await settle();
      // A request begins every 200 ms.
      expect(begun.length).toBeGreaterThanOrEqual(expected);
      expect(begun.length).toBeLessThanOrEqual(expected + 1);
    }
    time.advance(60_000);
    for (let n = 7; n <= 12; n++) enter(String(n), 'a', [share]);
    await settle();
    expect(begun).toHaveLength(9);
  });

  it('the queue passes over requests of a turn whose own share has no room', async () => {
    const { begun, enter } = recorder(newQueue(clock(), { maxRunning: 100 }));
    const busy = shareOf('busy colleague', { atOnce: 1 });
    enter('busy1', 'workspace', [busy]);
    enter('busy2', 'workspace', [busy]);
    enter('colleague', 'workspace', [shareOf('colleague', { atOnce: 1 })]);
    await settle();
    expect(begun).toEqual(['busy1', 'colleague']);
  });

  it('the queue takes more of a rate for a request that costs more', async () => {
    const time = clock();
    const { begun, enter } = recorder(newQueue(time, { maxRunning: 100 }));
    const share = shareOf('person', { perSecond: 1, burst: 5 });
    enter('large', 'a', [share], 5);
    enter('small', 'a', [share]);
    await settle();
    expect(begun).toEqual(['large']);
    time.advance(1_000);
    await settle();
    expect(begun).toEqual(['large', 'small']);
  });

  it('the queue refuses a request as its own fault when its share has too many waiting, and names the time to wait', async () => {
    const { refused, enter } = recorder(newQueue(clock()));
    const share = shareOf('person', { perSecond: 1, burst: 1, waiting: 3 });
    for (let n = 0; n < 5; n++) enter(String(n), 'a', [share]);
    await settle();
    expect(refused).toEqual({ '4': { code: 'rate_limited', status: 429, retry_after: 4 } });
  });

  it('the queue refuses a request that waits too long: as its own fault, or as that of nobody', async () => {
    const time = clock();
    const { refused, enter } = recorder(newQueue(time, { maxRunning: 1, runningMs: 60_000 }));
    enter('runs', 'a');
    enter('own', 'b', [shareOf('full', { atOnce: 0 })]);
    enter('shared', 'c', [{ key: 'corpus', bounds: { atOnce: 0 } }]);
    enter('nobody', 'd');
    time.advance(4_999);
    await settle();
    expect(refused).toEqual({});
    time.advance(1);
    await settle();
    expect(refused).toMatchObject({
      own: { code: 'concurrency_limited', status: 429 },
      shared: { code: 'unavailable', status: 503 },
      nobody: { code: 'unavailable', status: 503 },
    });
  });

  it('the queue refuses requests beyond those that may wait in all', async () => {
    const { begun, refused, enter } = recorder(newQueue(clock(), { maxWaiting: 3 }));
    for (let n = 0; n < 6; n++) enter(String(n), `turn ${n}`);
    await settle();
    expect(begun).toEqual(['0', '1']);
    expect(refused).toEqual({ '5': { code: 'unavailable', status: 503, retry_after: 2 } });
  });

  it('the queue gives the places of callers who disconnect to others, before and after the beginning', async () => {
    const time = clock();
    const { begun, refused, enter } = recorder(newQueue(time, { maxRunning: 1 }));
    const share = shareOf('person', { atOnce: 1, waiting: 1 });
    const [first, second] = [enter('first', 'a', [share]), enter('second', 'a', [share])];
    second.leave();
    enter('third', 'a', [share]);
    first.leave();
    await settle();
    expect(begun).toEqual(['first', 'third']);
    expect(refused).toEqual({ second: { code: 'unavailable', status: 503 } });
  });

  it('the queue moves a request from one share to others, unless one of these has no room', async () => {
    const queue = newQueue(clock(), { maxRunning: 100 });
    const { begun, enter } = recorder(queue);
    const unknown = shareOf('unknown', { atOnce: 1 });
    const known = shareOf('known', { atOnce: 1 });
    const first = enter('first', 'a', [unknown]);
    first.exchange('unknown', [known]);
    const second = enter('second', 'a', [unknown]);
    await settle();
    expect(begun).toEqual(['first', 'second']);
    expect(() => second.exchange('unknown', [known])).toThrow(
      expect.objectContaining({ code: 'concurrency_limited', status: 429 }),
    );
    first.leave();
    second.leave();
    expect([queue.taken('unknown'), queue.taken('known')]).toEqual([0, 0]);
  });
});
