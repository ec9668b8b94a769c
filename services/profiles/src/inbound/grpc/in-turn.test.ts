import { createDeadline, createKeyedSlots } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { inTurn } from './in-turn.ts';

describe('turns of the test tenant', () => {
  it('a call whose deadline ends while it waits is rejected, and its work never begins', async () => {
    const clock = new ManualClock(0);
    const slots = createKeyedSlots({ max: 1 });
    const free = await slots.take('ws_1', (turn) => turn);
    let begun = 0;
    const call = () => inTurn(slots, 'ws_2', createDeadline(1_000, { clock }), async () => ++begun);
    const rejected = expect(call()).rejects.toThrow();
    clock.advance(1_000);
    await rejected;
    free();
    expect(begun).toBe(0);
    expect(await call()).toBe(1);
    expect(slots.size).toBe(0);
  });
});
