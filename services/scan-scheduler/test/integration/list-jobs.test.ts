import { runsOf, testNamespace } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JobState, jobStates, requestedJob } from '../../src/domain/job.ts';
import { type ListJobs, listJobs } from '../../src/operations/list-jobs.ts';
import { listQuery, toDocument } from '../../src/outbound/mongo/job-document.ts';
import { createJobStore } from '../../src/outbound/mongo/jobs.ts';
import { context, type Scheduler, startScheduler } from './scheduler.ts';

describe('list of jobs', () => {
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
    let after: ListJobs['after'] = null;
    for (;;) {
      const page: ListJobs = { workspaceId: 'ws_a', states, limit, after };
      const { jobs, hasMore }: Awaited<ReturnType<typeof listJobs>> = await listJobs(scheduler.deps, page, context);
      pages.push(jobs.map(({ id }) => id));
      const last = jobs.at(-1);
      if (!hasMore || !last) return pages;
      after = { createdAt: last.createdAt, jobId: last.id };
    }
  };

  it('the list of jobs has every job once, newest first, for any page size, and with equal creation times', async () => {
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
      runsOf({ byDay: 10, atNight: 30 }),
    );
  });

  it('the list of jobs reads about a page of documents from an index, without a sort in memory, whatever the states', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => n);
    await insert(
      many.map((n) => ({ id: `job_a${n}`, atMs: Math.floor(n / 3), state: n % 2 ? 'succeeded' : 'queued' })),
    );
    await insert(many.map((n) => ({ id: `job_b${n}`, workspaceId: 'ws_b', atMs: n })));
    const jobs = scheduler.db.collection('jobs');
    const middle = { createdAt: new Date(300), jobId: 'job_a902' };
    const selections: JobState[][] = [[], ['requested'], ['requested', 'queued'], ['failed'], [...jobStates]];
    for (const states of selections) {
      for (const after of [null, middle]) {
        const { query, options } = listQuery('ws_a', { states, after, limit: 51 });
        const plan = await jobs.find(query as never, options as never).explain('executionStats');
        // Each branch reads one entry ahead.
        const branches = query.$or.length;
        expect(plan.executionStats.totalDocsExamined).toBeLessThanOrEqual(51 + branches);
        expect(plan.executionStats.totalKeysExamined).toBeLessThanOrEqual(51 + 2 * branches);
        expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"stage":"SORT"/);
      }
    }
  });

  it('the list of jobs has a job once when its request is consumed while the page is read', async () => {
    const ids = Array.from({ length: 6 }, (_, n) => `job_${n}`);
    await insert(ids.map((id, n) => ({ id, atMs: n % 2, state: n < 3 ? 'requested' : 'running' })));
    const collection = scheduler.db.collection<{ _id: string; state: JobState }>('jobs');
    // Between two reads of one page each job changes to the other state that callers see as queued.
    let reads = 0;
    let before: Promise<unknown> = Promise.resolve();
    const find = (...given: Parameters<typeof collection.find>) => ({
      toArray() {
        const read = before.then(async () => {
          if (reads++ > 0) {
            await collection.updateMany({ state: 'requested' }, { $set: { state: 'queued' } });
            await collection.updateMany({ state: 'running' }, { $set: { state: 'requested' } });
          }
          return collection.find(...given).toArray();
        });
        before = read;
        return read;
      },
    });
    const jobs = createJobStore({ collection: () => ({ find }) } as never, 'live');
    for (const after of [null, { createdAt: new Date(1), jobId: 'job_9' }]) {
      const page = { states: ['requested', 'queued', 'running'] as const, after, limit: 50 };
      const found = await jobs.listOfWorkspace('ws_a', page, 5_000);
      expect(found.map(({ id }) => id)).toEqual(['job_5', 'job_3', 'job_1', 'job_4', 'job_2', 'job_0']);
    }
  });

  it('the list of jobs has every job once while jobs change their states during the read', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `job_${n}`);
    await insert(ids.map((id) => ({ id, atMs: 1 })));
    const jobs = scheduler.db.collection<{ _id: string; state: JobState }>('jobs');
    const admin = scheduler.db.client.db('admin');
    // MongoDB lets writers in after each step of a query.
    const { was } = await admin.command({ setParameter: 1, internalQueryExecYieldIterations: 1 });
    let isReading = true;
    const changing = (async () => {
      for (let n = 0; isReading; n++) {
        await jobs.updateOne({ _id: ids[n % ids.length] as string }, [
          { $set: { state: { $cond: [{ $eq: ['$state', 'queued'] }, 'running', 'queued'] } } },
        ]);
      }
    })();
    try {
      for (let read = 0; read < 100; read++) {
        expect(new Set((await pagesOf(50, ['queued', 'running']))[0])).toEqual(new Set(ids));
      }
    } finally {
      isReading = false;
      await changing;
      await admin.command({ setParameter: 1, internalQueryExecYieldIterations: was });
    }
  });

  it('the list of jobs has the wanted ids of the workspace only, newest first, and reads no other job', async () => {
    await insert(Array.from({ length: 500 }, (_, n) => ({ id: `job_${n}`, atMs: n })));
    await insert([{ id: 'job_other', workspaceId: 'ws_b', atMs: 3 }]);
    const jobIds = ['job_7', 'job_other', 'job_400', 'job_unknown'];
    const page = { workspaceId: 'ws_a', states: [], after: null, jobIds, limit: 100 };
    const { jobs, hasMore } = await listJobs(scheduler.deps, page, context);
    expect([jobs.map(({ id }) => id), hasMore]).toEqual([['job_400', 'job_7'], false]);
    const { query, options } = listQuery('ws_a', page);
    const found = scheduler.db.collection('jobs').find(query as never, options as never);
    expect((await found.explain('executionStats')).executionStats.totalDocsExamined).toBeLessThanOrEqual(4);
    for (const refused of [Array.from({ length: 101 }, (_, n) => `job_${n}`), ['job 1']]) {
      const call = listJobs(scheduler.deps, { ...page, jobIds: refused }, context);
      await expect(call).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('the list of jobs refuses a limit outside 1 to 200', async () => {
    for (const limit of [0, 201, Number.NaN]) {
      const page = { workspaceId: 'ws_a', states: [], limit, after: null };
      await expect(listJobs(scheduler.deps, page, context)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
