import { type CrashMoment, crashMoments } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { domainsIn, droppedFilter, fileOf, finish, partsOf, start } from './export-files.ts';
import { domainsOf, eventsOf, type JobSystem, startJobSystem } from './job-system.ts';
import { killedAt } from './killed-instance.ts';

const isNightly = process.env.SHOPSCOPE_NIGHTLY === 'true';

describe('an export of a killed instance', () => {
  let system: JobSystem;
  const domains = domainsOf(1_150);
  beforeAll(async () => {
    system = await startJobSystem('export-crashes');
    await system.createPlan('crashes', { lookupCached: 1_000_000, historyQuery: 1_000 });
    system.search.open(domains);
  });
  afterAll(() => system?.stop());

  /** Runs an export of two steps in which an instance is killed. Returns whether it ended without the kill. */
  const run = async (n: number, moment: CrashMoment): Promise<boolean> => {
    const name = `${moment}-${n}`;
    const scopes = ['read:stores', 'read:signals'];
    const payer = await system.createWorkspace({ plan: 'crashes', scopes });
    const job = await start(system, payer, { where: droppedFilter });
    const { deps, wasKilled } = killedAt(system.deps, n, moment);
    for (let more = true; more && !wasKilled(); ) more = await runNextStep(deps).catch(() => false);
    // Leases end, and reservations without a usage event return.
    await system.passTime(91_000);
    await finish(system, job);

    const rows = { lookupCached: domains.length, lookupLive: 0, historyQuery: 2 };
    expect(await system.find(job), name).toMatchObject({ state: 'succeeded', done: domains.length, billed: rows });
    expect(domainsIn(await fileOf(system, job)), name).toEqual(domains);
    expect(
      (await partsOf(system, job)).map((part) => part.rows),
      name,
    ).toEqual([1_000, 150]);
    expect(await system.ledger(payer.workspaceId), name).toMatchObject(rows);
    expect(
      (await eventsOf(system, payer.workspaceId)).map(({ type }) => type),
      name,
    ).toEqual(['job.finished']);
    return !wasKilled();
  };

  for (const { when, tags } of crashMoments) {
    it(`an export has each store once, and bills its rows, when an instance is killed ${when} any call of a step`, {
      timeout: 300_000,
      tags,
    }, async () => {
      let n = 1;
      while (!(await run(n, when))) n += isNightly ? 1 : 3;
      // Two steps make at least this many calls. With fewer calls, no kill would have reached their ends.
      expect(n).toBeGreaterThan(35);
    });
  }
});
