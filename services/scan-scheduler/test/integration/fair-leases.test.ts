import { deriveId } from '@shopscope/ids';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newStart, priorities } from '../../src/domain/fair-order.ts';
import { requestScans } from '../../src/operations/request-scans.ts';
import { policy, type Scheduler, startScheduler } from './scheduler.ts';

const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };

describe('fair leases', () => {
  const namespace = testNamespace('scans-fair');
  let scheduler: Scheduler;
  let other: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
    other = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await other?.stop();
    await namespace.cleanup();
  });

  const domainsOf = (workspace: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${workspace.replace('_', '-')}-${n}.example`);

  async function request(workspaceId: string, domains: readonly string[], at = scheduler): Promise<void> {
    const chargeId = `chg_${workspaceId}`;
    const requests = domains.map((domain) => {
      const jobId = deriveId('job', chargeId, domain);
      return {
        request: { jobId, workspaceId, chargeId, domain, unit: 'lookup_live' as const, requestedAtMs: at.clock.now() },
        origin,
      };
    });
    for (let from = 0; from < requests.length; from += 1_000) {
      await requestScans(at.deps, requests.slice(from, from + 1_000));
    }
  }

  /** One scanner with one scan at a time, each of two seconds, which succeeds. Returns the leased domains in their order. */
  async function scanOneByOne(count: number): Promise<string[]> {
    const domains: string[] = [];
    for (let n = 0; n < count; n++) {
      const scan = await scheduler.lease();
      if (!scan) break;
      domains.push(scan.domain);
      scheduler.clock.advance(2_000);
      await scheduler.finish(scan);
      await scheduler.applyMergeOutcome(scan);
    }
    return domains;
  }

  it('one scan ends within 20 s beside 500 two-second scans of another workspace', async () => {
    await request('ws_big', domainsOf('ws_big', 500));
    await scanOneByOne(3);
    const requestedAtMs = scheduler.clock.now();
    await request('ws_small', ['small.example']);
    const order = await scanOneByOne(10);
    expect(order).toContain('small.example');
    const small = await scheduler.db.collection('jobs').findOne({ workspaceId: 'ws_small' });
    expect(small?.finishedAt.getTime() - requestedAtMs).toBeLessThanOrEqual(20_000);
  }, 120_000);

  const workspaceOf = (domain: string) => `ws_${domain.split('-')[1]}`;
  const countByWorkspace = (order: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const domain of order) counts[workspaceOf(domain)] = (counts[workspaceOf(domain)] ?? 0) + 1;
    return counts;
  };
  const startsOf = async (filter: object) =>
    (await scheduler.db.collection('scans').find(filter).sort({ start: 1 }).toArray()).map(({ start }) => start);

  it('leases do not wait for the turns of scans that ended without a lease', async () => {
    await request('ws_a', domainsOf('ws_a', 60));
    scheduler.clock.advance(policy.jobTimeLimitMs);
    await scheduler.tick();
    expect(await scheduler.lease()).toBeNull();
    await request('ws_b', domainsOf('ws_b', 30));
    await scanOneByOne(3);
    await request('ws_a', ['late.example']);
    expect(await scanOneByOne(2)).toContain('late.example');
  });

  it('leases are given while an abandoned transaction holds a scan that becomes due', async () => {
    await request('ws_a', ['held.example', 'free.example']);
    const held = scheduler.db.collection('scans');
    await held.updateOne({ domain: 'held.example' }, { $set: { state: 'waiting' }, $unset: { start: '' } });
    const session = scheduler.db.client.startSession();
    session.startTransaction();
    await held.updateOne({ domain: 'held.example' }, { $inc: { joins: 1 } }, { session });
    const leased = [await scheduler.lease(), await scheduler.lease()].map((scan) => scan?.domain);
    expect(leased.sort()).toEqual(['free.example', 'held.example']);
    await session.abortTransaction().catch(() => {});
    await session.endSession();
  });

  it('leases are given to each workspace in turn, however many scans wait', async () => {
    await request('ws_a', domainsOf('ws_a', 30));
    await request('ws_b', domainsOf('ws_b', 10));
    await request('ws_c', domainsOf('ws_c', 3));
    expect(countByWorkspace(await scanOneByOne(9))).toEqual({ ws_a: 3, ws_b: 3, ws_c: 3 });
    expect(countByWorkspace(await scanOneByOne(14))).toEqual({ ws_a: 7, ws_b: 7 });
    expect(countByWorkspace(await scanOneByOne(100))).toEqual({ ws_a: 20 });
  });

  it('leases depend neither on earlier use nor on earlier silence of a workspace', async () => {
    await request('ws_a', domainsOf('ws_a', 30));
    await scanOneByOne(20);
    await request('ws_b', domainsOf('ws_b', 10));
    expect(countByWorkspace(await scanOneByOne(10))).toEqual({ ws_a: 5, ws_b: 5 });
    await scanOneByOne(10);
    await request('ws_a', ['again-a.example']);
    await request('ws_c', domainsOf('ws_c', 5));
    expect((await scanOneByOne(3)).includes('again-a.example')).toBe(true);
  });

  it('leases keep the order of requests within a workspace', async () => {
    const domains = domainsOf('ws_a', 12);
    for (const domain of domains) await request('ws_a', [domain]);
    expect(await scanOneByOne(12)).toEqual(domains);
  });

  it('a scan that two workspaces wait for is leased at the better of their places', async () => {
    const domains = domainsOf('ws_a', 30);
    await request('ws_a', domains);
    await scanOneByOne(2);
    const shared = domains[29] as string;
    await request('ws_b', [shared]);
    expect(await scanOneByOne(2)).toContain(shared);
    expect(await scheduler.db.collection('jobs').countDocuments({ domain: shared, state: 'succeeded' })).toBe(2);
  });

  it('a workspace that joins a scan with a better place than its own is not charged for it', async () => {
    await request('ws_a', ['shared-a.example']);
    await request('ws_b', domainsOf('ws_b', 5));
    const before = await scheduler.deps.queueStarts.find(['ws_b']);
    await request('ws_b', ['shared-a.example']);
    expect(await scheduler.deps.queueStarts.find(['ws_b'])).toEqual(before);
    expect(await startsOf({ domain: 'shared-a.example' })).toEqual([0]);
  });

  it('a repeated attempt is leased before the waiting scans of the same workspace', async () => {
    await request('ws_a', domainsOf('ws_a', 50));
    const lost = await scheduler.leaseNext();
    await scanOneByOne(10);
    await scheduler.finish(lost, 'abandoned', 'scanner_fault');
    scheduler.clock.advance(policy.visitIntervalMs);
    expect(await scanOneByOne(2)).toContain(lost.domain);
  });

  it('many repeated attempts that become due at once do not delay another workspace', async () => {
    await request('ws_a', domainsOf('ws_a', 20));
    await request('ws_b', domainsOf('ws_b', 100));
    for (let n = 0; n < 40; n++) await scheduler.finish(await scheduler.leaseNext(), 'abandoned', 'scanner_fault');
    await scanOneByOne(10);
    scheduler.clock.advance(policy.visitIntervalMs);
    await request('ws_c', ['lone-c.example']);
    // Both other workspaces have a waiting and a repeated scan in each round.
    expect(await scanOneByOne(5)).toContain('lone-c.example');
  });

  it('leases are given in turn to workspaces whose scans have no place yet, too', async () => {
    await request('ws_old', domainsOf('ws_old', 16));
    await request('ws_older', domainsOf('ws_older', 5));
    await scheduler.db
      .collection('scans')
      .updateMany({}, { $set: { state: 'waiting' }, $unset: { priority: 1, queue: 1, start: 1 } });
    await request('ws_new', domainsOf('ws_new', 5));
    expect(countByWorkspace(await scanOneByOne(9))).toEqual({ ws_old: 3, ws_older: 3, ws_new: 3 });
    expect(countByWorkspace(await scanOneByOne(100))).toEqual({ ws_old: 13, ws_older: 2, ws_new: 2 });
  });

  it('leases are given only for due scans, even when the clock of another instance is ahead', async () => {
    const domains = domainsOf('ws_a', 13);
    for (const domain of domains) await request('ws_a', [domain]);
    const early = { dueAt: new Date(scheduler.clock.now() + 5_000) };
    const first = domains.slice(0, 10);
    await scheduler.db.collection('scans').updateMany({ domain: { $in: first } }, { $set: early });
    expect(await scanOneByOne(2)).toEqual(domains.slice(10, 12));
    scheduler.clock.advance(1_000);
    expect((await scanOneByOne(20)).sort()).toEqual([...first, ...domains.slice(12)].sort());
  });

  it('background scans are leased after all scans that somebody asked for', async () => {
    const domains = domainsOf('ws_a', 6);
    for (const domain of domains) await request('ws_a', [domain]);
    const background = { priority: priorities.background };
    await scheduler.db.collection('scans').updateMany({ start: { $lt: 3 } }, { $set: background });
    expect(await scanOneByOne(6)).toEqual([...domains.slice(3), ...domains.slice(0, 3)]);
  });

  it('two instances that queue scans of a workspace at the same time give them different starts', async () => {
    const domains = domainsOf('ws_a', 80);
    other.clock.setWall(scheduler.clock.now());
    await Promise.all([
      request('ws_a', domains.slice(0, 40)),
      request('ws_a', domains.slice(40), other),
      request('ws_b', domainsOf('ws_b', 20), other),
    ]);
    expect(await startsOf({ queue: 'ws_a' })).toEqual(domains.map((_, n) => n));
  });

  it('every scan is leased when two instances place and lease at the same time', async () => {
    await request('ws_a', domainsOf('ws_a', 40));
    await request('ws_b', domainsOf('ws_b', 40));
    await scheduler.db.collection('scans').updateMany({}, { $set: { state: 'waiting' }, $unset: { start: 1 } });
    other.clock.setWall(scheduler.clock.now());
    const leased: string[] = [];
    for (let n = 0; n < 20 && leased.length < 80; n++) {
      const leases = [scheduler, other, scheduler, other, scheduler, other].map((at, k) => at.lease(`scanner-${k}`));
      leased.push(...(await Promise.all(leases)).flatMap((scan) => (scan ? [scan.domain] : [])));
    }
    expect(leased.sort()).toEqual([...domainsOf('ws_a', 40), ...domainsOf('ws_b', 40)].sort());
  });

  it('leases take the start that the domain layer says', async () => {
    const { queueStarts } = scheduler.deps;
    for (const virtualTime of [0, 0, 7, 3, 8, 9, 20]) {
      const queue = (await queueStarts.find(['ws_a'])).get('ws_a') ?? { next: 0, nextLate: 0 };
      const expected = newStart(queue, virtualTime);
      expect(await queueStarts.take('ws_a', { count: 1, isIdle: false, virtualTime, at: new Date() }, 5_000)).toBe(
        expected,
      );
    }
  });

  it('a lease examines few documents, also beside thousands of scans that are in background, not due yet or leased', async () => {
    await request('ws_a', ['template-a.example']);
    const document = await scheduler.db.collection('scans').findOne({});
    const later = new Date(scheduler.clock.now() + 600_000);
    const copies = (name: string, count: number, changes: object) =>
      Array.from({ length: count }, (_, n) => ({
        ...document,
        _id: `${name}${n}`,
        domain: `${name}-${n}.example`,
        ...changes,
      }));
    await scheduler.db
      .collection<{ _id: string }>('scans')
      .insertMany([
        ...copies('waiting', 2_000, { state: 'waiting', dueAt: later }),
        ...copies('leased', 500, { state: 'leased' }),
        ...copies('due', 2_000, { start: 5 }),
        ...copies('background', 2_000, { priority: priorities.background, start: 1 }),
      ]);
    await scheduler.db.command({ profile: 2 });
    await scheduler.lease();
    await scheduler.tick();
    await scheduler.db.command({ profile: 0 });
    const profile = await scheduler.db
      .collection('system.profile')
      .find({ op: 'query', ns: /\.scans$/ })
      .toArray();
    await scheduler.db.collection('system.profile').drop();
    const searches = profile.filter(({ command }) => command.hint);
    expect(searches.map(({ command }) => command.hint).sort()).toEqual([
      'due',
      'due',
      'lease-order',
      'oldest-due',
      'oldest-due',
      'parked-turns',
    ]);
    for (const { planSummary, keysExamined, docsExamined, hasSortStage } of searches) {
      expect(planSummary).toMatch(/^IXSCAN/);
      expect(keysExamined).toBeLessThanOrEqual(12);
      expect(docsExamined).toBeLessThanOrEqual(10);
      expect(hasSortStage).toBeUndefined();
    }
  });

  it('fair leases do not change which due scan the metrics call the oldest', async () => {
    await request('ws_a', domainsOf('ws_a', 20));
    scheduler.clock.advance(60_000);
    await request('ws_b', ['late-b.example']);
    await scanOneByOne(3);
    await scheduler.tick();
    expect((await scheduler.deps.metrics.oldestDue.get()).values[0]?.value).toBe(66);
    await scheduler.db
      .collection('scans')
      .updateMany({ queue: 'ws_a' }, { $set: { state: 'waiting' }, $unset: { start: 1 } });
    await scheduler.tick();
    expect((await scheduler.deps.metrics.oldestDue.get()).values[0]?.value).toBe(66);
  });
});
