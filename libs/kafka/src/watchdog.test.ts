import { ManualClock } from '@shopscope/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWatchdog, type Watchdog } from './watchdog.ts';

describe('the consumer watchdog', () => {
  const waiting = new Map([['usage.v1/0', 7]]);
  let clock: ManualClock;
  let watchdog: Watchdog;
  beforeEach(() => {
    clock = new ManualClock();
    watchdog = createWatchdog({ clock, stallMs: 60_000, groupId: 'metering' });
    watchdog.joined(['usage.v1/0', 'usage.v1/1']);
  });

  it('condemns a consumer whose events wait for a minute untouched', () => {
    clock.advance(60_000);
    expect(watchdog.verdict(waiting)).toBeUndefined();
    clock.advance(1);
    expect(watchdog.verdict(waiting)?.message).toContain('7 events of usage.v1/0');
  });

  it('condemns one stuck partition although the others go on', () => {
    clock.advance(50_000);
    watchdog.worked('usage.v1/1');
    clock.advance(10_001);
    expect(watchdog.verdict(new Map([...waiting, ['usage.v1/1', 3]]))?.message).toContain('usage.v1/0');
  });

  it('lets live a consumer that fails and tries again', () => {
    for (let i = 0; i < 10; i++) {
      clock.advance(30_000);
      watchdog.worked('usage.v1/0');
      expect(watchdog.verdict(waiting)).toBeUndefined();
    }
  });

  it('blames nobody for the partitions of another member', () => {
    watchdog.joined(['usage.v1/1']);
    clock.advance(600_000);
    expect(watchdog.verdict(waiting)).toBeUndefined();
  });

  it('starts its minute when the first event comes, and again when the broker comes back', () => {
    clock.advance(600_000);
    expect(watchdog.verdict(new Map())).toBeUndefined();
    clock.advance(59_000);
    watchdog.brokerAway();
    clock.advance(59_000);
    expect(watchdog.verdict(waiting)).toBeUndefined();
  });

  it('condemns a consumer that stays outside its group while the broker answers', () => {
    watchdog.left();
    clock.advance(60_001);
    expect(watchdog.verdict(new Map())?.message).toContain('not joined');
  });
});
