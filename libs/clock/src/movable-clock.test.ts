import { expect, it } from 'vitest';
import { dayMs } from './durations.ts';
import { ManualClock, MovableClock } from './index.ts';

it('a moved clock changes wall time only, continues with its source, and can be put back', async () => {
  const source = new ManualClock();
  const clock = new MovableClock(source);
  const startMs = clock.now();
  expect(startMs).toBe(source.now());

  clock.setOffset(clock.offsetTo(startMs - 3 * dayMs));
  expect([clock.now(), clock.offsetMs]).toEqual([startMs - 3 * dayMs, -3 * dayMs]);
  source.advance(1_000);
  expect([clock.now(), clock.monotonicMs()]).toEqual([startMs - 3 * dayMs + 1_000, 1_000]);

  const fired: string[] = [];
  clock.after(500, () => fired.push('after'));
  const slept = clock.sleep(500).then(() => fired.push('sleep'));
  clock.setOffset(0);
  expect([clock.now(), fired]).toEqual([startMs + 1_000, []]);
  source.advance(500);
  await slept;
  expect(fired).toEqual(['after', 'sleep']);
});
