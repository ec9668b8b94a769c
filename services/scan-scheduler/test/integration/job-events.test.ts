import { deriveId } from '@shopscope/ids';
import { ScanJobEndState, ScanUnit } from '@shopscope/proto';
import { callsPerCrash, crashMoments, testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestedJob } from '../../src/domain/job.ts';
import { tick } from '../../src/inbound/timer/tick.ts';
import { applyMergeOutcomes } from '../../src/operations/apply-merge-outcome.ts';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { maxJobsPerTransaction } from '../../src/operations/end-jobs.ts';
import { finishLease } from '../../src/operations/finish-lease.ts';
import { leaseScan } from '../../src/operations/lease-scan.ts';
import { toDocument } from '../../src/outbound/mongo/job-document.ts';
import { Crashed, crashingAt } from './crashing.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

const { SUCCEEDED, FAILED } = ScanJobEndState;
const domain = 'shop.example';

describe('events about ended jobs', () => {
  const namespace = testNamespace('scans-job-events');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  /** A way in which jobs end: the work before it, and the call, event or tick that ends the jobs and is repeated after a crash. */
  interface Way {
    name: string;
    ends: [jobId: string, state: ScanJobEndState, code: string][];
    prepare(): Promise<(deps: Dependencies) => Promise<unknown>>;
  }

  const job = (chargeId: string) => deriveId('job', chargeId, domain);
  const merge = async (rejectedBecause: string | null = null, over: { profileSequence?: number } = {}) => {
    const { id: scanId, sequence } = await scheduler.leaseNext();
    const result = { scanId, domain, sequence, profileSequence: 0, completedAtMs: 1, rejectedBecause, ...over };
    return (deps: Dependencies) => applyMergeOutcomes(deps, [{ merge: result, origin: context.origin }]);
  };
  const loseAttempts = async (count: number) => {
    for (let lost = 0; lost < count; lost++) {
      await scheduler.leaseNext();
      scheduler.clock.advance(policy.leaseMs);
      await scheduler.tick();
    }
  };
  const abandon = async (reason: string) => {
    const scan = await scheduler.leaseNext();
    const lease = { scanId: scan.id, domain, leaseToken: scan.lease.token };
    return (deps: Dependencies) => finishLease(deps, { ...lease, result: 'abandoned', reason }, context);
  };
  const queue = (workspaceId: string, chargeId: string) => scheduler.queue(workspaceId, chargeId, domain);
  const optOut = () =>
    scheduler.deps.optOuts.add({ subject: domain, reason: 'asked', actor: 'operator:test' }, context);

  const ways: Way[] = [
    {
      name: 'an observation is merged',
      ends: [[job('chg_1'), SUCCEEDED, '']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        return merge();
      },
    },
    {
      name: 'an observation is merged for two workspaces',
      ends: [
        [job('chg_1'), SUCCEEDED, ''],
        [job('chg_2'), SUCCEEDED, ''],
      ],
      async prepare() {
        await queue('ws_a', 'chg_1');
        await queue('ws_b', 'chg_2');
        return merge();
      },
    },
    {
      name: 'an observation is merged for a job and a job that follows it',
      ends: [
        [job('chg_1'), SUCCEEDED, ''],
        [job('chg_late'), SUCCEEDED, ''],
      ],
      async prepare() {
        await queue('ws_a', 'chg_1');
        await scheduler.request('ws_a', 'chg_late', domain);
        return merge();
      },
    },
    {
      name: 'an observation is merged while another workspace joins too late',
      ends: [[job('chg_1'), SUCCEEDED, '']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        const scan = await scheduler.leaseNext();
        await scheduler.finish(scan);
        await queue('ws_b', 'chg_2');
        return (deps) => {
          const { id: scanId, sequence } = scan;
          const result = { scanId, domain, sequence, profileSequence: 0, rejectedBecause: null };
          return applyMergeOutcomes(deps, [{ merge: result, origin: context.origin }]);
        };
      },
    },
    {
      name: 'an observation is rejected',
      ends: [[job('chg_1'), FAILED, 'dns_failure']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        return merge('dns_failure');
      },
    },
    {
      name: 'the third lease is lost',
      ends: [[job('chg_1'), FAILED, 'lease_lost']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        await loseAttempts(2);
        await scheduler.leaseNext();
        scheduler.clock.advance(policy.leaseMs);
        return tick;
      },
    },
    {
      name: 'the third attempt is abandoned',
      ends: [[job('chg_1'), FAILED, 'scanner_fault']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        await loseAttempts(2);
        return abandon('scanner_fault');
      },
    },
    {
      name: 'the scanner finds an opt-out',
      ends: [[job('chg_1'), FAILED, 'opted_out']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        return abandon('opted_out');
      },
    },
    {
      name: 'the domain is opted out before its lease',
      ends: [[job('chg_1'), FAILED, 'opted_out']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        await optOut();
        return (deps) => leaseScan(deps, 'scanner-1');
      },
    },
    {
      name: 'the time limit is reached',
      ends: [[job('chg_1'), FAILED, 'expired']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        scheduler.clock.advance(policy.jobTimeLimitMs);
        return tick;
      },
    },
    {
      name: 'the third observation is not merged',
      ends: [[job('chg_1'), FAILED, 'observation_lost']],
      async prepare() {
        await queue('ws_a', 'chg_1');
        await loseAttempts(2);
        await scheduler.finish(await scheduler.leaseNext());
        // The steps 1 to 6 of expire-merges.ts.
        scheduler.clock.advance(policy.mergeWaitMs);
        await scheduler.tick();
        await scheduler.tick();
        scheduler.clock.advance(policy.mergeWaitMs);
        await scheduler.tick();
        return tick;
      },
    },
    {
      name: 'the job is canceled',
      ends: [],
      async prepare() {
        const jobId = await queue('ws_a', 'chg_1');
        return () => scheduler.cancel('ws_a', jobId);
      },
    },
    {
      name: 'the job is canceled while it runs, and its observation is merged',
      ends: [],
      async prepare() {
        const jobId = await queue('ws_a', 'chg_1');
        const merged = await merge();
        await scheduler.cancel('ws_a', jobId);
        return merged;
      },
    },
    {
      name: 'the claim is dropped',
      ends: [],
      async prepare() {
        await scheduler.claim('ws_a', 'chg_1', domain);
        scheduler.clock.advance(policy.claimWaitMs);
        await scheduler.tick();
        return tick;
      },
    },
  ];
  const events = async () =>
    (await scheduler.jobEnds())
      .map(({ jobId, state, errorCode }): Way['ends'][number] => [jobId, state, errorCode])
      .sort();

  it.each(ways)('when $name, each succeeded or failed job has one event, even after a repetition', async (way) => {
    const end = await way.prepare();
    expect(await events()).toEqual([]);
    await end(scheduler.deps);
    expect(await events()).toEqual(way.ends.toSorted());
    await end(scheduler.deps);
    expect(await events()).toEqual(way.ends.toSorted());
  });

  /** One way for each caller that ends jobs: an event, an event for several jobs, a scanner, a lease and the timer. */
  const crashedByDay = [
    'an observation is merged',
    'an observation is merged for two workspaces',
    'the third attempt is abandoned',
    'the domain is opted out before its lease',
    'the time limit is reached',
  ];
  const crashes = crashMoments.flatMap(({ when, tags }) =>
    [true, false].map((isByDay) => ({
      when,
      tags: isByDay ? tags : ['nightly'],
      endingWays: ways.filter(({ name, ends }) => ends.length > 0 && crashedByDay.includes(name) === isByDay),
    })),
  );
  for (const { when, tags, endingWays } of crashes) {
    const title = `each job has one event, although the instance crashes ${when} any call of the database`;
    it.each(endingWays)(`when $name, ${title}`, { timeout: 120_000, tags }, async ({ prepare, ends }) => {
      let calls = 0;
      for (let crashed = true; crashed; calls += callsPerCrash) {
        await scheduler.reset();
        const end = await prepare();
        crashed = false;
        const crashing = crashingAt(scheduler.deps, calls + 1, when);
        const logger = Object.assign(Object.create(crashing.logger), {
          // A tick logs the failure of a step and continues.
          error: ({ err }: { err: unknown }) => {
            crashed ||= err instanceof Crashed;
          },
        });
        await end({ ...crashing, logger }).catch((error: unknown) => {
          if (!(error instanceof Crashed)) throw error;
          crashed = true;
        });
        const states = await scheduler.db.collection('jobs').find().toArray();
        const ended = states.filter(({ state }) => state === 'succeeded' || state === 'failed').map(({ _id }) => _id);
        expect((await events()).map(([jobId]) => jobId)).toEqual(ended.map(String).sort());
        await end(scheduler.deps);
        expect(await events()).toEqual(ends.toSorted());
      }
      expect(calls).toBeGreaterThan(4);
    });
  }

  it('an event about a failed job says whose job ended, why, when, what it billed, and which scan it waited for', async () => {
    const jobId = await queue('ws_a', 'chg_1');
    const end = await merge('dns_failure');
    scheduler.clock.advance(1_234);
    await end(scheduler.deps);
    const { error, finishedAt, scanId } = await scheduler.job('ws_a', jobId);
    expect(await scheduler.jobEnds()).toEqual([
      {
        jobId,
        workspaceId: 'ws_a',
        domain,
        state: FAILED,
        errorCode: 'dns_failure',
        errorMessage: error?.message,
        endedAtMs: finishedAt?.getTime(),
        unit: ScanUnit.LOOKUP_LIVE,
        scanId,
      },
    ]);
  });

  describe('of a scan with more jobs than one transaction ends', () => {
    const extra = maxJobsPerTransaction * 2;
    const addJobs = async () => {
      const jobId = await queue('ws_a', 'chg_1');
      const { scanId } = await scheduler.job('ws_a', jobId);
      const at = new Date(scheduler.clock.now());
      const jobs = Array.from({ length: extra }, (_, n) => {
        const claim = {
          id: `job_${n}`,
          workspaceId: `ws_${n}`,
          chargeId: `chg_${n}`,
          domain,
          unit: 'lookup_live',
        } as const;
        const queued = requestedJob({ ...claim, holdsPlace: true, origin: context.origin }, at);
        return toDocument({ ...queued, state: 'queued', scanId });
      });
      await scheduler.db.collection<(typeof jobs)[number]>('jobs').insertMany(jobs);
      const workspaceIds = ['ws_a', ...jobs.map(({ workspaceId }) => workspaceId)];
      await scheduler.db.collection('scans').updateOne({ domain, live: true }, { $set: { workspaceIds } });
    };
    const counts = async () => {
      const ids = (await scheduler.jobEnds()).map(({ jobId }) => jobId);
      const ended = { state: { $in: ['succeeded', 'failed'] } };
      return {
        ids: new Set(ids).size,
        events: ids.length,
        jobs: await scheduler.db.collection('jobs').countDocuments(ended),
      };
    };

    it.each([
      ['an observation is merged', () => merge()],
      [
        'the time limit is reached',
        async () => {
          scheduler.clock.advance(policy.jobTimeLimitMs);
          return tick;
        },
      ],
      ['the scanner finds an opt-out', () => abandon('opted_out')],
    ])('when %s, each job has one event, and the scan ends with the last job', async (_, prepare) => {
      await addJobs();
      const end = await prepare();
      let commits = 0;
      const transact: Dependencies['transact'] = async (work, options) => {
        if (commits === 1) throw new Crashed();
        const result = await scheduler.deps.transact(work, options);
        if ((await counts()).jobs > 0) commits += 1;
        return result;
      };
      const logger = Object.assign(Object.create(scheduler.deps.logger), { error: () => {} });
      await end({ ...scheduler.deps, transact, logger }).catch(() => {});
      const part = maxJobsPerTransaction;
      expect(await counts()).toEqual({ ids: part, events: part, jobs: part });
      expect(await scheduler.db.collection('scans').countDocuments({ live: true })).toBe(1);
      await end(scheduler.deps);
      expect(await counts()).toEqual({ ids: extra + 1, events: extra + 1, jobs: extra + 1 });
      expect(await scheduler.db.collection('scans').countDocuments({ live: true })).toBe(0);
    });
  });
});
