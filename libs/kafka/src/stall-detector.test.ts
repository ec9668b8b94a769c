import { ManualClock } from '@shopscope/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStallDetector, type StallDetector } from './stall-detector.ts';

describe('the stall detector', () => {
  const waiting = new Map([['usage.v1/0', 7]]);
  let clock: ManualClock;
  let stalls: StallDetector;
  beforeEach(() => {
    clock = new ManualClock();
    stalls = createStallDetector({ clock, stallMs: 60_000, groupId: 'metering', concurrency: 1 });
    stalls.joined(['usage.v1/0', 'usage.v1/1']);
  });

  /** Lets `ms` pass with a check every ten seconds. Returns the first stall. */
  const after = (ms: number, lags: ReadonlyMap<string, number>) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 10_000) {
      clock.advance(Math.min(10_000, leftMs));
      const stall = stalls.findStall(lags);
      if (stall || leftMs <= 10_000) return stall;
    }
    return undefined;
  };

  it('a consumer whose events wait for a minute without progress is stalled', () => {
    expect(after(60_000, waiting)).toBeUndefined();
    clock.advance(1);
    expect(stalls.findStall(waiting)?.message).toContain('7 events of usage.v1/0');
  });

  it('one partition without progress is a stall although the others continue', () => {
    const both = new Map([...waiting, ['usage.v1/1', 3]]);
    expect(after(50_000, both)).toBeUndefined();
    stalls.progressed('usage.v1/1');
    expect(after(10_001, both)?.message).toContain('usage.v1/0');
  });

  it('a partition that waits for a busy handler is not stalled, and one whose handler hangs is', () => {
    const both = new Map([...waiting, ['usage.v1/1', 3]]);
    stalls.started('usage.v1/1');
    for (let i = 0; i < 12; i++) {
      stalls.progressed('usage.v1/1');
      expect(after(10_000, both)).toBeUndefined();
    }
    expect(after(60_001, both)?.message).toContain('usage.v1/1');
    stalls.progressed('usage.v1/1');
    stalls.ended('usage.v1/1');
    stalls.started('usage.v1/0');
    expect(after(70_000, both)?.message).toContain('usage.v1/0');
  });

  it('a consumer that fails and retries is not stalled', () => {
    for (let i = 0; i < 10; i++) {
      clock.advance(30_000);
      stalls.progressed('usage.v1/0');
      expect(stalls.findStall(waiting)).toBeUndefined();
    }
  });

  it('the partitions of another member cause no stall', () => {
    stalls.joined(['usage.v1/1']);
    expect(after(600_000, waiting)).toBeUndefined();
  });

  it('the stall timer starts at the first event, and again when the broker is back', () => {
    expect(after(600_000, new Map())).toBeUndefined();
    expect(after(59_000, waiting)).toBeUndefined();
    stalls.brokerUnavailable();
    expect(after(59_000, waiting)).toBeUndefined();
    expect(after(1_001, waiting)).toBeDefined();
  });

  it('a process that was suspended for more than a minute is stalled only after another minute', () => {
    clock.advance(70_000);
    expect(stalls.findStall(waiting)).toBeUndefined();
    expect(after(60_000, waiting)).toBeUndefined();
    clock.advance(1);
    expect(stalls.findStall(waiting)).toBeDefined();
  });

  it('a process that was suspended outside its group is not stalled', () => {
    stalls.left();
    clock.advance(70_000);
    expect(stalls.findStall(new Map())).toBeUndefined();
  });

  it('a consumer that stays outside its group while the broker answers is stalled', () => {
    stalls.left();
    expect(after(60_001, new Map())?.message).toContain('not joined');
  });
});
