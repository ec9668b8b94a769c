import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { createVisitTimeLimit } from './visit-time-limit.ts';

it('the time limit of a visit does not run while an examination waits, even when several wait', async () => {
  const clock = new ManualClock();
  const limit = createVisitTimeLimit(1_000, clock);
  clock.advance(400);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const waiting = limit.pausedDuring(() => first.promise);
  clock.advance(5_000);
  const failing = limit.pausedDuring(() => second.promise);
  first.resolve('done');
  expect(await waiting).toBe('done');
  clock.advance(5_000);
  second.reject(new Error('no result'));
  await expect(failing).rejects.toThrow('no result');
  clock.advance(599);
  expect(limit.signal.aborted).toBe(false);
  clock.advance(1);
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

it('a cancelled time limit never aborts', async () => {
  const clock = new ManualClock();
  const limit = createVisitTimeLimit(1_000, clock);
  await limit.pausedDuring(async () => limit.cancel());
  clock.advance(10_000);
  expect(limit.signal.aborted).toBe(false);
});
