import { dayMs } from '@shopscope/clock';
import { describe, expect, it } from 'vitest';
import { isStale } from './freshness.ts';

describe('freshness', () => {
  it('a profile is stale when its last scan is older than the plan’s whole days', () => {
    expect(isStale(0, 7, 7 * dayMs)).toBe(false);
    expect(isStale(0, 7, 7 * dayMs + 1)).toBe(true);
  });

  it('a profile is always stale with a freshness of 0 days', () => {
    expect(isStale(5, 0, 5)).toBe(true);
  });
});
