import { hourMs } from '@shopscope/clock';
import { createPermitVerifier, developmentPublicKeys } from '@shopscope/ids';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { maxAttempts } from '../../src/domain/job.ts';
import { type LeasedScan, undoLease } from '../../src/operations/lease-scan.ts';
import { policy, type Scheduler, startScheduler } from './scheduler.ts';

describe('leases', () => {
  const namespace = testNamespace('scans-leases');
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
  const snapshot = async () =>
    JSON.stringify(
      await Promise.all(
        ['jobs', 'scans', 'scan_targets'].map((name) =>
          scheduler.db.collection(name).find().sort({ _id: 1 }).toArray(),
        ),
      ),
    );
  const expireLease = async () => {
    scheduler.clock.advance(policy.leaseMs);
    await scheduler.tick();
  };

  it('one scan serves the separate jobs of two workspaces', async () => {
    const a = await scheduler.queue('ws_a', 'chg_a', 'shop.example');
    const b = await scheduler.queue('ws_b', 'chg_b', 'shop.example');
    expect(a).not.toBe(b);
    const scan = await scheduler.leaseNext();
    expect(await scheduler.lease()).toBeNull();
    await scheduler.finish(scan);
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_a', a)).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(await scheduler.job('ws_b', b)).toMatchObject({ state: 'succeeded', attempts: 1 });
    await expect(scheduler.job('ws_b', a), "another workspace's job is unknown").rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await scheduler.db.collection('scans').countDocuments({})).toBe(1);
  });

  it('a running scan also serves a job that arrives meanwhile', async () => {
    await scheduler.queue('ws_a', 'chg_a', 'shop.example');
    const scan = await scheduler.leaseNext();
    const late = await scheduler.queue('ws_b', 'chg_b', 'shop.example');
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'running', attempts: 1 });
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'succeeded' });
  });

  it('a lease reads the jobs of its own scan only, however many jobs wait', async () => {
    const serve = async () => {
      const scan = await scheduler.leaseNext();
      await scheduler.renew(scan);
      await scheduler.finish(scan);
      await scheduler.applyMergeOutcome(scan);
      const abandoned = await scheduler.leaseNext();
      await scheduler.finish(abandoned, 'abandoned', 'timeout');
      const canceled = (await scheduler.leaseNext()).domain;
      await scheduler.cancel('ws_a', jobOf.get(canceled) as string);
    };
    const jobOf = new Map<string, string>();
    const fill = async (from: number, to: number) => {
      const domains = Array.from({ length: to - from }, (_, n) => `shop-${from + n}.example`);
      await scheduler.queueAll('ws_a', `chg_${from}`, domains);
      const jobs = await scheduler.db.collection('jobs').find().toArray();
      for (const { _id, domain } of jobs) jobOf.set(domain, String(_id));
    };
    // MongoDB keeps the plans that it chose for a short queue.
    await fill(0, 10);
    for (let n = 0; n < 3; n++) await serve();
    await fill(10, 300);
    const commands = await scheduler.commandsOn('jobs', serve);
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) {
      const { keysExamined = 0, docsExamined = 0 } = command;
      expect([keysExamined <= 20, docsExamined <= 20], JSON.stringify(command)).toEqual([true, true]);
    }
  });

  it('leases exist at most once per domain, with concurrent scanners at two instances', async () => {
    const domains = ['one.example', 'two.example', 'three.example'];
    await Promise.all(
      domains.flatMap((domain) => ['ws_a', 'ws_b'].map((ws) => scheduler.queue(ws, `chg_${ws}`, domain))),
    );
    const calls = Array.from({ length: 24 }, (_, n) => (n % 2 ? scheduler : other).lease(`scanner-${n}`));
    const leases = (await Promise.all(calls)).filter((lease) => lease !== null);
    expect(leases.map(({ domain }) => domain).sort()).toEqual([...domains].sort());
    expect(await scheduler.db.collection('jobs').countDocuments({ state: 'running', attempts: 1 })).toBe(6);
  });

  it('one scan of a domain is leased when concurrent requests queue the domain', async () => {
    const workspaces = Array.from({ length: 10 }, (_, n) => `ws_${n}`);
    await Promise.all(workspaces.map((ws, n) => (n % 2 ? scheduler : other).queue(ws, `chg_${ws}`, 'shop.example')));
    expect(await scheduler.db.collection('scans').countDocuments({})).toBe(1);
    expect(await scheduler.db.collection('jobs').countDocuments({ state: 'queued' })).toBe(10);
  });

  it('a lease is given for the scan that has been due longest', async () => {
    for (const domain of ['first.example', 'second.example', 'third.example']) {
      await scheduler.queue('ws_a', `chg_${domain.split('.', 1)}`, domain);
      scheduler.clock.advance(1);
    }
    const order = [await scheduler.lease(), await scheduler.lease(), await scheduler.lease()];
    expect(order.map((scan) => scan?.domain)).toEqual(['first.example', 'second.example', 'third.example']);
  });

  it('leases keep the visit interval between two visits of a domain', async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = (await scheduler.lease()) as LeasedScan;
    scheduler.clock.advance(5_000);
    await scheduler.finish(scan);
    await scheduler.applyMergeOutcome(scan);
    await scheduler.queue('ws_a', 'chg_2', 'shop.example');
    scheduler.clock.advance(policy.visitIntervalMs - 1);
    expect(await scheduler.lease()).toBeNull();
    scheduler.clock.advance(1);
    expect(await scheduler.lease()).toMatchObject({ domain: 'shop.example', sequence: 2 });
  });

  it('a lease has a permit for scan, domain and sequence that ends 30 s after the lease, and a renewal extends it', async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    const verify = createPermitVerifier(developmentPublicKeys());
    const permitted = { scanId: scan.id, domain: 'shop.example', sequence: 1 };
    const until = (expiresAtMs: number) => ({ principal: 'scan-scheduler', expiresAtMs: expiresAtMs + 30_000 });
    expect(await verify(scan.permit, permitted)).toEqual(until(scan.lease.expiresAt.getTime()));
    expect(await verify(scan.permit, { ...permitted, sequence: 2 })).toEqual({ fault: 'mismatch' });
    scheduler.clock.advance(20_000);
    const renewed = await scheduler.renew(scan);
    if (!renewed.held) throw new Error('the lease was lost');
    expect(renewed.expiresAtMs).toBe(scheduler.clock.now() + policy.leaseMs);
    expect(await verify(renewed.permit, permitted)).toEqual(until(renewed.expiresAtMs));
  });

  it('leases have growing sequences per domain, across attempts and scans', async () => {
    const sequences: number[] = [];
    for (let round = 0; round < 3; round++) {
      await scheduler.queue('ws_a', `chg_${round}`, 'shop.example');
      const lost = await scheduler.leaseNext();
      await expireLease();
      const scan = await scheduler.leaseNext();
      expect(scan.id).toBe(lost.id);
      sequences.push(lost.sequence, scan.sequence);
      await scheduler.applyMergeOutcome(scan);
    }
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('a lost lease returns the work to the queue after a back-off', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const lost = await scheduler.leaseNext();
    scheduler.clock.advance(policy.leaseMs - 1);
    await scheduler.tick();
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running' });
    scheduler.clock.advance(1);
    await scheduler.tick();
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 1, finishedAt: null });
    expect(await scheduler.lease()).toBeNull();
    scheduler.clock.advance(policy.retryBackoffMs);
    const again = await scheduler.lease('scanner-2');
    expect(again).toMatchObject({ id: lost.id, attempts: 2, sequence: lost.sequence + 1 });
    expect(again?.lease.token).not.toBe(lost.lease.token);
  });

  it('a renewed lease is not lost', async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    for (let n = 0; n < 5; n++) {
      scheduler.clock.advance(policy.leaseMs - 1);
      expect(await scheduler.renew(scan)).toMatchObject({
        held: true,
        expiresAtMs: scheduler.clock.now() + policy.leaseMs,
      });
      await scheduler.tick();
    }
    expect(await scheduler.finish(scan)).toBe(true);
  });

  it('a lease that is lost three times fails the job with a reason', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      expect(await scheduler.leaseNext()).toMatchObject({ attempts: attempt });
      await expireLease();
    }
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({
      state: 'failed',
      attempts: 3,
      error: { code: 'lease_lost', message: expect.stringMatching(/interrupted/) },
      finishedAt: new Date(scheduler.clock.now()),
    });
    scheduler.clock.advance(hourMs);
    expect(await scheduler.lease()).toBeNull();
    expect((await scheduler.claim('ws_a', 'chg_2', 'shop.example')).outcome, 'the domain is free').toBe('claimed');
  });

  it('a lost lease is returned once by concurrent instances', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await scheduler.leaseNext();
    scheduler.clock.advance(policy.leaseMs);
    other.clock.setWall(scheduler.clock.now());
    await Promise.all([scheduler.tick(), other.tick(), scheduler.tick(), other.tick()]);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 1 });
    expect(await scheduler.leaseNext()).toMatchObject({ attempts: 2 });
  });

  it('an abandoned lease returns the work, and the third one fails the job with the last reason', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    for (const reason of ['scanner_fault', 'other_fault', 'scanner_fault']) {
      expect(await scheduler.finish(await scheduler.leaseNext(), 'abandoned', reason)).toBe(true);
    }
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({
      state: 'failed',
      attempts: 3,
      error: { code: 'scanner_fault' },
    });
  });

  it('a lease that this system interrupts costs no attempt while the scan is young, and counts afterwards', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const { createdAt } = await scheduler.job('ws_a', jobId);
    let attempts = 0;
    for (let n = 0; n < 60 && (await scheduler.job('ws_a', jobId)).finishedAt === null; n++) {
      const young = scheduler.clock.now() - createdAt.getTime() < policy.interruptionGraceMs;
      const scan = await scheduler.leaseNext();
      expect(scan.attempts).toBe(attempts + 1);
      await scheduler.finish(scan, 'abandoned', n % 2 ? 'publish_failed' : 'scanner_stopping');
      attempts = scheduler.clock.now() - createdAt.getTime() < policy.interruptionGraceMs ? 0 : attempts + 1;
      if (young && attempts === 0)
        expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 0 });
    }
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'failed', attempts: 3 });
  });

  it('a lease that this system interrupts does not fail a young job, also on the last attempt', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    for (const reason of ['scanner_fault', 'scanner_fault', 'scanner_stopping']) {
      await scheduler.finish(await scheduler.leaseNext(), 'abandoned', reason);
    }
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 2 });
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded', attempts: 3 });
  });

  it('a lost lease fences its scanner off: its renewal and finish change nothing', async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const stale = await scheduler.leaseNext();
    await expireLease();
    for (const releaseAgain of [false, true]) {
      if (releaseAgain) await scheduler.leaseNext('scanner-2');
      const before = await snapshot();
      expect(await scheduler.renew(stale)).toEqual({ held: false });
      expect(await scheduler.finish(stale, 'observed')).toBe(false);
      expect(await scheduler.finish(stale, 'abandoned', 'whatever')).toBe(false);
      expect(await snapshot()).toBe(before);
    }
  });

  it('a lease is not held by a call that names another domain', async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = { ...(await scheduler.leaseNext()), domain: 'other.example' };
    const before = await snapshot();
    expect(await scheduler.renew(scan)).toEqual({ held: false });
    expect(await scheduler.finish(scan, 'observed')).toBe(false);
    expect(await scheduler.finish(scan, 'abandoned', 'whatever')).toBe(false);
    expect(await snapshot()).toBe(before);
  });

  it('a lease that is lost on the last attempt fences its scanner off as well', async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    let scan = await scheduler.leaseNext();
    await expireLease();
    scan = await scheduler.leaseNext();
    await expireLease();
    scan = await scheduler.leaseNext();
    await expireLease();
    const before = await snapshot();
    expect(await scheduler.finish(scan, 'observed')).toBe(false);
    expect(await scheduler.renew(scan)).toMatchObject({ held: false });
    expect(await snapshot()).toBe(before);
  });

  it('a lease that its scanner never received costs no attempt', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const unseen = await scheduler.leaseNext();
    await undoLease(scheduler.deps, unseen);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await scheduler.lease()).toMatchObject({ id: unseen.id, attempts: 1, sequence: 2 });
  });

  it('leases are given to late jobs of a failed scan until these have had three attempts', async () => {
    const first = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await scheduler.leaseNext();
    await expireLease();
    await scheduler.leaseNext();
    await expireLease();
    const late = await scheduler.queue('ws_b', 'chg_2', 'shop.example');
    await scheduler.leaseNext();
    await expireLease();
    expect(await scheduler.job('ws_a', first)).toMatchObject({ state: 'failed', attempts: 3 });
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'queued', attempts: 1 });
    await scheduler.leaseNext();
    await expireLease();
    await scheduler.leaseNext();
    await expireLease();
    expect(await scheduler.job('ws_b', late)).toMatchObject({
      state: 'failed',
      attempts: 3,
      error: { code: 'lease_lost' },
    });
  });
});
