import { ManualClock } from '@shopscope/clock';
import { unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { RequestBilling } from './request-billing.ts';
import { createRequestDeadline, remainingWorkMs } from './request-deadline.ts';

describe('createRequestDeadline', () => {
  const units = unitsOf({ lookupCached: 1 });

  it('the deadline of a request expires after 10 s on the monotonic clock, also when the wall clock changes', () => {
    const clock = new ManualClock();
    const deadline = createRequestDeadline(clock);
    clock.setWall(0);
    clock.advance(9_999);
    expect(deadline.timeoutMs()).toBe(1);
    clock.advance(1);
    expect(() => deadline.timeoutMs()).toThrow('time bound');
    expect(() => new RequestBilling().beginCommit(units, deadline)).toThrow('time bound');
  });

  it('the deadline of a request gives a step no more time than its own limit', () => {
    expect(createRequestDeadline(new ManualClock()).timeoutMs(500)).toBe(500);
  });

  it('the deadline of a request allows no billing after the response was sent or the caller disconnected', () => {
    const deadline = createRequestDeadline(new ManualClock());
    const billing = new RequestBilling();
    deadline.cancel();
    expect(() => billing.beginCommit(units, deadline)).toThrow('time bound');
    expect(billing.mayBeBilled).toBe(false);
  });

  it('the deadline of a request leaves its remaining time to the steps that settle a charge after a cancellation', () => {
    const clock = new ManualClock();
    const deadline = createRequestDeadline(clock);
    clock.advance(4_000);
    deadline.cancel();
    expect(remainingWorkMs(deadline)).toBe(6_000);
    clock.advance(7_000);
    expect(remainingWorkMs(deadline)).toBe(0);
  });
});
