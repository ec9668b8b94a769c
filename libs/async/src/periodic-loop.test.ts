import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { startPeriodicLoop } from './periodic-loop.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

interface Options {
  immediate?: boolean;
  pauseMs?: () => number;
  run?: (abort: AbortSignal) => Promise<void> | void;
}

function setUp(options: Options = {}) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  let runs = 0;
  const loop = startPeriodicLoop({
    intervalMs: 1_000,
    immediate: options.immediate ?? false,
    ...(options.pauseMs && { pauseMs: options.pauseMs }),
    clock,
    onError: (error) => errors.push(error),
    run: async (abort) => {
      runs += 1;
      await options.run?.(abort);
    },
  });
  const advance = async (ms: number) => {
    await turn();
    clock.advance(ms);
    await turn();
  };
  return { loop, errors, advance, runs: () => runs };
}

it('runs of a periodic loop come one interval apart, give or take a tenth', async () => {
  const { advance, runs, loop } = setUp();
  await advance(899);
  expect(runs()).toBe(0);
  await advance(202);
  expect(runs()).toBe(1);
  await advance(1_101);
  expect(runs()).toBe(2);
  await loop.stop();
});

it('an immediate periodic loop runs at once', async () => {
  const { runs, loop } = setUp({ immediate: true });
  await turn();
  expect(runs()).toBe(1);
  await loop.stop();
});

it('a failed run of a periodic loop is reported, and the next one comes after the usual interval', async () => {
  const { advance, runs, errors, loop } = setUp({
    run: () => {
      throw new Error('broken');
    },
  });
  await advance(1_101);
  await advance(1_101);
  expect([runs(), errors.length]).toEqual([2, 2]);
  await loop.stop();
});

it('runs of a periodic loop never overlap, however long one takes', async () => {
  const end = Promise.withResolvers<void>();
  const { advance, runs, loop } = setUp({ run: () => end.promise });
  await advance(1_101);
  await advance(10_000);
  expect(runs()).toBe(1);
  end.resolve();
  await loop.stop();
});

it('a wake-up ends the pause of a periodic loop, and one during a run brings one more run', async () => {
  const first = Promise.withResolvers<void>();
  const { runs, loop } = setUp({ immediate: true, run: () => first.promise });
  await turn();
  loop.wake();
  loop.wake();
  first.resolve();
  await turn();
  expect(runs()).toBe(2);
  loop.wake();
  await turn();
  expect(runs()).toBe(3);
  await loop.stop();
});

it('a periodic loop with given pauses waits exactly these pauses', async () => {
  const pauses = [1_000, 0, 300];
  const { advance, runs, loop } = setUp({ immediate: true, pauseMs: () => pauses.shift() ?? 5_000 });
  await advance(999);
  expect(runs()).toBe(1);
  await advance(1);
  expect(runs()).toBe(3);
  await advance(299);
  expect(runs()).toBe(3);
  await advance(1);
  expect(runs()).toBe(4);
  await loop.stop();
});

it('a stop of a periodic loop aborts the current run, waits for its end and starts no other', async () => {
  const end = Promise.withResolvers<void>();
  let aborted = false;
  const { advance, runs, errors, loop } = setUp({
    run: async (abort) => {
      abort.addEventListener('abort', () => {
        aborted = true;
      });
      await end.promise;
      abort.throwIfAborted();
    },
  });
  await advance(1_101);
  let stopped = false;
  const stopping = loop.stop().then(() => {
    stopped = true;
  });
  await turn();
  expect([aborted, stopped]).toEqual([true, false]);
  end.resolve();
  await stopping;
  await advance(5_000);
  expect([runs(), errors.length]).toEqual([1, 0]);
});
