import { testNamespace } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JobState, jobStates, requestedJob } from '../../src/domain/job.ts';
import { listJobs } from '../../src/operations/list-jobs.ts';
import { listOptions, listRanges, toDocument } from '../../src/outbound/mongo/job-document.ts';
import { context, type Scheduler, startScheduler } from './scheduler.ts';

describe('the list of jobs', () => {
  const namespace = testNamespace('scans-list-jobs');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  const insert = (jobs: readonly { id: string; workspaceId?: string; atMs: number; state?: JobState }[]) =>
    scheduler.db.collection('jobs').insertMany(
      jobs.map(({ id, workspaceId = 'ws_a', atMs, state = 'queued' }) => {
        const claim = { id, workspaceId, chargeId: `chg_${id}`, domain: `${id}.example`, unit: 'lookup_live' as const };
        return {
          ...toDocument(requestedJob({ ...claim, holdsPlace: false, origin: context.origin }, new Date(atMs))),
          state,
        } as never;
      }),
    );
  const pagesOf = async (limit: number, states: readonly JobState[] = []) => {
    const pages: string[][] = [];
    let after: Parameters<typeof listJobs>[1]['after'] = null;
    for (;;) {
      const { jobs, hasMore } = await listJobs(scheduler.deps, { workspaceId: 'ws_a', states, limit, after }, context);
      pages.push(jobs.map(({ id }) => id));
      const last = jobs.at(-1);
      if (!hasMore || !last) return pages;
      after = { createdAt: last.createdAt, jobId: last.id };
    }
  };

  it('has every job of the workspace once, newest first, for any page size, and with equal creation times', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ atMs: fc.nat({ max: 5 }), state: fc.constantFrom(...jobStates) }), { maxLength: 25 }),
        fc.integer({ min: 1, max: 8 }),
        fc.subarray([...jobStates]),
        async (made, limit, states) => {
          await scheduler.reset();
          const jobs = made.map((job, n) => ({ ...job, id: `job_${String(n).padStart(2, '0')}` }));
          if (jobs.length > 0) await insert(jobs);
          await insert([{ id: 'job_other', workspaceId: 'ws_b', atMs: 3 }]);
          const expected = jobs
            .filter(({ state }) => states.length === 0 || states.includes(state))
            .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
            .map(({ id }) => id);
          const pages = await pagesOf(limit, states);
          expect(pages.flat()).toEqual(expected);
          expect(pages.every((page) => page.length <= limit)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('reads at most a page of documents per state, from an index and without a sort in memory', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => n);
    await insert(
      many.map((n) => ({ id: `job_a${n}`, atMs: Math.floor(n / 3), state: n % 2 ? 'succeeded' : 'queued' })),
    );
    await insert(many.map((n) => ({ id: `job_b${n}`, workspaceId: 'ws_b', atMs: n })));
    const jobs = scheduler.db.collection('jobs');
    const ranges = [...listRanges(null), ...listRanges({ createdAt: new Date(300), jobId: 'job_a902' })];
    for (const state of [undefined, 'requested', 'queued', 'failed', 'succeeded']) {
      for (const range of ranges) {
        const query = { workspaceId: 'ws_a', ...(state && { state }), ...range };
        const plan = await jobs.find(query as never, listOptions(query, 51, 5_000)).explain('executionStats');
        expect(plan.executionStats.totalDocsExamined).toBeLessThanOrEqual(51);
        expect(plan.executionStats.totalKeysExamined).toBeLessThanOrEqual(52);
        expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"stage":"SORT"/);
      }
    }
  });

  it('refuses a limit outside 1 to 200', async () => {
    for (const limit of [0, 201, Number.NaN]) {
      const page = { workspaceId: 'ws_a', states: [], limit, after: null };
      await expect(listJobs(scheduler.deps, page, context)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
