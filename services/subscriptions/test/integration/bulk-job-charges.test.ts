import { createDeadline } from '@shopscope/async';
import { dayMs, hourMs, minuteMs } from '@shopscope/clock';
import { chargeRetentionMs, unitsOf } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelJob } from '../../src/operations/jobs/cancel-job.ts';
import { failStandingJobs } from '../../src/operations/jobs/expire-jobs.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { runStep } from '../../src/operations/jobs/run-step.ts';
import { takeStep } from '../../src/operations/jobs/take-step.ts';
import { context, domainsOf, type JobSystem, type Live, startJobSystem, tenantOf } from './job-system.ts';

describe('charges of jobs', () => {
  let system: JobSystem;
  const known = domainsOf(250, 'known');
  const by = { actor: 'operator:test', actorAddress: '', actorPerson: undefined };

  beforeAll(async () => {
    system = await startJobSystem('bulk-charges');
    await system.addToCorpus(known);
  });
  afterAll(() => system?.stop());

  const newJob = async (plan = 'growth', domains: readonly string[] = known) => {
    const payer = await system.createWorkspace({ plan });
    const listId = await system.createList(payer.workspaceId, domains);
    return { payer, listId, job: await system.start(payer, listId) };
  };
  const reasonsOf = async (job: { workspaceId: string; id: string }) => {
    const counts: Record<string, number> = {};
    for (const { match, reason } of await system.results(job)) {
      const name = reason ?? match;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };

  it('a job that does not fit the allowance is refused with what it needs and what is left, and nothing remains', async () => {
    const plan = await system.createPlan('few', { lookupCached: 249 });
    await expect(newJob(plan)).rejects.toMatchObject({
      code: 'payment_required',
      message: expect.stringMatching(/needs 250 lookup_cached; 249 are left of 249/),
    });
    expect(await system.runSteps()).toBe(0);
  });

  it('a job that fits when a gateway returns its units is refused as unavailable, and not as payment_required', async () => {
    const payer = await system.createWorkspace({ plan: await system.createPlan('lent', { lookupCached: 255 }) });
    const listId = await system.createList(payer.workspaceId, known);
    // A gateway holds 10 units, so the balance has 245.
    const included = unitsOf({ lookupCached: 255 });
    const lend = async (call: { callNumber: number; wanted: number; final: boolean; periodStartMs: number }) => {
      const lease = { workspaceId: payer.workspaceId, leaseId: 'lse_other', unit: 'lookupCached', included } as const;
      const asks = [{ ...lease, ...call, spent: 0, sentAtMs: Date.now() }];
      const { metering } = system.deps.charging;
      return (await metering.leaseAllowance({ gatewayId: 'gw_other', asks }, createDeadline(5_000)))[0];
    };
    const lent = await lend({ callNumber: 1, wanted: 10, final: false, periodStartMs: 0 });
    expect(lent?.granted).toBe(10);
    await expect(system.start(payer, listId)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Other requests hold the rest of the allowance'),
    });
    await lend({ callNumber: 2, wanted: 0, final: true, periodStartMs: lent?.periodStartMs ?? 0 });
    expect(await system.start(payer, listId)).toMatchObject({ state: 'queued', total: 250 });
  });

  it('a job that would bill more than max_units is refused, and the error names max_units', async () => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, known);
    await expect(system.start(payer, listId, { maxUnits: 249 })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('the job would bill 250 units'),
      details: { field: 'max_units' },
    });
    const oneStore = await system.createList(payer.workspaceId, known.slice(0, 1));
    await expect(system.start(payer, oneStore, { maxUnits: 0 })).rejects.toThrow(/the job would bill 1 unit$/);
  });

  it('a job never bills more than max_units, although more stores become known after its start', async () => {
    const payer = await system.createWorkspace();
    const domains = domainsOf(150, 'later');
    const job = await system.start(payer, await system.createList(payer.workspaceId, domains), { maxUnits: 100 });
    await system.addToCorpus(domains);
    await system.runSteps();
    expect(await reasonsOf(job)).toEqual({ matched: 100, max_units_reached: 50 });
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', done: 150, failed: 50 });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  it('when the allowance ends in the middle, the other stores get allowance_exhausted, and the job succeeds', async () => {
    const plan = await system.createPlan('middle', { lookupCached: 250 });
    const { payer, listId, job } = await newJob(plan);
    const other = await system.start(payer, listId);
    await system.runSteps();
    const done = await Promise.all([job, other].map((each) => system.find(each)));
    expect(done.map(({ state, done: rows }) => [state, rows])).toEqual([
      ['succeeded', 250],
      ['succeeded', 250],
    ]);
    const reasons = await Promise.all([job, other].map(reasonsOf));
    const matched = reasons.map((counts) => counts.matched ?? 0);
    expect(matched.map((count, n) => count + (reasons[n]?.allowance_exhausted ?? 0))).toEqual([250, 250]);
    const billed = done.reduce((sum, each) => sum + each.billed.lookupCached, 0);
    expect(billed).toBe(matched.reduce((sum, count) => sum + count, 0));
    expect(billed).toBeGreaterThan(150);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(billed);
  });

  it('after the revocation of its key, a job bills nothing, and its other stores get key_revoked', async () => {
    const { payer, job } = await newJob();
    await runNextStep(system.deps);
    await system.keys.revokeKey({ ...payer, ...by });
    await system.runSteps(system.instance());
    expect(await reasonsOf(job)).toEqual({ matched: 100, key_revoked: 150 });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
    const listId = await system.createList(payer.workspaceId, known);
    await expect(system.start(payer, listId, {}, system.instance())).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('a job whose key lacks a scope bills nothing', async () => {
    const payer = await system.createWorkspace({ scopes: ['read:stores'] });
    const job = await system.start(payer, await system.createList(payer.workspaceId, known));
    await system.runSteps();
    expect(await reasonsOf(job)).toEqual({ key_revoked: 250 });
  });

  it('a job of a suspended workspace bills nothing more, and its other stores get workspace_suspended', async () => {
    const { payer, job } = await newJob();
    await runNextStep(system.deps);
    await system.keys.suspendWorkspace({ workspaceId: payer.workspaceId, actor: by.actor });
    await system.runSteps(system.instance());
    expect(await reasonsOf(job)).toEqual({ matched: 100, workspace_suspended: 150 });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  /** The instance executes until its results are to be shown, and then never continues. */
  const killedBeforeShow = async (): Promise<void> => {
    const deps = system.instance();
    const jobSteps = { ...deps.jobSteps, show: () => Promise.reject(new Error('killed')), release: async () => {} };
    const bulkJobs = { ...deps.bulkJobs, delay: async () => {} };
    await runNextStep({ ...deps, jobSteps, bulkJobs });
  };

  /** The instance stores the results of a step, requests its scans, and cannot bill them. */
  const unbilledStep = async (): Promise<void> => {
    const { charging, ...deps } = system.instance();
    const broken = () => Promise.reject(new Error('unavailable'));
    const events = { ...charging.events, publishUsage: broken };
    const metering = { ...charging.metering, recordUsage: broken };
    await runNextStep({ ...deps, charging: { ...charging, events, metering } } as Live);
  };

  it('a step that was billed 25 hours ago and not shown is shown with the stored results, and bills nothing more', async () => {
    const { payer, job } = await newJob('growth', known.slice(0, 100));
    await killedBeforeShow();
    expect(await system.results(job)).toEqual([]);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
    await system.passTime(25 * hourMs);
    await system.runSteps(system.instance());
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', billed: { lookupCached: 100 } });
    expect((await system.results(job)).length).toBe(100);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  describe('after a standstill of 25 hours', () => {
    const jobsOf = (workspaceId: string) =>
      system.database('scan-scheduler').collection('jobs').find({ workspaceId }).toArray();
    const standStill = async (workspaceId: string) => {
      await waitUntil('requested scans', async () => (await jobsOf(workspaceId)).length === 3);
      await system.passTime(25 * hourMs);
      const areEnded = async () => (await jobsOf(workspaceId)).every(({ state }) => state === 'failed');
      await waitUntil('the end of the scans', areEnded);
    };
    const startWith = async (domains: readonly string[]) => {
      await system.addToCorpus(domains.slice(3));
      const payer = await system.createWorkspace();
      return {
        payer,
        job: await system.start(payer, await system.createList(payer.workspaceId, domains), { refresh: true }),
      };
    };
    const expectBilledOnce = async (payer: { workspaceId: string }, job: { workspaceId: string; id: string }) => {
      await system.runSteps(system.instance());
      const units = { lookupCached: 2, lookupLive: 3 };
      expect(await system.find(job)).toMatchObject({ state: 'succeeded', billed: units });
      expect(await system.ledger(payer.workspaceId)).toMatchObject(units);
      const scans = await jobsOf(payer.workspaceId);
      const shown = (await system.results(job)).flatMap(({ scanJobId }) => (scanJobId === null ? [] : [scanJobId]));
      expect(shown.sort()).toEqual(scans.map(({ _id }) => String(_id)).sort());
      expect(scans.length).toBe(3);
    };

    it('a step with refresh that was billed and not shown shows its scans, and requests no further ones', async () => {
      const { payer, job } = await startWith(domainsOf(5, 'standing'));
      await killedBeforeShow();
      await standStill(payer.workspaceId);
      await expectBilledOnce(payer, job);
    });

    it('a step with refresh whose scans were requested and not billed bills them, and requests no further ones', async () => {
      const { payer, job } = await startWith(domainsOf(5, 'unbilled'));
      await unbilledStep();
      await standStill(payer.workspaceId);
      expect((await system.ledger(payer.workspaceId)).lookupLive).toBe(0);
      await expectBilledOnce(payer, job);
    });
  });

  it('a repeated step shows what was billed, although its stores have changed since then', async () => {
    const domains = domainsOf(10, 'changing');
    await system.addToCorpus(domains.slice(0, 5));
    const { payer, job } = await newJob('growth', domains);
    await killedBeforeShow();
    await system.addToCorpus(domains.slice(5));
    await system.passTime(31_000);
    await system.runSteps(system.instance());
    expect(await reasonsOf(job)).toEqual({ matched: 5, not_in_corpus: 5 });
    expect((await system.find(job)).billed.lookupCached).toBe(5);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(5);
  });

  /** An instance that cannot look stores up. */
  const blind = (): Live => {
    const { charging, ...deps } = system.instance();
    const profiles = { ...charging.profiles, lookUpMany: () => Promise.reject(new Error('unavailable')) };
    return { ...deps, charging: { ...charging, profiles } };
  };

  it('a billed step is shown although its stores cannot be looked up', async () => {
    const { payer, job } = await newJob('growth', known.slice(0, 100));
    await killedBeforeShow();
    await system.passTime(31_000);
    await system.runSteps(blind());
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', billed: { lookupCached: 100 } });
    expect((await system.results(job)).length).toBe(100);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  it('a canceled job ends when its billed step has been shown', async () => {
    const { payer, job } = await newJob();
    await killedBeforeShow();
    expect((await cancelJob(system.deps, tenantOf(payer), job.id, context())).state).toBe('canceling');
    await system.passTime(31_000);
    await system.runSteps(system.instance());
    expect(await system.find(job)).toMatchObject({ state: 'canceled', done: 100, billed: { lookupCached: 100 } });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  it('a canceled job drops a stored step that was not billed', async () => {
    const { payer, job } = await newJob();
    await unbilledStep();
    expect((await cancelJob(system.deps, tenantOf(payer), job.id, context())).state).toBe('canceling');
    await system.passTime(31_000);
    await system.runSteps(system.instance());
    expect(await system.find(job)).toMatchObject({ state: 'canceled', done: 0, billed: { lookupCached: 0 } });
    expect(await system.results(job)).toEqual([]);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(0);
  });

  it('an execution whose lease has ended stores, bills and shows nothing', async () => {
    const { payer, job } = await newJob('growth', known.slice(0, 100));
    const stalled = system.instance();
    const held = await takeStep(stalled);
    if (!held?.step) throw new Error('no step');
    expect(await takeStep(system.deps)).toBeUndefined();
    await system.passTime(31_000);
    await system.runSteps();
    expect(await runStep(stalled, held)).toBe('lost');
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', done: 100, billed: { lookupCached: 100 } });
    expect((await system.results(job)).length).toBe(100);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  it('an execution whose step another one has taken over stores and bills nothing', async () => {
    const { payer, job } = await newJob('growth', known.slice(0, 100));
    const take = async (deps: Live) => {
      const held = await takeStep(deps);
      if (!held?.step) throw new Error('no step');
      return () => runStep(deps, held);
    };
    const runStalled = await take(system.instance());
    await system.passTime(31_000);
    const run = await take(system.deps);
    expect(await runStalled()).toBe('lost');
    expect((await system.find(job)).stored).toEqual({ steps: 0, units: 0 });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(0);
    expect(await run()).toBe('shown');
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  it('two instances execute each step once', async () => {
    const plan = await system.createPlan('small-steps', { lookupCached: 10_000 }, 10);
    const { payer, job } = await newJob(plan);
    const instances = [system.instance(), system.instance()];
    const worked = await Promise.all([...instances, ...instances].map((deps) => system.runSteps(deps)));
    expect(worked.reduce((sum, count) => sum + count, 0)).toBe(25);
    expect(await reasonsOf(job)).toEqual({ matched: 250 });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(250);
    const entries = system.database('metering').collection('ledger').find({ workspaceId: payer.workspaceId });
    expect((await entries.toArray()).length).toBe(25);
  });

  it('a job waits while profiles is unavailable, and continues afterwards', async () => {
    const { payer, job } = await newJob('growth', known.slice(0, 100));
    await runNextStep(blind());
    expect(await system.runSteps()).toBe(0);
    await system.passTime(31_000);
    await system.runSteps();
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', billed: { lookupCached: 100 } });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  // The tests that follow pass so much time that stored profiles become stale.
  it('a job that fails after seven days first shows the step that was billed, and drops the step that was not', async () => {
    const { payer, job } = await newJob();
    await killedBeforeShow();
    await unbilledStep();
    await system.passTime(7 * dayMs);
    await failStandingJobs(system.deps);
    expect((await system.find(job)).state).toBe('failing');
    await system.runSteps(blind());
    const billed = { lookupCached: 100 };
    expect(await system.find(job)).toMatchObject({ state: 'failed', error: { code: 'internal' }, done: 100, billed });
    expect((await system.results(job)).length).toBe(100);
    expect(await system.ledgerOfAllPeriods(payer.workspaceId)).toMatchObject(billed);
  });

  it('a job that fails and cannot ask for the charge of a step ends when metering no longer knows the charge', async () => {
    const { job } = await newJob('growth', known.slice(0, 100));
    await unbilledStep();
    await system.passTime(7 * dayMs);
    await failStandingJobs(system.deps);
    await system.passTime(chargeRetentionMs - 7 * dayMs - minuteMs);
    await failStandingJobs(system.deps);
    expect((await system.find(job)).state).toBe('failing');
    await system.passTime(minuteMs);
    await failStandingJobs(system.deps);
    expect(await system.find(job)).toMatchObject({ state: 'failed', done: 0 });
    expect(await system.results(job)).toEqual([]);
  });
});
