import { hourMs, minuteMs } from '@shopscope/clock';
import { isNightly, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig, pacingLimits } from '../../src/config.ts';
import { requestsPerVisit, turnValidMs } from '../../src/domain/pacing.ts';
import type { LeasedScan } from '../../src/operations/lease-scan.ts';
import { maxListAgeMs } from '../../src/operations/opt-outs.ts';
import { unparkScans } from '../../src/operations/unpark-scans.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

const shared = '203.0.113.7';
const victim = { host: 'victim.example', addresses: ['198.51.100.9'] };
const rate = policy.pacing.addressRequestsPerSecond;
const stepMs = 50;
/** Long simulations of mechanisms of which shorter ones run by day. */
const nightly = { tags: ['nightly'] };
/** Idle scanners get a scan at the next poll, as with the default of LEASE_POLL_MS. */
const leasePollMs = 250;

interface Request {
  host: string;
  addresses: string[];
}

describe('pacing', () => {
  const namespace = testNamespace('scans-pacing');
  let schedulers: Scheduler[];
  let scheduler: Scheduler;
  let other: Scheduler;
  beforeAll(async () => {
    const first = await startScheduler(namespace);
    schedulers = [first, await startScheduler(namespace, { databaseClock: first.clock })];
    [scheduler, other] = schedulers as [Scheduler, Scheduler];
  });
  beforeEach(async () => {
    // Also ends the time for which the instances keep the opt-out list.
    advance(60_000);
    await scheduler.reset();
  });
  afterAll(async () => {
    for (const each of schedulers ?? []) await each.stop();
    await namespace.cleanup();
  });

  const advance = (ms: number) => {
    for (const { clock } of schedulers) clock.advance(ms);
  };
  const shop = (n: number) => `shop-${n}.example`;
  const queueShops = (count: number, workspace = 'ws_a', first = 0) => {
    const domains = Array.from({ length: count }, (_, n) => shop(first + n));
    return scheduler.queueAll(workspace, `chg_${workspace}_${first}`, domains);
  };

  const onShared = (host: string, count = 6): Request[] =>
    Array.from({ length: count }, () => ({ host, addresses: [shared] }));
  const release = (by: Scheduler, scan: LeasedScan, reason: string) => by.finish(scan, 'abandoned', reason);

  /**
   * Twenty scanners at two instances. Each visit sends its requests as soon as they are admitted. Returns the times of the requests to
   * each host and address, and of the first lease of each domain.
   */
  async function runScanners(seconds: number, requestsOf: (domain: string) => Request[]) {
    const sent = new Map<string, number[]>();
    const leasedAt = new Map<string, number>();
    const startedMs = scheduler.clock.now();
    const visits = new Set<{ scan: LeasedScan; by: Scheduler; requests: Request[]; freeAtMs: number }>();
    for (let atMs = 0; atMs < seconds * 1_000; atMs += stepMs) {
      for (const by of atMs % leasePollMs === 0 ? schedulers : []) {
        while (visits.size < 20) {
          const scan = await by.lease();
          if (!scan) break;
          if (!leasedAt.has(scan.domain)) leasedAt.set(scan.domain, atMs);
          visits.add({ scan, by, requests: requestsOf(scan.domain), freeAtMs: atMs });
        }
      }
      for (const visit of visits) {
        const { scan, by } = visit;
        while (visits.has(visit) && visit.freeAtMs <= atMs) {
          const [request] = visit.requests;
          const renewal = request && (await by.renew(scan, request));
          if (renewal?.held && renewal.admission === 'wait') {
            visit.freeAtMs = scheduler.clock.now() - startedMs + renewal.waitMs;
            continue;
          }
          if (request && renewal?.held && renewal.admission === 'admitted') {
            visit.requests.shift();
            visit.freeAtMs = scheduler.clock.now() - startedMs + renewal.waitMs + 1;
            for (const target of [request.host, ...request.addresses]) {
              sent.set(target, [...(sent.get(target) ?? []), visit.freeAtMs]);
            }
            continue;
          }
          visits.delete(visit);
          if (!renewal) await by.finish(scan);
          else await release(by, scan, renewal.held ? renewal.admission : 'lost');
        }
      }
      advance(stepMs);
    }
    return { sent, leasedAt };
  }

  /** The maximum number of requests within any second. */
  const mostPerSecond = (times: readonly number[] = []) => {
    const sorted = times.toSorted((a, b) => a - b);
    return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 1_000).length));
  };

  it('pacing gives an address its rate, whatever the number of domains, scanners and instances', async () => {
    const seconds = isNightly ? 30 : 12;
    await queueShops(isNightly ? 50 : 25);
    const { sent } = await runScanners(seconds, (domain) => onShared(domain));
    expect(mostPerSecond(sent.get(shared))).toBeLessThanOrEqual(rate);
    // Each visit that gets a turn sends its six requests.
    expect(sent.get(shared)?.length).toBeGreaterThan(((seconds * rate) / requestsPerVisit) * 6 * 0.8);
  });

  it('pacing charges redirects to their own target: many domains that redirect to one victim give it the rate of one domain', async () => {
    await queueShops(25);
    const redirects = (domain: string) => [
      { host: domain, addresses: [`203.0.113.${10 + Number(/\d+/.exec(domain))}`] },
      ...Array.from({ length: 3 }, () => victim),
    ];
    const { sent } = await runScanners(20, redirects);
    expect(mostPerSecond(sent.get(victim.host))).toBeLessThanOrEqual(policy.pacing.domainRequestsPerSecond);
    const visits = (20 * policy.pacing.domainRequestsPerSecond) / requestsPerVisit;
    expect(sent.get(victim.host)?.length).toBeLessThanOrEqual((visits + 1) * 3);
    expect(sent.get(victim.host)?.length).toBeGreaterThan(visits * 3 * 0.7);
  });

  it('pacing does not let the scans of a saturated address delay others', async () => {
    // More than LeaseScan looks at in one call, and their addresses are known.
    const count = 450;
    const known = Array.from({ length: count }, (_, n) => ({
      _id: shop(n) as never,
      sequence: 1,
      addresses: [shared],
    }));
    await scheduler.db.collection('scan_targets').insertMany(known);
    await queueShops(count);
    const first = await runScanners(3, (domain) => onShared(domain));
    await scheduler.queue('ws_a', 'chg_elsewhere', 'elsewhere.example');
    const { leasedAt, sent } = await runScanners(3, (domain) =>
      domain === 'elsewhere.example' ? [{ host: domain, addresses: ['203.0.113.200'] }] : onShared(domain),
    );
    expect(leasedAt.get('elsewhere.example')).toBeLessThanOrEqual(1_000);
    expect(sent.get('elsewhere.example')).toHaveLength(1);
    const requests = (first.sent.get(shared)?.length ?? 0) + (sent.get(shared)?.length ?? 0);
    expect(requests).toBeLessThanOrEqual(7 * rate);
  });

  it('pacing shares the turns of a saturated address fairly between workspaces', async () => {
    await queueShops(25);
    await runScanners(3, (domain) => onShared(domain));
    await queueShops(1, 'ws_b', 100);
    const { leasedAt, sent } = await runScanners(8, (domain) => onShared(domain));
    // It finds the address at its first request, is parked, and gets the turn after the next.
    expect(leasedAt.get(shop(100))).toBeLessThanOrEqual(1_000);
    expect(sent.get(shop(100))?.length).toBeGreaterThan(0);
  });

  it('pacing gives a job that joins a parked scan the turn of its own workspace', async () => {
    const count = 40;
    const known = Array.from({ length: count }, (_, n) => ({
      _id: shop(n) as never,
      sequence: 1,
      addresses: [shared],
    }));
    await scheduler.db.collection('scan_targets').insertMany(known);
    await queueShops(count);
    await runScanners(3, (domain) => onShared(domain));
    // Scans of other targets were leased meanwhile, so the new jobs have no earlier places than the parked scans.
    await scheduler.deps.queueStarts.raiseVirtualTime(1_000);
    // Only the first of them comes before scans that wait longer.
    await queueShops(3, 'ws_b', 30);
    const { leasedAt } = await runScanners(10, (domain) => onShared(domain));
    expect([30, 31, 32].filter((n) => leasedAt.has(shop(n)))).toEqual([30]);
  });

  it('pacing begins no more visits at the same time than it has turns when scanners return', async () => {
    await queueShops(25);
    await runScanners(3, (domain) => onShared(domain));
    const elsewhere = Array.from({ length: 25 }, (_, n) => `elsewhere-${n}.example`);
    await scheduler.queueAll('ws_b', 'chg_b', elsewhere);
    for (let n = 0; n < 10; n++) {
      await schedulers[n % 2]?.lease();
      advance(5_000);
    }
    const { leasedAt } = await runScanners(3, (domain) => (domain.startsWith('shop') ? onShared(domain) : []));
    const returned = [...leasedAt.keys()].filter((domain) => domain.startsWith('shop'));
    expect(returned.length).toBeLessThanOrEqual(1 + Math.ceil(4 * (rate / requestsPerVisit)));
  });

  it('a parked scan that is leased long after its turn takes another turn', async () => {
    const known = [0, 1].map((n) => ({ _id: shop(n) as never, sequence: 1, addresses: [shared] }));
    await scheduler.db.collection('scan_targets').insertMany(known);
    await queueShops(2);
    expect(await scheduler.lease()).toMatchObject({ domain: shop(0) });
    expect(await scheduler.lease()).toBeNull();
    advance((requestsPerVisit * 1_000) / rate);
    await unparkScans(scheduler.deps);
    advance(turnValidMs + 1);
    expect(await scheduler.lease()).toMatchObject({ domain: shop(1) });
    const target = await scheduler.db.collection('pacing_targets').findOne({ _id: `address:${shared}` as never });
    expect(target?.visits).toBeGreaterThan(scheduler.clock.now());
  });

  it('a scan that was put off is parked without a lost attempt, and gets the next turn', async () => {
    await queueShops(1);
    const job = await scheduler.queue('ws_a', 'chg_put_off', shop(1));
    const [first, second] = [await scheduler.leaseNext(), await scheduler.leaseNext()];
    expect(await scheduler.renew(first, { host: first.domain, addresses: [shared] })).toMatchObject({
      admission: 'admitted',
    });
    expect(await scheduler.renew(second, { host: second.domain, addresses: [shared] })).toMatchObject({
      admission: 'put_off',
    });
    await release(scheduler, second, 'put_off');
    expect(await scheduler.lease()).toBeNull();
    expect(await scheduler.job('ws_a', job)).toMatchObject({ state: 'queued', attempts: 0 });
    advance((requestsPerVisit * 1_000) / rate);
    const again = await other.leaseNext();
    expect(again).toMatchObject({ domain: second.domain, attempts: 1 });
    expect(await other.renew(again, { host: again.domain, addresses: [shared] })).toMatchObject({
      admission: 'admitted',
    });
  });

  /** Asks for an admission until the request does not have to wait. */
  async function ask(by: Scheduler, scan: LeasedScan, request: Request) {
    for (;;) {
      const renewal = await by.renew(scan, request);
      if (!renewal.held) throw new Error('the lease was lost');
      if ('waitMs' in renewal) advance(renewal.waitMs);
      if (renewal.admission !== 'wait') return renewal.admission;
    }
  }

  it('a visit takes further turns for its further requests, at most 40 in a lease, and a longer one ends', async () => {
    const job = await scheduler.queue('ws_a', 'chg_long', shop(0));
    const leased = await scheduler.leaseNext();
    const startedMs = scheduler.clock.now();
    const request = { host: shop(0), addresses: [shared] };
    for (let n = 1; n <= 40; n++) expect(await ask(scheduler, leased, request)).toBe('admitted');
    const targets = scheduler.db.collection<{ _id: string; visits: number }>('pacing_targets', {
      readConcern: { level: 'local' },
    });
    const turn = await targets.findOne({ _id: `address:${shared}` });
    // Four turns, and the first one was up to a second old.
    expect(turn?.visits).toBeGreaterThan(startedMs + ((4 * requestsPerVisit) / rate - 1) * 1_000 - 1);
    expect(await ask(scheduler, leased, request)).toBe('put_off');
    await release(scheduler, leased, 'put_off');
    expect(await scheduler.job('ws_a', job)).toMatchObject({ state: 'failed', error: { code: 'visit_too_long' } });
    expect(await scheduler.scan(leased)).toMatchObject({ state: 'ended', outcome: 'failed' });
  });

  it('a visit without a further turn is put off, and repeated at most twice', async () => {
    const job = await scheduler.queue('ws_a', 'chg_long', shop(0));
    await queueShops(1, 'ws_b', 1);
    /** Another scan waits for the redirect target, while the visit is in progress. */
    const park = (state: string) =>
      scheduler.db
        .collection('scans')
        .updateOne({ domain: shop(1) }, { $set: { state, parkedFor: `domain:${victim.host}` } });
    await park('observed');
    let leases = 0;
    for (; leases < 10 && (await scheduler.job('ws_a', job)).state !== 'failed'; leases++) {
      const leased = await scheduler.leaseNext();
      let sent = 0;
      for (; sent < 50 && (await ask(scheduler, leased, victim)) === 'admitted'; sent++) await park('parked');
      expect(sent).toBe(requestsPerVisit);
      await release(scheduler, leased, 'put_off');
      await park('observed');
    }
    expect(await scheduler.job('ws_a', job)).toMatchObject({ state: 'failed', error: { code: 'visit_too_long' } });
    expect(leases).toBe(3);
  });

  it('a scan that was put off loses no attempt when the report about it fails', async () => {
    await queueShops(1);
    const job = await scheduler.queue('ws_a', 'chg_put_off', shop(1));
    const [first, second] = [await scheduler.leaseNext(), await scheduler.leaseNext()];
    await ask(scheduler, first, { host: first.domain, addresses: [shared] });
    expect(await ask(scheduler, second, { host: second.domain, addresses: [shared] })).toBe('put_off');
    advance(policy.leaseMs + 1_000);
    await scheduler.tick();
    expect(await scheduler.scan(second)).toMatchObject({ state: 'parked', attempts: 0 });
    expect(await scheduler.scan(first)).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(await scheduler.job('ws_a', job)).toMatchObject({ state: 'queued', attempts: 0 });
  });

  const fullQueue =
    'pacing leases each scan of a queue that is always full, even when all are leased long after their turns';
  it(fullQueue, nightly, async () => {
    const count = 5;
    await queueShops(count + 1);
    const leases = new Map<string, number>();
    const admitted = new Set<string>();
    const rounds = 30;
    for (let round = 0; round < rounds; round++) {
      for (let scan = await scheduler.lease(); scan; scan = await scheduler.lease()) {
        leases.set(scan.domain, (leases.get(scan.domain) ?? 0) + 1);
        if ((await ask(scheduler, scan, { host: 'victim.example', addresses: [shared] })) === 'admitted') {
          admitted.add(scan.domain);
          // Its place in the queue is taken.
          await queueShops(1, 'ws_a', count + 1 + round);
        } else await release(scheduler, scan, 'put_off');
      }
      advance(3_000);
      await unparkScans(scheduler.deps);
      advance(turnValidMs + 1);
    }
    for (let n = 0; n <= count; n++) expect(admitted).toContain(shop(n));
    expect(Math.max(...leases.values())).toBeLessThanOrEqual(4);
  });

  it('a scan that claims to be put off, and was not, counts as a lost attempt', async () => {
    await queueShops(1);
    const leased = await scheduler.leaseNext();
    await release(scheduler, leased, 'put_off');
    expect(await scheduler.scan(leased)).toMatchObject({ state: 'waiting', attempts: 1 });
  });

  it('pacing does not depend on the clocks of instances, and a wrong slot ends by itself', async () => {
    await queueShops(2);
    const scans = [await scheduler.leaseNext(), await scheduler.leaseNext()];
    const request = { host: 'victim.example', addresses: ['198.51.100.77'] };
    const ahead = await startScheduler(namespace, { databaseClock: scheduler.clock });
    ahead.clock.advance(scheduler.clock.now() - ahead.clock.now() + 20 * minuteMs);
    try {
      expect(await ahead.renew(scans[0] as LeasedScan, request)).toMatchObject({ admission: 'admitted', waitMs: 0 });
    } finally {
      await ahead.stop();
    }
    advance(5_000);
    expect(await scheduler.renew(scans[1] as LeasedScan, request)).toMatchObject({ admission: 'admitted', waitMs: 0 });
    const wrong = { requests: scheduler.clock.now() + hourMs, visits: scheduler.clock.now() + hourMs };
    await scheduler.db.collection('pacing_targets').updateMany({}, { $set: wrong });
    expect(await scheduler.renew(scans[1] as LeasedScan, request)).toMatchObject({ admission: 'admitted', waitMs: 0 });
  });

  it.each([
    { host: '', addresses: [shared] },
    { host: 'a'.repeat(254), addresses: [shared] },
    { host: shop(0), addresses: [] },
    { host: shop(0), addresses: Array.from({ length: 9 }, (_, n) => `203.0.113.${n}`) },
    { host: shop(0), addresses: ['shop.example'] },
  ])('pacing refuses a request without a host name or with invalid addresses: %j', async (request) => {
    await queueShops(1);
    const leased = await scheduler.leaseNext();
    await expect(scheduler.renew(leased, request)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('pacing gives a platform the limit of its configuration, for all its addresses together', nightly, async () => {
    const env = {
      SHOPSCOPE_ENV: 'test',
      MONGODB_URL: 'mongodb://127.0.0.1',
      KAFKA_BROKERS: '127.0.0.1:9092',
      HOST: '127.0.0.1',
    };
    const platforms = [{ name: 'big', addresses: ['192.0.2.0/24'], requests_per_second: 40 }];
    const pacing = pacingLimits(loadConfig({ ...env, PACING_PLATFORMS: JSON.stringify(platforms) }));
    const before = policy.pacing;
    for (const { deps } of schedulers) deps.policy.pacing = pacing;
    try {
      await queueShops(60);
      const addressOf = (domain: string) => `192.0.2.${Number(/\d+/.exec(domain)) % 5}`;
      const { sent } = await runScanners(10, (domain) =>
        Array.from({ length: requestsPerVisit }, () => ({ host: domain, addresses: [addressOf(domain)] })),
      );
      const all = [0, 1, 2, 3, 4].flatMap((n) => sent.get(`192.0.2.${n}`) ?? []);
      expect(mostPerSecond(all)).toBeLessThanOrEqual(40);
      expect(all.length).toBeGreaterThan(10 * 40 * 0.6);
    } finally {
      for (const { deps } of schedulers) deps.policy.pacing = before;
    }
  });

  describe('opted-out targets', () => {
    const optOut = (subject: string) => scheduler.deps.optOuts.add({ subject, reason: 'asked', actor: 'op' }, context);
    const target = { host: 'www.shop-0.example', addresses: [shared] };

    it('an opted-out target is refused within the age of the list, at each instance, and its jobs end with a reason', async () => {
      const job = await scheduler.queue('ws_a', 'chg_1', shop(0));
      const leased = await other.leaseNext();
      expect(await other.renew(leased, target)).toMatchObject({ admission: 'admitted' });
      await optOut('https://shop-0.example/');
      advance(maxListAgeMs + 1);
      expect(await other.renew(leased, target)).toMatchObject({
        held: true,
        expiresAtMs: expect.any(Number),
        admission: 'opted_out',
      });
      expect(await other.renew(leased)).toMatchObject({ admission: 'opted_out' });
      await release(other, leased, 'opted_out');
      expect(await scheduler.job('ws_a', job)).toMatchObject({ state: 'failed', error: { code: 'opted_out' } });
    });

    it('a queued scan of an opted-out target is ended instead of leased', async () => {
      await optOut('shop-0.example');
      const job = await scheduler.queue('ws_a', 'chg_1', shop(0));
      const elsewhere = await scheduler.queue('ws_a', 'chg_2', shop(1));
      expect(await scheduler.lease()).toMatchObject({ domain: shop(1) });
      expect(await scheduler.job('ws_a', job)).toMatchObject({ state: 'failed', error: { code: 'opted_out' } });
      expect(await scheduler.job('ws_a', elsewhere)).toMatchObject({ state: 'running' });
    });

    it('a visit that is redirected to an opted-out target, or to an address of an opted-out network, ends', async () => {
      await optOut('198.51.100.0/24');
      await queueShops(1);
      const leased = await scheduler.leaseNext();
      expect(await scheduler.renew(leased, target)).toMatchObject({ admission: 'admitted' });
      expect(await scheduler.renew(leased, victim)).toMatchObject({ admission: 'opted_out' });
    });

    it('the removal of an opt-out allows visits again, and the list has both changes', async () => {
      await optOut('shop-0.example');
      expect(await optOut('shop-0.example')).toMatchObject({ created: false });
      await scheduler.deps.optOuts.remove({ subject: 'shop-0.example', actor: 'op2' }, context);
      await queueShops(1);
      expect(await scheduler.lease()).toMatchObject({ domain: shop(0) });
      const list = { withRemoved: false, afterSubject: '', limit: 10 };
      expect(await scheduler.deps.optOuts.list(list, context)).toEqual([]);
      expect(await scheduler.deps.optOuts.list({ ...list, withRemoved: true }, context)).toMatchObject([
        { subject: 'shop-0.example', reason: 'asked', actor: 'op', removedBy: 'op2' },
      ]);
    });

    it.each(['a_b.victim.com', '-x.victim.com', 'www.victim.com.'])(
      'a visit that is redirected to %s ends',
      async (host) => {
        await optOut('victim.com');
        await queueShops(1);
        const leased = await scheduler.leaseNext();
        expect(await scheduler.renew(leased, { host, addresses: [shared] })).toMatchObject({ admission: 'opted_out' });
      },
    );

    it('an opt-out may be of all sites of a private suffix', async () => {
      expect(await optOut('github.io')).toMatchObject({ optOut: { subject: 'github.io' } });
      const job = await scheduler.queue('ws_a', 'chg_1', 'somebody.github.io');
      expect(await scheduler.lease()).toBeNull();
      expect(await scheduler.job('ws_a', job)).toMatchObject({ state: 'failed', error: { code: 'opted_out' } });
    });

    it('an opt-out of a network does not end the scan of a domain that has moved away from it', async () => {
      await scheduler.db
        .collection('scan_targets')
        .insertOne({ _id: shop(0) as never, sequence: 1, addresses: [shared] });
      await optOut(`${shared}/24`);
      await queueShops(1);
      const leased = await scheduler.leaseNext();
      expect(await scheduler.renew(leased, { host: shop(0), addresses: ['198.51.100.1'] })).toMatchObject({
        admission: 'admitted',
      });
      expect(await scheduler.renew(leased, { host: shop(0), addresses: [shared] })).toMatchObject({
        admission: 'opted_out',
      });
    });

    it.each(['', 'com', 'co.uk', 'localhost', '203.0.113.0/33', '::ffff:203.0.113.0/80'])(
      'an opt-out refuses %j as a subject',
      async (subject) => {
        await expect(optOut(subject)).rejects.toMatchObject({
          code: 'invalid_request',
          message: expect.stringContaining('subject'),
        });
      },
    );
  });
});
