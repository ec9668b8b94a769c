import { ScanUnit } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelJob } from '../../src/operations/cancel-job.ts';
import { claimScans } from '../../src/operations/claim-scans.ts';
import { releaseClaims } from '../../src/operations/release-claims.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

describe('canceled job', () => {
  const namespace = testNamespace('scans-cancel');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });
  const refundedJobs = async () => (await scheduler.refunds()).map(({ jobId }) => jobId);
  const scansOf = (domain: string) => scheduler.db.collection('scans').find({ domain }).toArray();

  it('a queued job that is canceled gives its unit back once, and its scan ends', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const { createdAt } = await scheduler.job('ws_a', jobId);
    scheduler.clock.advance(5_000);
    const canceled = await scheduler.cancel('ws_a', jobId);
    expect(canceled).toMatchObject({ state: 'canceled', refund: 'given', holdsPlace: false, attempts: 0, error: null });
    expect(canceled.finishedAt).toEqual(new Date(scheduler.clock.now()));
    expect(await scheduler.refunds()).toEqual([
      {
        jobId,
        workspaceId: 'ws_a',
        chargeId: 'chg_1',
        unit: ScanUnit.LOOKUP_LIVE,
        jobCreatedAtMs: createdAt.getTime(),
        canceledAtMs: scheduler.clock.now(),
      },
    ]);
    expect(await scansOf('shop.example')).toMatchObject([{ live: false, state: 'ended', outcome: 'failed' }]);
    expect(await scheduler.lease()).toBeNull();

    scheduler.clock.advance(5_000);
    expect(await scheduler.cancel('ws_a', jobId), 'a second call changes nothing').toEqual(canceled);
    expect(await refundedJobs()).toEqual([jobId]);
  });

  it('a queued job that concurrent calls cancel gives its unit back once', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const calls = await Promise.all(Array.from({ length: 6 }, () => scheduler.cancel('ws_a', jobId)));
    expect(new Set(calls.map(({ state }) => state))).toEqual(new Set(['canceled']));
    expect(await refundedJobs()).toEqual([jobId]);
  });

  it('a canceled job leaves the other jobs of its scan, which continue', async () => {
    const mine = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const other = await scheduler.queue('ws_b', 'chg_2', 'shop.example');
    await scheduler.cancel('ws_a', mine);
    expect(await scheduler.job('ws_b', other)).toMatchObject({ state: 'queued', refund: 'none' });
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    expect(await scheduler.job('ws_b', other)).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.job('ws_a', mine)).toMatchObject({ state: 'canceled' });
    expect(await refundedJobs()).toEqual([mine]);
  });

  it("a canceled running job stays billed: its scanner loses the lease, and the next visit waits for the lease's expiry", async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    expect(await scheduler.cancel('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'none', attempts: 1 });
    expect(await scheduler.refunds()).toEqual([]);
    expect(await scheduler.renew(scan)).toEqual({ held: false });
    expect(await scheduler.finish(scan)).toBe(false);
    const next = await scheduler.queue('ws_a', 'chg_2', 'shop.example');
    expect(await scheduler.lease()).toBeNull();
    scheduler.clock.advance(policy.leaseMs);
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    expect(await scheduler.job('ws_a', next)).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'canceled' });
  });

  const cancelUnneeded = (jobId: string) =>
    cancelJob(scheduler.deps, { workspaceId: 'ws_a', jobId, unlessNeeded: true }, context);

  it('a cancellation that spares needed jobs leaves one that another charge of the workspace has joined', async () => {
    const joined = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    // The job of another workspace waits for the same scan, and joins no job.
    const alone = await scheduler.queue('ws_a', 'chg_1', 'other.example');
    await scheduler.queue('ws_b', 'chg_3', 'other.example');
    expect(await scheduler.claim('ws_a', 'chg_2', 'shop.example')).toMatchObject({ outcome: 'joined', jobId: joined });
    expect(await cancelUnneeded(joined)).toMatchObject({ state: 'queued', refund: 'none' });
    expect(await cancelUnneeded(alone)).toMatchObject({ state: 'canceled', refund: 'given' });
    expect(await scheduler.cancel('ws_a', joined), 'a person cancels it').toMatchObject({ state: 'canceled' });
  });

  it('a charge that would join a job during its cancellation gets a job of its own', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const { claims } = scheduler.deps;
    const canceled: unknown[] = [];
    const deps = {
      ...scheduler.deps,
      claims: {
        ...claims,
        async markJoined(...args: Parameters<typeof claims.markJoined>) {
          canceled.push(await cancelUnneeded(jobId));
          await claims.markJoined(...args);
        },
      },
    };
    const call = { workspaceId: 'ws_a', chargeId: 'chg_2', domains: ['shop.example'], unit: 'lookup_live' } as const;
    const [claim] = await claimScans(deps, call, context);
    expect(canceled).toMatchObject([{ state: 'canceled' }]);
    expect(claim).toMatchObject({ outcome: 'claimed', created: true });
    expect(claim?.jobId).not.toBe(jobId);
  });

  it('a cancellation that spares needed jobs leaves a running one as it is, and cancels a queued one', async () => {
    const running = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    const queued = await scheduler.queue('ws_a', 'chg_2', 'other.example');
    expect(await cancelUnneeded(running)).toMatchObject({ state: 'running', refund: 'none' });
    expect(await cancelUnneeded(queued)).toMatchObject({ state: 'canceled', refund: 'given' });
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_a', running)).toMatchObject({ state: 'succeeded' });
    expect(await refundedJobs()).toEqual([queued]);
  });

  it('a canceled running job leaves the lease and the job of another workspace in its scan', async () => {
    const mine = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const other = await scheduler.queue('ws_b', 'chg_2', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.cancel('ws_a', mine);
    expect(await scheduler.finish(scan)).toBe(true);
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_b', other)).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.job('ws_a', mine)).toMatchObject({ state: 'canceled' });
  });

  it('a canceled job whose observation is durable stays canceled when it is merged', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    expect(await scheduler.cancel('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'none' });
    expect(await scheduler.scan(scan)).toMatchObject({ state: 'observed' });
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.scan(scan)).toMatchObject({ state: 'ended', outcome: 'succeeded' });
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'canceled' });
  });

  it('a job whose attempt was lost is queued again, so its cancellation gives its unit back', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await scheduler.leaseNext();
    scheduler.clock.advance(policy.leaseMs + 1);
    await scheduler.tick();
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 1 });
    expect(await scheduler.cancel('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'given' });
  });

  it('a job that has ended is returned unchanged by a cancellation and stays billed', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    const ended = await scheduler.job('ws_a', jobId);
    expect(await scheduler.cancel('ws_a', jobId)).toEqual(ended);
    expect(await scheduler.refunds()).toEqual([]);
  });

  it('the job of another workspace is not found by a cancellation and stays as it is', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await expect(scheduler.cancel('ws_b', jobId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(scheduler.cancel('ws_a', 'job_unknown')).rejects.toMatchObject({ code: 'not_found' });
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued' });
  });

  it('a canceled job stays canceled and gives its unit back once when its scan request arrives afterwards, also twice', async () => {
    const { jobId } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
    expect(await scheduler.cancel('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'owed', scanId: null });
    expect(await refundedJobs(), 'its charge may be refused').toEqual([]);
    for (let delivery = 0; delivery < 2; delivery++) await scheduler.request('ws_a', 'chg_1', 'shop.example');
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'given' });
    expect(await scansOf('shop.example')).toEqual([]);
    expect(await refundedJobs()).toEqual([jobId]);
    const { jobId: next, outcome } = await scheduler.claim('ws_a', 'chg_2', 'shop.example');
    expect(outcome).toBe('claimed');
    expect(next).not.toBe(jobId);
  });

  it('a canceled job whose call is refused afterwards gives nothing back until a retry of its charge requests it', async () => {
    const { jobId } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
    await scheduler.cancel('ws_a', jobId);
    await releaseClaims(scheduler.deps, { workspaceId: 'ws_a', chargeId: 'chg_1', claims: [] }, context);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'canceled' });
    expect(await refundedJobs()).toEqual([]);
    expect(await scheduler.claim('ws_a', 'chg_1', 'shop.example')).toMatchObject({ jobId, outcome: 'claimed' });
    await scheduler.request('ws_a', 'chg_1', 'shop.example');
    expect(await refundedJobs()).toEqual([jobId]);
  });

  it('a canceled job of an explicit scan gives refresh_requested back', async () => {
    const request = { workspaceId: 'ws_a', chargeId: 'chg_1', domains: ['shop.example'] };
    const [claim] = await claimScans(scheduler.deps, { ...request, unit: 'refresh_requested' }, context);
    await scheduler.request('ws_a', 'chg_1', 'shop.example');
    await scheduler.cancel('ws_a', claim?.jobId ?? '');
    expect(await scheduler.refunds()).toMatchObject([{ jobId: claim?.jobId, unit: ScanUnit.REFRESH_REQUESTED }]);
  });

  it('a cancellation and a lease at the same time have one outcome: running and billed, or canceled and given back', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const domain = `shop-${round}.example`;
      const jobId = await scheduler.queue('ws_a', `chg_${round}`, domain);
      const [canceled, leased] = await Promise.all([scheduler.cancel('ws_a', jobId), scheduler.lease()]);
      const isRefunded = (await refundedJobs()).includes(jobId);
      expect(canceled).toMatchObject({
        state: 'canceled',
        refund: isRefunded ? 'given' : 'none',
        attempts: isRefunded ? 0 : 1,
      });
      if (isRefunded) expect(leased?.domain).not.toBe(domain);
      if (leased) expect(await scheduler.renew(leased)).toEqual({ held: false });
      outcomes.add(isRefunded ? 'refunded' : 'billed');
      expect((await scansOf(domain)).every(({ live }) => !live)).toBe(true);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it('a cancellation and a job that joins the scan at the same time leave no job without a scan', async () => {
    for (let round = 0; round < 8; round++) {
      const domain = `shop-${round}.example`;
      const mine = await scheduler.queue('ws_a', `chg_a${round}`, domain);
      const [, joined] = await Promise.all([
        scheduler.cancel('ws_a', mine),
        scheduler.queue('ws_b', `chg_b${round}`, domain),
      ]);
      const { scanId, state } = await scheduler.job('ws_b', joined);
      expect(state).toBe('queued');
      expect(await scheduler.scan({ id: scanId ?? '', domain })).toMatchObject({ state: 'ready' });
    }
  });
});
