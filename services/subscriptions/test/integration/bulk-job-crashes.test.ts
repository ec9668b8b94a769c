import { dayMs } from '@shopscope/clock';
import { type CrashMoment, crashMoments } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobResult } from '../../src/domain/job-step.ts';
import { failStandingJobs } from '../../src/operations/jobs/expire-jobs.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { domainsOf, eventsOf, type JobSystem, type Live, startJobSystem } from './job-system.ts';
import { killedAt } from './killed-instance.ts';

const isNightly = process.env.SHOPSCOPE_NIGHTLY === 'true';

describe('a killed instance', () => {
  let system: JobSystem;
  beforeAll(async () => {
    system = await startJobSystem('bulk-crashes');
    await system.createPlan('crashes', { lookupCached: 10_000, lookupLive: 10_000 }, 2);
  });
  afterAll(() => system?.stop());

  /** Starts a job of two steps, and executes them until the instance is killed. */
  const start = async (n: number, moment: CrashMoment, name: string) => {
    const domains = domainsOf(4, name);
    await system.addToCorpus(domains.slice(1, 3));
    const payer = await system.createWorkspace({ plan: 'crashes' });
    const listId = await system.createList(payer.workspaceId, domains);
    const job = await system.start(payer, listId, { refresh: true });
    const { deps, wasKilled } = killedAt(system.deps, n, moment);
    for (let more = true; more && !wasKilled(); ) more = await runNextStep(deps).catch(() => false);
    return { domains, payer, job, wasKilled };
  };
  const unitsOfRows = (results: readonly JobResult[]) => ({
    lookupCached: results.filter(({ store }) => store !== null).length,
    lookupLive: results.filter(({ scanJobId }) => scanJobId !== null).length,
  });

  /** Runs a job in which an instance is killed. Returns whether the job ended without the kill. */
  const run = async (n: number, moment: CrashMoment): Promise<boolean> => {
    const name = `${moment}-${n}`;
    const { domains, payer, job, wasKilled } = await start(n, moment, name);
    // Leases end, and reservations without a usage event return.
    await system.passTime(91_000);
    await system.runSteps();

    const [found, results, ledger, events] = [
      await system.find(job),
      await system.results(job),
      await system.ledger(payer.workspaceId),
      await eventsOf(system, payer.workspaceId),
    ];
    expect(found, name).toMatchObject({ state: 'succeeded', total: 4, done: 4, failed: 0 });
    expect(
      results.map(({ domain }) => domain),
      name,
    ).toEqual(domains);
    const rows = unitsOfRows(results);
    expect(rows, name).toEqual({ lookupCached: 2, lookupLive: 2 });
    expect(found.billed, name).toEqual({ ...rows, historyQuery: 0 });
    expect(ledger, name).toMatchObject(rows);
    expect(
      events.map(({ sequence, type }) => [sequence, type]),
      name,
    ).toEqual([[1, 'job.finished']]);
    return !wasKilled();
  };

  /** Runs a job in which an instance is killed, and whose stores can never be looked up afterwards. */
  const runBlind = async (n: number, moment: CrashMoment): Promise<boolean> => {
    const name = `blind-${moment}-${n}`;
    const { payer, job, wasKilled } = await start(n, moment, name);
    const { charging, ...deps } = system.instance();
    const profiles = { ...charging.profiles, lookUpMany: () => Promise.reject(new Error('unavailable')) };
    const blind: Live = { ...deps, charging: { ...charging, profiles } };
    await system.passTime(7 * dayMs);
    await failStandingJobs(blind);
    await system.runSteps(blind, 10);
    const [found, results, ledger] = [
      await system.find(job),
      await system.results(job),
      await system.ledgerOfAllPeriods(payer.workspaceId),
    ];
    expect(found.state, name).toBe(found.done === 4 ? 'succeeded' : 'failed');
    expect(results.length, name).toBe(found.done);
    const rows = unitsOfRows(results);
    expect(found.billed, name).toEqual({ ...rows, historyQuery: 0 });
    expect(ledger, name).toMatchObject(rows);
    return !wasKilled();
  };

  const outcomes = [
    { title: 'a job has one row per store, and bills its rows, when an instance is killed', runWithKill: run },
    {
      title: 'a job whose look-ups fail until it fails shows what it billed, when an instance was killed',
      runWithKill: runBlind,
    },
  ];
  for (const { when, tags } of crashMoments) {
    it.each(outcomes)(`$title ${when} any call of a step`, { timeout: 300_000, tags }, async ({ runWithKill }) => {
      // `.ci/nightly` kills at each call in both outcomes. Otherwise one has the odd calls, and the other the even ones.
      let n = isNightly || runWithKill === run ? 1 : 2;
      while (!(await runWithKill(n, when))) n += isNightly ? 1 : 2;
      // Two steps make at least this many calls. With fewer calls, no kill would have reached their ends.
      expect(n).toBeGreaterThan(30);
    });
  }
});
