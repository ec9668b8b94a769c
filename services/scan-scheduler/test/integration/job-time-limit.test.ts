import { hourMs } from '@shopscope/clock';
import { nightlyUnless, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { policy, type Scheduler, startScheduler } from './scheduler.ts';

describe('time limit of a job', () => {
  const namespace = testNamespace('scans-limit');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });
  const pass = async (ms: number) => {
    scheduler.clock.advance(ms);
    await scheduler.tick();
  };
  const ageAtEnd = async (jobId: string, workspaceId = 'ws_a') => {
    const { createdAt, finishedAt } = await scheduler.job(workspaceId, jobId);
    return Number(finishedAt) - createdAt.getTime();
  };

  for (const code of ['dns_unavailable', 'egress_broken']) {
    const title = `the time limit ends a job within an hour when every visit ends as ${code}, with no lost attempt and growing pauses`;
    it(title, { ...nightlyUnless(code === 'egress_broken'), timeout: 60_000 }, async () => {
      const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
      const visits: number[] = [];
      for (let second = 0; second <= hourMs / 1_000; second += 15) {
        const scan = await scheduler.lease();
        if (scan) {
          expect(scan.attempts).toBe(1);
          visits.push(second);
          await scheduler.finish(scan, 'abandoned', code);
          expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 0 });
        }
        await pass(15_000);
        if ((await scheduler.job('ws_a', jobId)).finishedAt) break;
      }
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'failed', attempts: 0, error: { code } });
      expect(await ageAtEnd(jobId)).toBeLessThanOrEqual(hourMs);
      expect(visits).toEqual([0, 15, 45, 105, 225, 465, 945, 1545, 2145, 2745, 3345]);
      expect(await scheduler.db.collection('scans').countDocuments({ live: true })).toBe(0);
      expect((await scheduler.claim('ws_a', 'chg_2', 'shop.example')).outcome, 'the domain is free').toBe('claimed');
    });
  }

  it('the time limit ends a job that no scanner has leased', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await pass(policy.jobTimeLimitMs - 1);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued' });
    await pass(1);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'failed', error: { code: 'expired' } });
    expect(await scheduler.lease()).toBeNull();
  });

  it('the time limit ends a running job, fences its scanner off, and holds visits of the domain until the lease expires', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    scheduler.clock.advance(policy.jobTimeLimitMs - 1);
    const scan = await scheduler.leaseNext();
    await pass(1);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'failed', error: { code: 'expired' } });
    expect(await scheduler.renew(scan)).toMatchObject({ held: false });
    await scheduler.queue('ws_a', 'chg_2', 'shop.example');
    scheduler.clock.advance(policy.leaseMs - 2);
    expect(await scheduler.lease()).toBeNull();
    scheduler.clock.advance(1);
    expect(await scheduler.lease()).toMatchObject({ sequence: scan.sequence + 1 });
  });

  it('the time limit ends each job of a scan at its own time', async () => {
    const first = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await pass(10_000);
    const second = await scheduler.queue('ws_b', 'chg_2', 'shop.example');
    await pass(policy.jobTimeLimitMs - 10_000);
    expect(await scheduler.job('ws_a', first)).toMatchObject({ state: 'failed' });
    expect(await scheduler.job('ws_b', second)).toMatchObject({ state: 'queued' });
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    expect(await scheduler.job('ws_b', second)).toMatchObject({ state: 'succeeded' });
  });

  it('the time limit does not end a job whose observation waits for its merge, however long profiles is unavailable', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    scheduler.positions.observationsEnd = 2n;
    await pass(5 * hourMs);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running' });
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
  });

  it('the time limit ends a job that joined too late for the observation that waits for its merge', async () => {
    const first = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    scheduler.positions.observationsEnd = 2n;
    const late = await scheduler.queue('ws_b', 'chg_2', 'shop.example');
    await pass(policy.jobTimeLimitMs);
    expect(await scheduler.job('ws_a', first)).toMatchObject({ state: 'running' });
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'failed', error: { code: 'expired' } });
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_a', first)).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.db.collection('scans').countDocuments({ live: true })).toBe(0);
  });
});
