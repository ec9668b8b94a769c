import { dayMs } from '@shopscope/clock';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queueScans } from '../../src/operations/queue-scans.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

describe("scans of an operator's list", () => {
  const namespace = testNamespace('scans-list');
  let scheduler: Scheduler;
  let other: Scheduler;
  beforeAll(async () => {
    [scheduler, other] = await Promise.all([startScheduler(namespace), startScheduler(namespace)]);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await other?.stop();
    await namespace.cleanup();
  });

  const queue = (domains: readonly string[], skipVisitedSinceMs = 0, at = scheduler) =>
    queueScans(at.deps, { domains, skipVisitedSinceMs }, context);
  const domainsOf = (count: number) => Array.from({ length: count }, (_, n) => `shop-${n}.example`);
  const liveScans = () => scheduler.db.collection('scans').countDocuments({ live: true });

  it("scans of an operator's list are queued once when two operators send the same list at the same time", async () => {
    const domains = domainsOf(250);
    const [first, second] = await Promise.all([queue(domains), queue(domains.toReversed(), 0, other)]);
    const outcomes = domains.map((_, n) => [first[n], second[domains.length - 1 - n]].sort());
    expect(outcomes).toEqual(domains.map(() => ['live', 'queued']));
    expect(await liveScans()).toBe(250);
  });

  it("scans of an operator's list join the scan that a workspace waits for", async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop-1.example');
    expect(await queue(domainsOf(3))).toEqual(['queued', 'live', 'queued']);
    expect((await scheduler.lease())?.domain).toBe('shop-1.example');
  });

  it("scans of an operator's list are not repeated within the pause of visits, nor within the time that the operator names", async () => {
    const startedMs = scheduler.clock.now();
    await queue(['shop.example']);
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    await scheduler.applyMergeOutcome(scan);
    expect(await queue(['shop.example'])).toEqual(['unwanted']);
    scheduler.clock.advance(policy.visitIntervalMs + 1_000);
    expect(await queue(['shop.example'], startedMs)).toEqual(['unwanted']);
    expect(await queue(['shop.example'])).toEqual(['queued']);
  });

  it("scans of an operator's list are tried three times, and then end without a job that waits for them", async () => {
    await queue(['shop.example']);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await liveScans()).toBe(1);
      await scheduler.finish(await scheduler.leaseNext(), 'abandoned', 'scanner_fault');
    }
    expect(await liveScans()).toBe(0);
  });

  it("scans of an operator's list wait for any time, because no job waits for them", async () => {
    await queue(['shop.example']);
    scheduler.clock.advance(10 * policy.jobTimeLimitMs);
    await scheduler.tick();
    expect((await scheduler.lease())?.domain).toBe('shop.example');
  });

  it("scans of an operator's list share the scanners with refreshes in turn", async () => {
    await queue(domainsOf(10));
    const stale = Array.from({ length: 10 }, (_, n) => `stale-${n}.example`);
    const freshSince = new Date(0);
    await scheduler.db
      .collection<{ _id: string; freshSince: Date }>('scan_targets')
      .insertMany(stale.map((domain) => ({ _id: domain, freshSince })));
    scheduler.deps.policy = { ...policy, refresh: { afterMs: dayMs, perDay: 1_000_000 } };
    await scheduler.tick();
    scheduler.deps.policy = policy;
    const leased: string[] = [];
    for (let n = 0; n < 10; n++) leased.push((await scheduler.lease())?.domain ?? '');
    expect(leased.filter((domain) => domain.startsWith('stale-'))).toHaveLength(5);
  });

  it("scans of an operator's list are refused as a whole when a name is not a registrable domain or stands there twice", async () => {
    await expect(queue(['shop.example', 'www.shop.example'])).rejects.toThrow(/domains\[1\]/);
    await expect(queue(['shop.example', 'shop.example'])).rejects.toThrow(/twice/);
    expect(await liveScans()).toBe(0);
  });
});
