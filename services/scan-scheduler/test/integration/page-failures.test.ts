import { dayMs } from '@shopscope/clock';
import { jobErrors } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getScanTarget } from '../../src/operations/get-scan-target.ts';
import { queueScans } from '../../src/operations/queue-scans.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

const domain = 'walled.example';

describe('page failures', () => {
  const namespace = testNamespace('scans-page-failures');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(async () => {
    await scheduler.reset();
    scheduler.deps.policy = policy;
  });
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  let charges = 0;
  /** Runs a scan that a workspace requests. Returns its job. */
  const scanned = async (rejectedBecause: string | null) => {
    const jobId = await scheduler.queue('ws_a', `chg_${++charges}`, domain);
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    await scheduler.applyMergeOutcome(scan, rejectedBecause);
    scheduler.clock.advance(dayMs);
    return scheduler.deps.jobs.find('ws_a', jobId, { maxTimeMS: 5_000 });
  };
  const listed = () => queueScans(scheduler.deps, { domains: [domain], skipVisitedSinceMs: 0 }, context);
  const target = () => getScanTarget(scheduler.deps, { domain }, context);

  it('a job whose scan got another page fails with the code of that page; the message says that the job stays billed and what helps', async () => {
    for (const code of ['challenged', 'waiting_room', 'age_wall'] as const) {
      const job = await scanned(code);
      expect(job).toMatchObject({ state: 'failed', error: { code, message: jobErrors[code].message } });
      expect(job?.error?.message).toMatch(/stays billed\. Another scan (?:may help after|helps only when) /);
    }
  });

  it('a store gets no background scan for 30 days after the third page failure in a row, but is scanned on request', async () => {
    await scanned('challenged');
    await scanned('error_page');
    expect(await listed()).toEqual(['queued']);
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    await scheduler.applyMergeOutcome(scan, 'challenged');
    expect(await target()).toMatchObject({ count: 3, code: 'challenged' });
    scheduler.clock.advance(30 * dayMs - 60_000);
    expect(await listed()).toEqual(['resting']);
    expect(await scanned('challenged')).toMatchObject({ state: 'failed' });
    expect(await listed()).toEqual(['resting']);
    scheduler.clock.advance(29 * dayMs + 1_000);
    expect(await listed()).toEqual(['queued']);
  });

  it.each([
    ['sees the store', null],
    ['does not reach it', 'timeout'],
    ['is refused', 'robots_disallowed'],
  ])('the series of page failures of a store ends with a scan that %s', async (_, reason) => {
    await scanned('challenged');
    await scanned('challenged');
    await scanned(reason);
    expect(await target()).toBeUndefined();
    await scanned('challenged');
    expect(await target()).toMatchObject({ count: 1 });
    expect(await listed()).toEqual(['queued']);
  });

  it('the series of page failures of a store ignores a scan whose answer arrives after that of a later scan', async () => {
    await scanned('challenged');
    await scanned('superseded');
    expect(await target()).toMatchObject({ count: 1 });
  });

  it('a store with three page failures in a row is refreshed at most every 30 days', async () => {
    const afterMs = 7 * dayMs;
    scheduler.deps.policy = { ...policy, refresh: { afterMs, perDay: 1_000 } };
    for (let n = 0; n < 3; n++) await scanned('challenged');
    const lastMs = scheduler.clock.now() - dayMs;
    const visits: number[] = [];
    for (let day = 0; day < 100; day++) {
      await scheduler.tick();
      const scan = await scheduler.lease();
      if (scan) {
        visits.push(Math.round((scheduler.clock.now() - lastMs) / dayMs));
        await scheduler.finish(scan);
        await scheduler.applyMergeOutcome(scan, 'challenged');
      }
      scheduler.clock.advance(dayMs);
    }
    const pauses = visits.map((day, n) => day - (visits[n - 1] ?? 0));
    expect(visits.length).toBeGreaterThan(0);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(30);
  });

  it('the look-up of a scan target is refused for a name that is not a registrable domain', async () => {
    await expect(getScanTarget(scheduler.deps, { domain: 'www.walled.example' }, context)).rejects.toThrow(/domain/);
  });
});
