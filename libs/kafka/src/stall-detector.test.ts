import { ManualClock } from '@shopscope/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStallDetector, type StallDetector } from './stall-detector.ts';

describe('the stall detector', () => {
  const waiting = new Map([['usage.v1/0', 7]]);
  let clock: ManualClock;
  let stalls: StallDetector;
  beforeEach(() => {
    clock = new ManualClock();
    stalls = createStallDetector({ clock, stallMs: 60_000, groupId: 'metering' });
    stalls.joined(['usage.v1/0', 'usage.v1/1']);
  });

  /** Time in which the consumer is asked about every ten seconds, and what it is told in the end. */
  const after = (ms: number, lags: ReadonlyMap<string, number>) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 10_000) {
      clock.advance(Math.min(10_000, leftMs));
      const stall = stalls.findStall(lags);
      if (stall || leftMs <= 10_000) return stall;
    }
    return undefined;
  };

  it('condemns a consumer whose events wait for a minute untouched', () => {
    expect(after(60_000, waiting)).toBeUndefined();
    clock.advance(1);
    expect(stalls.findStall(waiting)?.message).toContain('7 events of usage.v1/0');
  });

  it('condemns one stuck partition although the others go on', () => {
    const both = new Map([...waiting, ['usage.v1/1', 3]]);
    expect(after(50_000, both)).toBeUndefined();
    stalls.progressed('usage.v1/1');
    expect(after(10_001, both)?.message).toContain('usage.v1/0');
  });

  it('lets live a consumer that fails and tries again', () => {
    for (let i = 0; i < 10; i++) {
      clock.advance(30_000);
      stalls.progressed('usage.v1/0');
      expect(stalls.findStall(waiting)).toBeUndefined();
    }
  });

  it('blames nobody for the partitions of another member', () => {
    stalls.joined(['usage.v1/1']);
    expect(after(600_000, waiting)).toBeUndefined();
  });

  it('starts its minute when the first event comes, and again when the broker comes back', () => {
    expect(after(600_000, new Map())).toBeUndefined();
    expect(after(59_000, waiting)).toBeUndefined();
    stalls.brokerUnavailable();
    expect(after(59_000, waiting)).toBeUndefined();
    expect(after(1_001, waiting)).toBeDefined();
  });

  it('lets live a process that stood still for longer than a minute, and condemns it a minute later', () => {
    clock.advance(70_000);
    expect(stalls.findStall(waiting)).toBeUndefined();
    expect(after(60_000, waiting)).toBeUndefined();
    clock.advance(1);
    expect(stalls.findStall(waiting)).toBeDefined();
  });

  it('lets live a process that stood still outside its group', () => {
    stalls.left();
    clock.advance(70_000);
    expect(stalls.findStall(new Map())).toBeUndefined();
  });

  it('condemns a consumer that stays outside its group while the broker answers', () => {
    stalls.left();
    expect(after(60_001, new Map())?.message).toContain('not joined');
  });
});
