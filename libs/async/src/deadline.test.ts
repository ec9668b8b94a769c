import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createDeadline, type Deadline, latestDeadline, noDeadline, sharedDeadline } from './deadline.ts';

const flush = () => new Promise((resolve) => setImmediate(resolve));

it('time limits of steps are whole milliseconds of what is left, at least 1 and at most the step’s own limit', () => {
  const clock = new ManualClock();
  const deadline = createDeadline(10_000, { clock });
  expect(deadline.timeoutMs()).toBe(10_000);
  expect(deadline.timeoutMs(300)).toBe(300);
  clock.advance(9_800.5);
  expect(deadline.timeoutMs(300)).toBe(199);
  clock.advance(199);
  expect(deadline.remainingMs).toBeCloseTo(0.5);
  expect(deadline.timeoutMs()).toBe(1);
});

it('an expired deadline starts no further step, with a retryable `internal` by default', () => {
  const clock = new ManualClock();
  const deadline = createDeadline(100, { clock });
  clock.advance(100);
  expect(deadline.expired).toBe(true);
  expect(deadline.remainingMs).toBe(0);
  expect(() => deadline.timeoutMs()).toThrow(expect.objectContaining({ code: 'internal', retryable: true }));
});

it('a wall clock that jumps does not move a deadline', () => {
  const clock = new ManualClock();
  const deadline = createDeadline(100, { clock });
  clock.setWall(0);
  expect(deadline.timeoutMs()).toBe(100);
});

it('a cancelled deadline starts no further step and names the reason as the cause', () => {
  const deadline = createDeadline(100, { clock: new ManualClock(), error: (cause) => new Error('no', { cause }) });
  deadline.cancel('the caller left');
  deadline.cancel('a second reason');
  expect(deadline.remainingMs).toBe(0);
  expect(() => deadline.timeoutMs()).toThrow(expect.objectContaining({ message: 'no', cause: 'the caller left' }));
});

it('a race rejects at expiry with the deadline’s error, and leaves no timer behind when the work ends first', async () => {
  const clock = new ManualClock();
  const deadline = createDeadline(100, { clock, error: () => new Error('too late') });
  const pending = new Promise<string>(() => {});
  expect(await deadline.race(Promise.resolve('done'))).toBe('done');
  await expect(deadline.race(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const first = deadline.race(pending);
  const second = deadline.race(pending);
  clock.advance(100);
  await expect(first).rejects.toThrow('too late');
  await expect(second).rejects.toThrow('too late');
});

it('work that ends after its deadline rejects nothing a second time', async () => {
  const clock = new ManualClock();
  const deadline = createDeadline(100, { clock });
  const work = Promise.withResolvers<void>();
  const raced = deadline.race(work.promise);
  clock.advance(100);
  await expect(raced).rejects.toMatchObject({ code: 'internal' });
  // An unhandled rejection would fail the run.
  work.reject(new Error('late'));
  await flush();
});

it('a cancellation does not end a race: the outcome of a running step is still needed', async () => {
  const clock = new ManualClock();
  const deadline = createDeadline(100, { clock });
  const work = Promise.withResolvers<string>();
  const raced = deadline.race(work.promise);
  deadline.cancel();
  await flush();
  work.resolve('done');
  expect(await raced).toBe('done');
});

it('a capped deadline ends by its own limit, by its parent’s end and by its parent’s cancellation', () => {
  const clock = new ManualClock();
  const parent = createDeadline(1_000, { clock });
  const short = parent.capped(100);
  const long = parent.capped(5_000);
  expect([short.timeoutMs(), long.timeoutMs()]).toEqual([100, 1_000]);
  clock.advance(100);
  expect([short.expired, long.expired, parent.expired]).toEqual([true, false, false]);
  parent.cancel('the caller left');
  expect(long.expired).toBe(true);
  expect(() => long.timeoutMs()).toThrow(expect.objectContaining({ cause: 'the caller left' }));
});

it('the cancellation of a capped deadline leaves its parent as it is', () => {
  const parent = createDeadline(1_000, { clock: new ManualClock() });
  parent.capped(100).cancel();
  expect(parent.timeoutMs()).toBe(1_000);
});

it('a deadline says whether it was cancelled, itself or by its parent, and expiry is not cancellation', () => {
  const clock = new ManualClock();
  const [parent, other] = [createDeadline(100, { clock }), createDeadline(100, { clock })];
  const child = parent.capped(50);
  expect([parent.cancelled, child.cancelled]).toEqual([false, false]);
  parent.cancel();
  clock.advance(100);
  expect([parent.cancelled, child.cancelled, other.cancelled]).toEqual([true, true, false]);
});

it('shared work ends with the latest deadline of its callers, and is cancelled only when all of them are', () => {
  const clock = new ManualClock();
  const callers = [createDeadline(100, { clock }), createDeadline(200, { clock }), createDeadline(150, { clock })];
  const [first, longest, last] = callers as [Deadline, Deadline, Deadline];
  const shared = sharedDeadline(callers);
  clock.advance(20);
  longest.cancel();
  expect([shared.timeoutMs(), shared.elapsedMs]).toEqual([180, 20]);
  const part = shared.capped(50);
  last.cancel();
  clock.advance(30);
  expect([shared.timeoutMs(), part.timeoutMs(), shared.cancelled]).toEqual([150, 20, false]);
  first.cancel('the last caller left');
  expect([shared.expired, part.expired, shared.cancelled]).toEqual([true, true, true]);
  expect(() => shared.timeoutMs()).toThrow(expect.objectContaining({ code: 'internal' }));
  expect(sharedDeadline([longest])).toBe(longest);
  expect(sharedDeadline([])).toBe(noDeadline);
});

it('the latest of several deadlines is the one that ends last', () => {
  const clock = new ManualClock();
  const [short, long] = [createDeadline(100, { clock }), createDeadline(200, { clock })];
  expect(latestDeadline([short, long])).toBe(long);
  long.cancel();
  expect(latestDeadline([short, long])).toBe(short);
  expect(latestDeadline([])).toBe(noDeadline);
  expect(noDeadline.timeoutMs(50)).toBe(50);
});

it('shared work that is cancelled leaves the deadlines of its callers as they are', () => {
  const clock = new ManualClock();
  const callers = [createDeadline(100, { clock }), createDeadline(200, { clock })];
  const shared = sharedDeadline(callers);
  shared.cancel('the work is over');
  expect(() => shared.timeoutMs()).toThrow(expect.objectContaining({ cause: 'the work is over' }));
  expect(callers.map((caller) => caller.timeoutMs())).toEqual([100, 200]);
});

it('a race of shared work ends with the last caller', async () => {
  const clock = new ManualClock();
  const shared = sharedDeadline([createDeadline(100, { clock }), createDeadline(200, { clock })]);
  const raced = expect(shared.race(new Promise(() => {}))).rejects.toMatchObject({ code: 'internal' });
  clock.advance(199);
  expect(shared.expired).toBe(false);
  clock.advance(1);
  await raced;
});
