import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { Billing } from './billing.ts';
import { matchesEntityTag } from './entity-tag.ts';
import { isStale } from './freshness.ts';
import { createRequestDeadline, workLeftMs } from './request-deadline.ts';
import { unitsOf } from './units.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('freshness', () => {
  it('ends when the last scan is older than the plan’s whole days', () => {
    expect(isStale(0, 7, 7 * dayMs)).toBe(false);
    expect(isStale(0, 7, 7 * dayMs + 1)).toBe(true);
  });

  it('of 0 days makes every profile stale', () => {
    expect(isStale(5, 0, 5)).toBe(true);
  });
});

describe('If-None-Match', () => {
  it('matches strong, weak, listed and any tag', () => {
    for (const header of ['"a-1"', 'W/"a-1"', '"x", "a-1"', '*', ' "x" ,W/"a-1" ']) {
      expect(matchesEntityTag(header, '"a-1"'), header).toBe(true);
    }
    for (const header of ['"a-2"', 'a-1', '', '"x"']) expect(matchesEntityTag(header, '"a-1"'), header).toBe(false);
  });
});

describe('the time of a request', () => {
  const units = unitsOf({ lookupCached: 1 });

  it('is 10 s of work on the monotonic clock, whatever wall time does', () => {
    const clock = new ManualClock();
    const deadline = createRequestDeadline(clock);
    clock.setWall(0);
    clock.advance(9_999);
    expect(deadline.timeoutMs()).toBe(1);
    clock.advance(1);
    expect(() => deadline.timeoutMs()).toThrow('time bound');
    expect(() => new Billing().beginCommit(units, deadline)).toThrow('time bound');
  });

  it('gives no more than the share asked for', () => {
    expect(createRequestDeadline(new ManualClock()).timeoutMs(500)).toBe(500);
  });

  it('lets nothing be billed once the request was answered or its caller has left', () => {
    const deadline = createRequestDeadline(new ManualClock());
    const billing = new Billing();
    deadline.cancel();
    expect(() => billing.beginCommit(units, deadline)).toThrow('time bound');
    expect(billing.committing).toBe(false);
  });

  it('goes on after a cancellation for the steps that settle a charge', () => {
    const clock = new ManualClock();
    const deadline = createRequestDeadline(clock);
    clock.advance(4_000);
    deadline.cancel();
    expect(workLeftMs(deadline)).toBe(6_000);
    clock.advance(7_000);
    expect(workLeftMs(deadline)).toBe(0);
  });
});
