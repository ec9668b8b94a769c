import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createLookUpSlots } from './look-up-slots.ts';

describe('a look-up that waits for a slot of its address', () => {
  const waitingOne = async () => {
    const clock = new ManualClock();
    const slots = createLookUpSlots();
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun: number[] = [];
    const run = (id: number, timeoutMs: number) =>
      slots.run('203.0.113.9', createDeadline(timeoutMs, { clock }), () => {
        begun.push(id);
        return promise;
      });
    const running = Array.from({ length: 16 }, (_, id) => run(id, 10_000));
    const waiting = [run(16, 1_000), run(17, 10_000)];
    return { clock, slots, begun, resolve, running, waiting };
  };

  it('begins when one has ended, in the order of the calls', async () => {
    const { slots, begun, resolve, running, waiting } = await waitingOne();
    expect(begun).toHaveLength(16);
    resolve();
    await Promise.all([...running, ...waiting]);
    expect(begun.slice(16)).toEqual([16, 17]);
    expect(slots.size).toBe(0);
  });

  it('never begins after its deadline, and its place goes to the next one', async () => {
    const { clock, slots, begun, resolve, running, waiting } = await waitingOne();
    clock.advance(1_000);
    await expect(waiting[0]).rejects.toThrow();
    resolve();
    await Promise.all([...running, waiting[1]]);
    expect(begun.slice(16)).toEqual([17]);
    expect(slots.size).toBe(0);
  });
});
