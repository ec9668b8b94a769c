import { dayMs, hourMs, minuteMs } from '@shopscope/clock';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { maxBackgroundInterruptions } from '../../src/domain/background.ts';
import type { Scan } from '../../src/domain/scan.ts';
import { policy, type Scheduler, startScheduler } from './scheduler.ts';

const afterMs = 10 * dayMs;

describe('background refresh', () => {
  const namespace = testNamespace('scans-refresh');
  let scheduler: Scheduler;
  let other: Scheduler;
  beforeAll(async () => {
    [scheduler, other] = await Promise.all([startScheduler(namespace), startScheduler(namespace)]);
  });
  beforeEach(async () => {
    await scheduler.reset();
    for (const { deps } of [scheduler, other]) deps.policy = { ...policy, refresh: { afterMs, perDay: 1_000 } };
  });
  afterAll(async () => {
    await scheduler?.stop();
    await other?.stop();
    await namespace.cleanup();
  });

  const targets = () => scheduler.db.collection<{ _id: string; freshSince: Date }>('scan_targets');
  const at = (ageMs: number) => new Date(scheduler.clock.now() - ageMs);
  const insertTargets = (domains: readonly string[], ageMs: number) =>
    targets().insertMany(domains.map((domain) => ({ _id: domain, sequence: 1, freshSince: at(ageMs) })));
  const scans = () => scheduler.db.collection('scans').find().sort({ createdAt: 1, domain: 1 }).toArray();
  const domainsOf = (count: number) => Array.from({ length: count }, (_, n) => `stale-${n}.example`);
  const metric = async (name: string): Promise<string> =>
    (await scheduler.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(name))
      .join('\n');
  /** Moves both clocks. */
  const advance = (ms: number) => {
    for (const { clock } of [scheduler, other]) clock.advance(ms);
  };
  const carryOut = async (rejectedBecause: string | null = null): Promise<Scan> => {
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    await scheduler.applyMergeOutcome(scan, rejectedBecause);
    return scan;
  };

  it('the background refresh is off by default', async () => {
    scheduler.deps.policy = policy;
    await insertTargets(['shop.example'], 10 * afterMs);
    await scheduler.tick();
    expect(await scans()).toEqual([]);
  });

  it('the background refresh scans a stale profile once, without a job, and again when it is stale again', async () => {
    await insertTargets(['stale.example'], afterMs);
    await insertTargets(['fresh.example'], afterMs - hourMs);
    await scheduler.tick();
    await scheduler.tick();
    expect((await scans()).map(({ domain, state }) => [domain, state])).toEqual([['stale.example', 'ready']]);
    expect(await scheduler.db.collection('jobs').countDocuments()).toBe(0);
    const stale = await carryOut();
    expect(await scheduler.scan(stale)).toMatchObject({ state: 'ended', outcome: 'succeeded' });
    await targets().deleteOne({ _id: 'fresh.example' });
    advance(afterMs - hourMs);
    await scheduler.tick();
    expect(await scans()).toHaveLength(1);
    advance(2 * hourMs);
    await scheduler.tick();
    expect(await scans()).toHaveLength(2);
  });

  it('the background refresh spends at most its budget in a day, over all instances and restarts, and spread over the day', async () => {
    const refresh = { afterMs, perDay: 24 };
    for (const { deps } of [scheduler, other]) deps.policy = { ...policy, refresh };
    // Midnight, so that the test sees one whole day.
    advance(dayMs - (scheduler.clock.now() % dayMs));
    await insertTargets(domainsOf(100), afterMs + 5 * dayMs);
    const perHour: number[] = [];
    for (let hour = 0; hour < 24; hour++) {
      for (const minute of [0, 20, 40]) {
        const restarted = hour === 12 && minute === 0 ? await startScheduler(namespace) : undefined;
        if (restarted) {
          restarted.clock.advance(scheduler.clock.now() - restarted.clock.now());
          restarted.deps.policy = { ...policy, refresh };
        }
        await Promise.all([scheduler.tick(), other.tick(), restarted?.tick()]);
        await restarted?.stop();
        advance(20 * minuteMs);
      }
      perHour.push((await scans()).length - perHour.reduce((sum, count) => sum + count, 0));
    }
    expect(perHour.reduce((sum, count) => sum + count, 0)).toBe(24);
    expect(Math.max(...perHour)).toBeLessThanOrEqual(2);
    expect(new Set((await scans()).map(({ domain }) => domain)).size).toBe(24);
  });

  it('the background refresh continues with further profiles while its scans wait', async () => {
    scheduler.deps.policy = { ...policy, refresh: { afterMs, perDay: 1_000_000 } };
    await insertTargets(domainsOf(150), afterMs);
    await scheduler.tick();
    expect(await scans()).toHaveLength(100);
    await scheduler.tick();
    expect(await scans()).toHaveLength(150);
  });

  it('the background refresh does not make up for days on which nothing was refreshed', async () => {
    scheduler.deps.policy = { ...policy, refresh: { afterMs, perDay: 24 } };
    await insertTargets(['first.example'], afterMs);
    await scheduler.tick();
    advance(20 * dayMs);
    await targets().deleteMany({});
    await insertTargets(domainsOf(100), afterMs);
    await scheduler.tick();
    expect(await scans()).toHaveLength(2);
  });

  it('the background refresh refreshes the stalest profiles first', async () => {
    scheduler.deps.policy = { ...policy, refresh: { afterMs, perDay: 24 } };
    await insertTargets(['old.example'], 2 * afterMs);
    await insertTargets(['oldest.example'], 3 * afterMs);
    await insertTargets(['older.example'], 2.5 * afterMs);
    await scheduler.tick();
    expect((await scans()).map(({ domain }) => domain)).toEqual(['oldest.example']);
    expect(await metric('scan_refresh_overdue_seconds')).toMatch(new RegExp(` ${(2 * afterMs) / 1_000}$`));
  });

  it('the background refresh doubles its wait after each failure of a domain, up to eightfold, and resets it on success', async () => {
    await insertTargets(['failing.example'], afterMs);
    const waits: number[] = [];
    const outcomes = ['robots_disallowed', 'timeout', 'timeout', 'timeout', 'timeout', null, null];
    for (const outcome of outcomes) {
      const startMs = scheduler.clock.now();
      while ((await scheduler.db.collection('scans').countDocuments({ live: true })) === 0) {
        await scheduler.tick();
        advance(dayMs);
      }
      waits.push(Math.round((scheduler.clock.now() - startMs) / afterMs));
      await carryOut(outcome);
    }
    expect(waits).toEqual([0, 2, 4, 8, 8, 8, 1]);
    expect(await metric('scan_background_scans_total')).toContain('{source="refresh",outcome="failed"');
  });

  it('the background refresh skips a domain whose scan somebody asked for', async () => {
    await insertTargets(['shop.example'], afterMs);
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await scheduler.tick();
    expect(await scans()).toHaveLength(1);
    await carryOut();
    await scheduler.tick();
    expect(await scans()).toHaveLength(1);
  });

  it('the background refresh delays no scan that somebody asks for: those are leased first', async () => {
    await insertTargets(domainsOf(30), afterMs);
    await scheduler.tick();
    expect((await scans()).length).toBeGreaterThan(0);
    await scheduler.queue('ws_a', 'chg_1', 'asked.example');
    await scheduler.queue('ws_a', 'chg_1', 'asked-too.example');
    const order = [await scheduler.lease(), await scheduler.lease(), await scheduler.lease()].map(
      (scan) => scan?.domain,
    );
    expect(order).toEqual(['asked.example', 'asked-too.example', expect.stringMatching(/^stale-/)]);
  });

  it('a waiting background scan is given to a job that asks for the domain, with the priority of the job', async () => {
    scheduler.deps.policy = { ...policy, refresh: { afterMs, perDay: 1_000_000 } };
    await insertTargets(domainsOf(5), afterMs);
    await scheduler.tick();
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'stale-3.example');
    expect(await scans()).toHaveLength(5);
    const first = await carryOut();
    expect(first.domain).toBe('stale-3.example');
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
  });

  it('a running background scan is given to a job that asks for the domain, with its place when the attempt is lost', async () => {
    await insertTargets(['shop.example'], afterMs);
    await scheduler.tick();
    const running = await scheduler.leaseNext();
    const jobId = await scheduler.queue('ws_a', 'chg_1', running.domain);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running' });
    await scheduler.finish(running, 'abandoned', 'scanner_fault');
    expect(await scheduler.scan(running)).toMatchObject({ state: 'waiting', place: { priority: 0, queue: 'ws_a' } });
    await carryOut();
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
  });

  it('the background refresh counts the age of an imported profile that was never visited from its observation', async () => {
    scheduler.deps.policy = { ...policy, refresh: { afterMs, perDay: 1_000_000 } };
    const scanOf = (domain: string) => ({ id: `scan_${domain}`, domain, sequence: 1 }) as Scan;
    await scheduler.applyMergeOutcome(scanOf('old.example'), null, { completedAtMs: at(afterMs).getTime() });
    await scheduler.applyMergeOutcome(scanOf('new.example'), null, { completedAtMs: at(hourMs).getTime() });
    await scheduler.tick();
    expect((await scans()).map(({ domain }) => domain)).toEqual(['old.example']);
  });

  it('the background refresh takes the profile of a domain that was never visited before all others', async () => {
    await insertTargets(['old.example'], afterMs);
    await scheduler.db.collection<{ _id: string }>('scan_targets').insertOne({ _id: 'never-visited.example' });
    scheduler.deps.policy = { ...policy, refresh: { afterMs, perDay: 1_000_000 } };
    await scheduler.tick();
    expect((await scans()).map(({ domain }) => domain)).toEqual(['never-visited.example', 'old.example']);
  });

  it('a background scan that only meets failures of ours is given up, because no time limit of a job ends it', async () => {
    await insertTargets(['shop.example'], afterMs);
    await scheduler.tick();
    for (let attempt = 1; attempt <= maxBackgroundInterruptions; attempt++) {
      const scan = await leaseWithin(hourMs);
      expect(await scheduler.finish(scan, 'abandoned', 'dns_unavailable')).toBe(true);
      const live = await scheduler.db.collection('scans').countDocuments({ live: true });
      expect(live).toBe(attempt < maxBackgroundInterruptions ? 1 : 0);
    }
  });

  async function leaseWithin(ms: number) {
    for (let waited = 0; waited <= ms; waited += 5_000) {
      const scan = await scheduler.lease();
      if (scan) return scan;
      advance(5_000);
    }
    throw new Error('no scan became due');
  }

  it('the background refresh does not count as waiting work that needs more scanners', async () => {
    await insertTargets(['shop.example'], afterMs);
    await scheduler.tick();
    advance(hourMs);
    await scheduler.tick();
    expect(await metric('scan_queue_oldest_seconds')).toMatch(/ 0$/);
    expect(await metric('scan_background_oldest_seconds')).toMatch(/ 3600$/);
    await scheduler.queue('ws_a', 'chg_1', 'asked.example');
    advance(60_000);
    await scheduler.tick();
    expect(await metric('scan_queue_oldest_seconds')).toMatch(/ 60$/);
  });
});
