import { dayMs, hourMs } from '@shopscope/clock';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Claim, claimScans } from '../../src/operations/claim-scans.ts';
import { releaseClaims } from '../../src/operations/release-claims.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

describe('claims', () => {
  const namespace = testNamespace('scans-claims');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });
  const release = (chargeId: string) =>
    releaseClaims(scheduler.deps, { workspaceId: 'ws_a', chargeId, claims: [] }, context);
  const liveJobs = () => scheduler.db.collection('jobs').countDocuments({ holdsPlace: true });

  it('claims by a retry of the same charge return the same job ids, in any state of the jobs', async () => {
    const domains = ['one.example', 'two.example', 'three.example'];
    const claim = () =>
      claimScans(scheduler.deps, { workspaceId: 'ws_a', chargeId: 'chg_1', domains, unit: 'lookup_live' }, context);
    const first = await claim();
    expect(first.map(({ outcome }) => outcome)).toEqual(['claimed', 'claimed', 'claimed']);
    expect(new Set(first.map(({ jobId }) => jobId)).size).toBe(3);

    await scheduler.request('ws_a', 'chg_1', 'one.example');
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    await scheduler.request('ws_a', 'chg_1', 'two.example');
    expect(await scheduler.job('ws_a', first[0]?.jobId ?? '')).toMatchObject({ state: 'succeeded' });
    expect(first.every(({ created }) => created)).toBe(true);
    const again = await claim();
    expect(again.map(({ jobId }) => jobId)).toEqual(first.map(({ jobId }) => jobId));
    expect(again.map(({ outcome }) => outcome)).toEqual(['claimed', 'claimed', 'claimed']);
    expect(again.some(({ created }) => created)).toBe(false);
  });

  it('claims by a reused charge id after 24 hours create a new job, which is the same for its retries', async () => {
    const scan = async () => {
      const claim = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
      await scheduler.requestJob(claim.jobId, 'ws_a', 'chg_1', 'shop.example');
      return claim;
    };
    const first = await scan();
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    const { createdAt } = await scheduler.job('ws_a', first.jobId);
    scheduler.clock.setWall(createdAt.getTime() + dayMs - 1);
    expect(await scan()).toEqual({ ...first, created: false });
    expect(await scheduler.lease(), 'the scan runs once').toBeNull();

    scheduler.clock.setWall(createdAt.getTime() + dayMs);
    const concurrent = await Promise.all([scheduler.claim('ws_a', 'chg_1', 'shop.example'), scan()]);
    const second = concurrent[0];
    expect(second.outcome).toBe('claimed');
    expect(second.jobId).not.toBe(first.jobId);
    expect(concurrent[1]).toMatchObject({ jobId: second.jobId, outcome: 'claimed' });
    expect(await scan()).toMatchObject({ jobId: second.jobId, outcome: 'claimed' });
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    expect(await scheduler.job('ws_a', second.jobId)).toMatchObject({ state: 'succeeded' });
    expect(await scan()).toMatchObject({ jobId: second.jobId, outcome: 'claimed' });

    scheduler.clock.advance(dayMs);
    const third = await scan();
    expect([first.jobId, second.jobId]).not.toContain(third.jobId);
    expect(await scan()).toMatchObject({ jobId: third.jobId, outcome: 'claimed' });
    scheduler.clock.advance(dayMs);
    expect(await scan(), 'the job has not ended').toMatchObject({ jobId: third.jobId, outcome: 'claimed' });
  });

  it.each([
    ['a permanent charge that is repeated after 25 hours finds its first jobs and creates none', true],
    ['a charge of an Idempotency-Key that is repeated after 25 hours creates a job', false],
  ])('%s', async (_, isPermanent) => {
    const charge = { workspaceId: 'ws_a', chargeId: 'chg_1', unit: 'lookup_live', isPermanent } as const;
    const claim = async () => (await claimScans(scheduler.deps, { ...charge, domains: ['shop.example'] }, context))[0];
    const first = await claim();
    await scheduler.requestJob(first?.jobId ?? '', 'ws_a', 'chg_1', 'shop.example');
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    scheduler.clock.advance(25 * hourMs);
    const repeated = await claim();
    expect(repeated).toMatchObject({ outcome: 'claimed', created: !isPermanent });
    expect(repeated?.jobId === first?.jobId).toBe(isPermanent);
    expect(await liveJobs()).toBe(isPermanent ? 0 : 1);
  });

  it('claims by a retry get the same ids again after the claims were released', async () => {
    const { jobId } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
    await release('chg_1');
    await release('chg_1');
    await expect(scheduler.job('ws_a', jobId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await scheduler.claim('ws_a', 'chg_1', 'shop.example')).toMatchObject({ jobId, outcome: 'claimed' });
  });

  it('claims are released without effect on queued jobs of the charge and on claims of other charges', async () => {
    const queued = await scheduler.queue('ws_a', 'chg_1', 'queued.example');
    const other = await scheduler.claim('ws_a', 'chg_2', 'other.example');
    await releaseClaims(scheduler.deps, { workspaceId: 'ws_b', chargeId: 'chg_2', claims: [] }, context);
    await release('chg_1');
    expect(await scheduler.job('ws_a', queued)).toMatchObject({ state: 'queued' });
    expect(await scheduler.job('ws_a', other.jobId)).toMatchObject({ state: 'requested' });
  });

  it('claims of a later execution cannot be released by a suspended earlier execution of the charge', async () => {
    const domains = ['one.example', 'two.example'];
    const claim = () =>
      claimScans(scheduler.deps, { workspaceId: 'ws_a', chargeId: 'chg_1', domains, unit: 'lookup_live' }, context);
    const releaseOf = (claims: readonly Claim[]) =>
      releaseClaims(scheduler.deps, { workspaceId: 'ws_a', chargeId: 'chg_1', claims }, context);
    const earlier = await claim();
    scheduler.clock.advance(15_000);
    const later = await claim();
    expect(later.map(({ created }) => created)).toEqual([false, false]);

    // The scan requests of the later execution are durable and not consumed yet.
    await releaseOf(earlier);
    for (const { jobId } of later) {
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'requested', holdsPlace: true });
    }
    expect(await scheduler.claim('ws_a', 'chg_2', 'one.example')).toMatchObject({ outcome: 'pending' });
    await releaseOf(later.slice(0, 1));
    expect(await liveJobs()).toBe(1);
  });

  it('claims by concurrent calls of one charge create each job once', async () => {
    const calls = Array.from({ length: 8 }, () => scheduler.claim('ws_a', 'chg_1', 'shop.example'));
    expect((await Promise.all(calls)).filter(({ created }) => created)).toHaveLength(1);
  });

  it('claims by another charge are pending while the job is requested, and joined while it is queued or running', async () => {
    const { jobId } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
    expect(await scheduler.claim('ws_a', 'chg_2', 'shop.example')).toMatchObject({ jobId, outcome: 'pending' });
    await scheduler.request('ws_a', 'chg_1', 'shop.example');
    expect(await scheduler.claim('ws_a', 'chg_2', 'shop.example')).toMatchObject({ jobId, outcome: 'joined' });
    const scan = await scheduler.leaseNext();
    expect(await scheduler.claim('ws_a', 'chg_2', 'shop.example')).toMatchObject({ jobId, outcome: 'joined' });
    await scheduler.applyMergeOutcome(scan);
    const next = await scheduler.claim('ws_a', 'chg_2', 'shop.example');
    expect(next.outcome).toBe('claimed');
    expect(next.jobId).not.toBe(jobId);
  });

  it('concurrent claims of one domain by several charges have exactly one winner, and the others are pending', async () => {
    const charges = Array.from({ length: 12 }, (_, n) => `chg_${n}`);
    const claims = await Promise.all(charges.map((charge) => scheduler.claim('ws_a', charge, 'shop.example')));
    const outcomes = claims.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['claimed', ...Array.from({ length: 11 }, () => 'pending')]);
    expect(await liveJobs()).toBe(1);
  });

  it('claims by concurrent calls of the same charge return the same claim', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, () => scheduler.claim('ws_a', 'chg_1', 'shop.example')));
    expect(new Set(claims.map(({ jobId, outcome }) => `${jobId} ${outcome}`)).size).toBe(1);
    expect(claims[0]?.outcome).toBe('claimed');
  });

  it('claims with an unregistrable domain, a repeated domain or a missing charge are refused', async () => {
    const claim = (domains: string[], chargeId = 'chg_1') =>
      claimScans(scheduler.deps, { workspaceId: 'ws_a', chargeId, domains, unit: 'lookup_live' }, context);
    for (const domain of ['10.0.0.1', 'www.shop.example', 'SHOP.example', 'localhost', '']) {
      await expect(claim([domain])).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await expect(claim(['shop.example', 'shop.example'])).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(claim(['shop.example'], '')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await liveJobs()).toBe(0);
  });

  describe('without a scan request', () => {
    beforeEach(() => Object.assign(scheduler.positions, { end: 7n, committed: 3n }));
    const exists = async (jobId: string) =>
      scheduler.job('ws_a', jobId).then(
        () => true,
        () => false,
      );

    it('claims without a scan request are dropped only after a commit up to the end that was read once they were overdue', async () => {
      const { jobId } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
      scheduler.positions.committed = 7n;
      scheduler.clock.advance(policy.claimWaitMs - 1);
      await scheduler.tick();
      await scheduler.tick();
      expect(await exists(jobId)).toBe(true);

      scheduler.clock.advance(1);
      scheduler.positions.end = 12n;
      await scheduler.tick();
      scheduler.positions.committed = 11n;
      await scheduler.tick();
      expect(await exists(jobId)).toBe(true);

      scheduler.positions.end = 20n;
      scheduler.positions.committed = 12n;
      await scheduler.tick();
      expect(await exists(jobId)).toBe(false);
      expect((await scheduler.claim('ws_a', 'chg_2', 'shop.example')).outcome).toBe('claimed');
    });

    it('claims without a scan request are kept while the consumer has committed nothing', async () => {
      const { jobId } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
      scheduler.positions.committed = -1n;
      scheduler.clock.advance(policy.claimWaitMs * 10);
      await scheduler.tick();
      await scheduler.tick();
      expect(await exists(jobId)).toBe(true);
      scheduler.positions.end = 0n;
      await scheduler.claim('ws_a', 'chg_1', 'shop.example');
      scheduler.clock.advance(policy.claimWaitMs);
      await scheduler.tick();
      await scheduler.tick();
      expect(await exists(jobId), 'an empty topic needs no commit').toBe(false);
    });

    it('claims without a scan request are kept for the full time again after their charge repeats them', async () => {
      const { jobId } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
      scheduler.clock.advance(policy.claimWaitMs);
      await scheduler.tick();
      await scheduler.claim('ws_a', 'chg_1', 'shop.example');
      scheduler.positions.committed = 7n;
      await scheduler.tick();
      expect(await exists(jobId)).toBe(true);
    });

    const dropped = async (chargeId: string) => {
      const { jobId } = await scheduler.claim('ws_a', chargeId, 'shop.example');
      scheduler.positions.committed = 7n;
      scheduler.clock.advance(policy.claimWaitMs);
      await scheduler.tick();
      await scheduler.tick();
      expect(await exists(jobId)).toBe(false);
      return jobId;
    };

    it('claims without a scan request become queued when their request arrives after the drop', async () => {
      const jobId = await dropped('chg_1');
      await scheduler.request('ws_a', 'chg_1', 'shop.example');
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', holdsPlace: true });
      await scheduler.applyMergeOutcome(await scheduler.leaseNext());
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
    });

    it('claims without a scan request become followers, and end with the job that holds the domain by then', async () => {
      const late = await dropped('chg_1');
      const holder = await scheduler.queue('ws_a', 'chg_2', 'shop.example');
      await scheduler.request('ws_a', 'chg_1', 'shop.example');
      await scheduler.request('ws_a', 'chg_1', 'shop.example');
      expect(await scheduler.job('ws_a', late)).toMatchObject({ state: 'queued', holdsPlace: false });
      expect(await liveJobs()).toBe(1);

      const scan = await scheduler.leaseNext();
      await scheduler.applyMergeOutcome(scan, 'timeout');
      const ended = { state: 'failed', error: { code: 'timeout' }, finishedAt: new Date(scheduler.clock.now()) };
      expect(await scheduler.job('ws_a', holder)).toMatchObject(ended);
      expect(await scheduler.job('ws_a', late)).toMatchObject(ended);
      expect(await scheduler.lease(), 'one scan was for both jobs').toBeNull();
    });

    it('claims without a scan request become queued and are scanned when another claim that holds the domain is released', async () => {
      const late = await dropped('chg_1');
      await scheduler.claim('ws_a', 'chg_2', 'shop.example');
      await scheduler.request('ws_a', 'chg_1', 'shop.example');
      await release('chg_2');
      await scheduler.applyMergeOutcome(await scheduler.leaseNext());
      expect(await scheduler.job('ws_a', late)).toMatchObject({ state: 'succeeded' });
    });
  });
});
