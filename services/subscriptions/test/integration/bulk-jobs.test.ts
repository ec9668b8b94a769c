import { dayMs } from '@shopscope/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxUnfinishedJobs } from '../../src/domain/bulk-job.ts';
import { deleteList } from '../../src/operations/delete-group.ts';
import { listsOf } from '../../src/operations/group-kinds.ts';
import { cancelJob } from '../../src/operations/jobs/cancel-job.ts';
import { deleteExpiredJobs, failStandingJobs } from '../../src/operations/jobs/expire-jobs.ts';
import { listJobResults } from '../../src/operations/jobs/list-job-results.ts';
import { listJobs } from '../../src/operations/jobs/list-jobs.ts';
import { quoteListEnrich } from '../../src/operations/jobs/quote-list-enrich.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { removeStores } from '../../src/operations/remove-stores.ts';
import type { JobFilter } from '../../src/outbound/mongo/bulk-jobs.ts';
import { context, domainsOf, eventsOf, type JobSystem, startJobSystem, tenantOf } from './job-system.ts';

describe('jobs over lists', () => {
  let system: JobSystem;
  const known = domainsOf(150, 'known');
  const stale = domainsOf(30, 'stale');
  const unknown = domainsOf(70, 'unknown');
  const all = [...known, ...stale, ...unknown];

  beforeAll(async () => {
    system = await startJobSystem('bulk-jobs');
    await system.addToCorpus(known);
    await system.addToCorpus(stale, 100);
  });
  afterAll(() => system?.stop());

  const newJob = async (domains: readonly string[]) => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, domains);
    return { payer, listId, job: await system.start(payer, listId) };
  };

  /** Runs the timer until no job has expired. */
  const deleteExpired = async () => {
    const expired = () => system.deps.bulkJobs.listExpired(new Date(system.clock.now()), 1, 5_000);
    while ((await expired()).length > 0) await deleteExpiredJobs(system.deps);
  };

  it('the searches of a tick read no ended job', async () => {
    const ended = Array.from({ length: 200 }, (_, n) => ({ _id: `job_uended${n}` as never, workspaceId: 'ws_ended' }));
    const jobs = system.db.collection('bulk_jobs');
    await jobs.insertMany(
      ended.map((each) => ({ ...each, isActive: false, state: 'succeeded', progressAt: new Date(0) })),
    );
    await system.db.command({ profile: 2 });
    const { bulkJobs } = system.deps;
    await bulkJobs.listStanding(['running'], new Date(system.clock.now()), 10, 5_000);
    await bulkJobs.activity(5_000);
    await bulkJobs.countActiveEverywhere();
    await system.db.command({ profile: 0 });
    const reads = await system.db
      .collection('system.profile')
      .find({ ns: jobs.namespace, op: { $in: ['query', 'command'] } })
      .toArray();
    expect(reads.length).toBeGreaterThanOrEqual(3);
    for (const { docsExamined } of reads) expect(docsExamined).toBeLessThan(ended.length);
    await jobs.deleteMany({ workspaceId: 'ws_ended' });
  });

  it('a job answers each store once, by domain, with the bytes of the store, and bills what it answers', async () => {
    const { payer, job: started } = await newJob(all);
    expect(started).toMatchObject({ state: 'queued', total: 250, done: 0 });
    expect(started.id).toMatch(/^job_u/);
    await system.runSteps();
    const job = await system.find(started);
    expect(job).toMatchObject({
      state: 'succeeded',
      done: 250,
      failed: 0,
      billed: { lookupCached: 180, lookupLive: 0 },
    });
    const results = await system.results(started, 7);
    expect(results.map(({ domain }) => domain)).toEqual([...all].sort());
    for (const { domain, externalId, match, store } of results) {
      expect(externalId).toBe(`ext-${domain}`);
      expect(match).toBe(domain.startsWith('known') ? 'matched' : domain.startsWith('stale') ? 'stale' : 'no_match');
      expect(store?.toString()).toBe(match === 'no_match' ? undefined : `{"domain":"${domain}","name":"Ä"}`);
    }
    expect(await system.ledger(payer.workspaceId)).toMatchObject({ lookupCached: 180, lookupLive: 0 });
    const events = await eventsOf(system, payer.workspaceId);
    expect(events.map(({ type }) => type)).toEqual(['job.finished']);
    expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
      job_id: job.id,
      type: 'enrich',
      state: 'succeeded',
      progress: { total: 250, done: 250, failed: 0 },
    });
  });

  it('a quote counts the stores of a list and what a job would bill, and changes nothing', async () => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, all);
    const quote = (refresh: boolean) =>
      quoteListEnrich(system.deps, tenantOf(payer), { listId, keyId: payer.keyId, refresh }, context());
    const counts = { matched: 150, stale: 30, unknown: 70 };
    expect(await quote(false)).toMatchObject({ ...counts, units: { lookupCached: 180, lookupLive: 0 } });
    expect(await quote(true)).toMatchObject({ ...counts, units: { lookupCached: 180, lookupLive: 100 } });
    expect(await system.deps.bulkJobs.list(tenantOf(payer), noFilter, new Date(), 10, 5_000)).toEqual([]);
  });

  it('a job has the stores that its list had at the start, whatever changes afterwards', async () => {
    const { payer, listId, job } = await newJob(known.slice(0, 10));
    const removed = { id: listId, domains: known.slice(0, 5) };
    await removeStores(system.deps, listsOf(system.deps), tenantOf(payer), removed, context());
    await system.runSteps();
    expect((await system.results(job)).map(({ domain }) => domain)).toEqual(known.slice(0, 10));
  });

  it('a page of results with large stores is shorter, and the pages have every store', async () => {
    const domains = domainsOf(8, 'large');
    await system.addToCorpus(domains, 0, 1_000_000);
    const { payer, job } = await newJob(domains);
    await system.runSteps();
    const page = await listJobResults(
      system.deps,
      tenantOf(payer),
      { id: job.id, afterDomain: '', limit: 200 },
      context(),
    );
    expect(page).toMatchObject({ hasMore: true, results: { length: 5 } });
    expect((await system.results(job)).map(({ domain }) => domain)).toEqual(domains);
  });

  it('a job over an empty list ends at once', async () => {
    const { job } = await newJob([]);
    expect(job).toMatchObject({ state: 'succeeded', total: 0 });
  });

  it('a canceled job keeps and bills what is done, and a job that has ended is returned as it is', async () => {
    const { payer, job } = await newJob(known);
    await runNextStep(system.deps);
    const canceled = await cancelJob(system.deps, tenantOf(payer), job.id, context());
    expect(canceled).toMatchObject({ state: 'canceled', done: 100, billed: { lookupCached: 100 } });
    expect(await system.runSteps()).toBe(0);
    expect((await system.results(job)).length).toBe(100);
    expect(await cancelJob(system.deps, tenantOf(payer), job.id, context())).toEqual(canceled);
    expect(await system.ledger(payer.workspaceId)).toMatchObject({ lookupCached: 100 });
  });

  it('the deletion of a list cancels its jobs and keeps their results, also those of a job that starts meanwhile', async () => {
    const { payer, listId, job } = await newJob(known);
    await runNextStep(system.deps);
    await deleteList(system.deps, tenantOf(payer), listId, context());
    expect(await system.find(job)).toMatchObject({ state: 'canceled', done: 100 });
    expect((await system.results(job)).length).toBe(100);
    const late = await newJob(known);
    await system.db.collection('lists').updateOne({ _id: late.listId as never }, { $set: { deletedAt: new Date() } });
    await system.runSteps();
    expect(await system.find(late.job)).toMatchObject({ state: 'canceled', done: 0 });
  });

  it('calls with one request token start one job within 24 hours, also at the same time', async () => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, known.slice(0, 3));
    const start = () => system.start(payer, listId, { requestToken: 'token' });
    const ids = (await Promise.all([start(), start(), start()])).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    await system.runSteps();
    expect((await start()).id).toBe(ids[0]);
    await system.passTime(dayMs);
    expect((await start()).id).not.toBe(ids[0]);
    await system.runSteps();
  });

  it('a workspace has a bounded number of unfinished jobs: a call beyond them copies no store, and a repeated call gets its job', async () => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, known.slice(0, 1));
    const first = await system.start(payer, listId, { requestToken: 'first' });
    for (let n = 1; n < maxUnfinishedJobs; n++) await system.start(payer, listId);
    const steps = () => system.db.collection('bulk_job_steps').countDocuments({ workspaceId: payer.workspaceId });
    expect(await steps()).toBe(maxUnfinishedJobs);
    const refused = { code: 'invalid_request', details: { field: 'list_id' } };
    await expect(system.start(payer, listId)).rejects.toMatchObject(refused);
    expect(await steps()).toBe(maxUnfinishedJobs);
    expect((await system.start(payer, listId, { requestToken: 'first' })).id).toBe(first.id);
    await system.runSteps();
    await system.start(payer, listId);
    await system.runSteps();
  });

  it('workspaces take turns, however many jobs one of them has', async () => {
    const many = await system.createWorkspace();
    const manyList = await system.createList(many.workspaceId, known);
    for (let n = 0; n < 5; n++) await system.start(many, manyList);
    const { payer: one, job } = await newJob(known);
    await system.runSteps(system.deps, 4);
    expect((await system.find(job)).done).toBe(150);
    await system.runSteps();
    expect((await system.ledger(one.workspaceId)).lookupCached).toBe(150);
  });

  it('jobs are listed by creation, the newest first, with filters and by ids', async () => {
    const { payer, listId, job: first } = await newJob(known.slice(0, 1));
    await system.runSteps();
    await system.passTime(1_000);
    const second = await system.start(payer, listId);
    const list = async (filter: Partial<typeof noFilter>, limit = 10) => {
      const page = await listJobs(system.deps, tenantOf(payer), { ...noFilter, ...filter, limit }, context());
      return page.rows.map(({ id }) => id);
    };
    expect(await list({})).toEqual([second.id, first.id]);
    expect(await list({}, 1)).toEqual([second.id]);
    expect(await list({ after: { createdAt: second.createdAt, id: second.id } })).toEqual([first.id]);
    expect(await list({ states: ['succeeded'] })).toEqual([first.id]);
    expect(await list({ ids: [first.id, 'job_01kandxv3w9p4nsbq7g8e2hm5t', 'job_unknown'] })).toEqual([first.id]);
    await system.runSteps();
  });

  it('no call finds a job or its results 30 days after its end, and the timer deletes them', async () => {
    const { payer, job } = await newJob(known);
    await system.runSteps();
    await system.passTime(30 * dayMs - 60_000);
    expect((await system.results(job)).length).toBe(150);
    await system.passTime(60_000);
    await expect(system.results(job)).rejects.toMatchObject({ code: 'not_found' });
    await deleteExpired();
    const { workspaceId } = payer;
    for (const name of ['bulk_jobs', 'bulk_job_steps', 'bulk_job_results']) {
      expect(await system.db.collection(name).countDocuments({ workspaceId })).toBe(0);
    }
  });

  it('a job whose start was killed is never seen, and the timer deletes it', async () => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, known);
    const killed = { ...system.deps, changes: { run: () => Promise.reject(new Error('killed')) } as never };
    killed.bulkJobs = { ...killed.bulkJobs, discard: () => Promise.reject(new Error('killed')) };
    await expect(system.start(payer, listId, {}, killed)).rejects.toThrow('killed');
    expect(await system.runSteps()).toBe(0);
    expect(await system.deps.bulkJobs.list(tenantOf(payer), noFilter, new Date(0), 10, 5_000)).toEqual([]);
    await system.passTime(10 * 60_000);
    await deleteExpired();
    expect(await system.db.collection('bulk_job_steps').countDocuments({ workspaceId: payer.workspaceId })).toBe(0);
  });

  it('a job without progress for seven days fails, and keeps the results that it has', async () => {
    const { payer, job } = await newJob(known);
    await runNextStep(system.deps);
    await system.passTime(7 * dayMs - 60_000);
    await failStandingJobs(system.deps);
    expect((await system.find(job)).state).toBe('running');
    await system.passTime(60_000);
    await failStandingJobs(system.deps);
    expect(await system.find(job)).toMatchObject({ state: 'failed', error: { code: 'internal' }, done: 100 });
    expect((await system.results(job)).length).toBe(100);
    expect((await eventsOf(system, payer.workspaceId)).length).toBe(1);
  });
});

const noFilter: JobFilter = { types: [], states: [], ids: [], after: undefined };
