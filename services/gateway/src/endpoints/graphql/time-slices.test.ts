import { createDeadline, noDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createTimeSlices, sliceMs } from './time-slices.ts';

/** Computations of steps that take `stepMs` each, and the steps in the order in which they ran. */
function setUp(stepMs: number) {
  const clock = new ManualClock();
  const slices = createTimeSlices({ clock });
  const ran: string[] = [];
  function* computation(name: string, steps: number): Generator<void, string> {
    for (let n = 0; n < steps; n++) {
      ran.push(name);
      clock.advance(stepMs);
      yield;
    }
    return name;
  }
  return { clock, slices, ran, computation };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('computations together run for one slice and one step at most in a turn of the event loop', async () => {
  const { clock, slices, ran, computation } = setUp(sliceMs / 4);
  const results = ['a', 'b', 'c'].map((name) => slices.run(computation(name, 10), noDeadline));
  const turns: number[] = [];
  for (let turn = 0; turn < 8; turn++) {
    const startMs = clock.monotonicMs();
    await nextTurn();
    turns.push(clock.monotonicMs() - startMs);
  }
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
  expect(turns.filter((ms) => ms > sliceMs)).toEqual([]);
  expect(ran).toHaveLength(30);
});

it('computations take turns, and one that begins later waits for one step of each other one', async () => {
  const { slices, ran, computation } = setUp(2 * sliceMs);
  const long = slices.run(computation('long', 100), noDeadline);
  await nextTurn();
  await slices.run(computation('short', 3), noDeadline);
  expect(ran.filter((name) => name === 'long').length).toBeLessThan(10);
  await long;
  expect(ran).toHaveLength(103);
});

it('a computation ends with the error of its deadline or of a step, and the others go on', async () => {
  const { clock, slices, ran, computation } = setUp(sliceMs);
  const left = createDeadline(60_000, { clock });
  const results = Promise.allSettled([
    slices.run(computation('late', 100), createDeadline(5 * sliceMs, { clock })),
    slices.run(computation('left', 100), left),
    slices.run(computation('other', 100), noDeadline),
  ]);
  await nextTurn();
  left.cancel();
  function* failing(): Generator<void, void> {
    yield;
    throw new Error('a step failed');
  }
  await expect(slices.run(failing(), noDeadline)).rejects.toThrow('a step failed');
  expect(await results).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringContaining('took too long') } },
    { status: 'rejected', reason: { code: 'internal' } },
    { status: 'fulfilled', value: 'other' },
  ]);
  expect(ran.length).toBeLessThan(110);
});
