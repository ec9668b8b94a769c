import { ManualClock } from '@shopscope/clock';
import { expect, it } from 'vitest';
import { withTimeout } from './with-timeout.ts';

it('work without an outcome rejects after its limit with the given text', async () => {
  const clock = new ManualClock();
  const waiting = withTimeout(new Promise(() => {}), 500, 'the probe had no answer in 500 ms', clock);
  clock.advance(499);
  expect(await Promise.race([waiting, Promise.resolve('waiting')])).toBe('waiting');
  clock.advance(1);
  await expect(waiting).rejects.toThrow('the probe had no answer in 500 ms');
});

it('work that ends within its limit gives its outcome', async () => {
  expect(await withTimeout(Promise.resolve(1), 500, 'never')).toBe(1);
});
