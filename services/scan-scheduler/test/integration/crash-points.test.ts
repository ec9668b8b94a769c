import { deriveId } from '@shopscope/ids';
import { callsPerCrash, crashMoments, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelJob } from '../../src/operations/cancel-job.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { requestScans } from '../../src/operations/request-scans.ts';
import { Crashed, crashingAt } from './crashing.ts';
import { context, type Scheduler, startScheduler } from './scheduler.ts';

/** One job of a workspace, by the steps after its claim. Each step is a call or an event that is repeated after a crash. */
interface Scenario {
  name: string;
  steps: ('request' | 'lease' | 'cancel')[];
  /** Whether another workspace waits for the same scan. */
  shared?: true;
  refunds: number;
}

const scenarios: Scenario[] = [
  { name: 'a queued job', steps: ['request', 'cancel'], refunds: 1 },
  { name: 'a queued job of a shared scan', steps: ['request', 'cancel'], shared: true, refunds: 1 },
  { name: 'a running job', steps: ['request', 'lease', 'cancel'], refunds: 0 },
  { name: 'a job whose request is not consumed yet', steps: ['cancel', 'request', 'request'], refunds: 1 },
  { name: 'a job that is never requested', steps: ['cancel', 'cancel'], refunds: 0 },
];

describe('cancellation', () => {
  const namespace = testNamespace('scans-crashes');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  /** False when the scenario has fewer calls of the database. */
  const runWithCrash = async (scenario: Scenario, nth: number, when: 'before' | 'after'): Promise<boolean> => {
    await scheduler.reset();
    const [workspaceId, chargeId, domain] = ['ws_a', 'chg_a', 'shop.example'] as const;
    const { jobId } = await scheduler.claim(workspaceId, chargeId, domain);
    const other = scenario.shared && (await scheduler.queue('ws_b', 'chg_b', domain));
    const steps = {
      request: (deps: Dependencies) => {
        const request = { workspaceId, chargeId, domain, unit: 'lookup_live', requestedAtMs: 1 } as const;
        return requestScans(deps, [{ request: { ...request, jobId }, origin: context.origin }]);
      },
      lease: async () => {
        expect(await scheduler.lease()).not.toBeNull();
      },
      cancel: (deps: Dependencies) => cancelJob(deps, { workspaceId, jobId }, context),
    };
    const crashing = crashingAt(scheduler.deps, nth, when);
    let crashed = false;
    for (const step of scenario.steps) {
      try {
        await steps[step](crashed ? scheduler.deps : crashing);
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        crashed = true;
        await steps[step](scheduler.deps);
      }
    }
    const jobs = scheduler.db.collection('jobs');
    expect(await jobs.find({ workspaceId }).toArray()).toMatchObject([{ _id: jobId, state: 'canceled' }]);
    expect((await scheduler.refunds()).map((refund) => refund.jobId)).toEqual(Array(scenario.refunds).fill(jobId));
    const live = await scheduler.db.collection('scans').countDocuments({ live: true });
    expect(live).toBe(other ? 1 : 0);
    if (other) expect(await scheduler.job('ws_b', other)).toMatchObject({ state: 'queued' });
    return crashed;
  };

  for (const { when, tags } of crashMoments) {
    const title = `has one outcome and $refunds refunds when its instance crashes ${when} any call of the database`;
    it.each(scenarios)(`the cancellation of $name ${title}`, { tags }, async (scenario) => {
      let calls = 0;
      while (await runWithCrash(scenario, calls + 1, when)) calls += callsPerCrash;
      expect(calls).toBeGreaterThan(3);
    });
  }

  it('the cancellation of a job id that no charge derives is refused without a trace', async () => {
    await scheduler.reset();
    const jobId = deriveId('job', 'chg_none', 'shop.example');
    await expect(scheduler.cancel('ws_a', jobId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await scheduler.refunds()).toEqual([]);
  });
});
