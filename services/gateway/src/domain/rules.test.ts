import { ManualClock } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { createBudget } from './budget.ts';
import { matchesEntityTag } from './entity-tag.ts';
import { isStale } from './freshness.ts';

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
  it('is 10 s of work on the monotonic clock, whatever wall time does', () => {
    const clock = new ManualClock();
    const budget = createBudget(clock);
    clock.setWall(0);
    clock.advance(9_999);
    expect(budget.takeMs()).toBe(1);
    clock.advance(1);
    expect(() => budget.takeMs()).toThrow('time bound');
    expect(() => budget.beginCommit()).toThrow('time bound');
  });

  it('gives no more than the share asked for', () => {
    expect(createBudget(new ManualClock()).takeMs(500)).toBe(500);
  });

  it('lets nothing be billed once the request was given up', () => {
    const budget = createBudget(new ManualClock());
    budget.giveUp();
    expect(() => budget.beginCommit()).toThrow('time bound');
    expect(budget.committing).toBe(false);
  });
});
