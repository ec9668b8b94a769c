import { dayMs } from '@shopscope/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteList } from '../../src/operations/delete-group.ts';
import { cancelJob } from '../../src/operations/jobs/cancel-job.ts';
import { deleteExpiredJobs } from '../../src/operations/jobs/expire-jobs.ts';
import { listJobResults } from '../../src/operations/jobs/list-job-results.ts';
import { listJobs } from '../../src/operations/jobs/list-jobs.ts';
import { readExportPart } from '../../src/operations/jobs/read-export-part.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import {
  contentOf,
  domainsIn,
  droppedFilter,
  type exportOf,
  fileOf,
  filterOf,
  finish,
  partsOf,
  start,
} from './export-files.ts';
import { context, domainsOf, eventsOf, type JobSystem, startJobSystem, tenantOf } from './job-system.ts';

describe('exports', () => {
  let system: JobSystem;
  beforeAll(async () => {
    system = await startJobSystem('exports');
    await system.createPlan('exports', { lookupCached: 100_000, historyQuery: 100 });
  });
  afterAll(() => system?.stop());
  const all = domainsOf(2_300);
  beforeEach(() => system.search.open(all));
  const newPayer = (over = {}) =>
    system.createWorkspace({ plan: 'exports', scopes: ['read:stores', 'read:signals', 'read:watchlists'], ...over });

  it('an export writes each store once, in order, with the bytes of the store, and bills its rows', async () => {
    const payer = await newPayer();
    const job = await start(system, payer);
    expect(job).toMatchObject({ type: 'export', state: 'queued', total: 2_300, done: 0 });
    const found = await finish(system, job);
    const billed = { lookupCached: 2_300, lookupLive: 0, historyQuery: 0 };
    expect(found).toMatchObject({ state: 'succeeded', total: 2_300, done: 2_300, failed: 0, error: null, billed });
    const parts = await partsOf(system, job, 2);
    expect(parts.map(({ part, rows }) => [part, rows])).toEqual([
      [1, 1_000],
      [2, 1_000],
      [3, 300],
    ]);
    const file = await fileOf(system, job);
    expect(domainsIn(file)).toEqual(all);
    expect(file.split('\n')[0]).toBe(
      `{"domain":"${all[0]}","storefront_id":"sf_${all[0]}","matched":[{"technology":"klaviyo","install_state":"active","since":"at_first_scan","first_observed_at":"1970-01-01T00:00:00.000Z","last_confirmed_at":"1970-01-01T00:00:00.000Z"}],"dropped":[],"changed_since_edition":false,"store":${system.search.row(all[0] as string)?.body}}`,
    );
    expect(await system.ledger(payer.workspaceId)).toMatchObject({ lookupCached: 2_300, historyQuery: 0 });
    const [event] = await eventsOf(system, payer.workspaceId);
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ job_id: job.id, type: 'export', state: 'succeeded' });
  });

  it('an export of changes bills one history_query for each thousand rows', async () => {
    const payer = await newPayer();
    const job = await start(system, payer, { where: droppedFilter });
    expect((await finish(system, job)).billed).toEqual({ lookupCached: 2_300, lookupLive: 0, historyQuery: 3 });
    expect(await system.ledger(payer.workspaceId)).toMatchObject({ lookupCached: 2_300, historyQuery: 3 });
  });

  it('stores that are gone since the edition have no row and are not billed, and the total tells how many there are', async () => {
    const payer = await newPayer();
    const job = await start(system, payer);
    const gone = [...all.slice(0, 3), ...all.slice(-2)];
    for (const domain of gone) system.search.remove(domain);
    await finish(system, job);
    const left = all.filter((domain) => !gone.includes(domain));
    expect(domainsIn(await fileOf(system, job))).toEqual(left);
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', total: left.length, done: left.length });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(left.length);
  });

  it('a file of CSV has its header once, and the parts in their order are the file', async () => {
    const job = await start(system, await newPayer(), { format: 'csv', columns: ['domain', 'store.technologies'] });
    await finish(system, job);
    const lines = (await fileOf(system, job)).split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['domain,store.technologies', `${all[0]},klaviyo; yotpo`]);
    expect(lines).toHaveLength(all.length + 2);
  });

  it('an export over lists has the stores that the lists had at its start, also when they change', async () => {
    const payer = await newPayer();
    const listId = await system.createList(payer.workspaceId, all.slice(0, 1_200));
    const other = await system.createList(payer.workspaceId, all.slice(0, 10));
    const where = filterOf({ list: { any: [listId], none: [other] } });
    const job = await start(system, payer, { where });
    expect(job.total).toBe(1_190);
    await runNextStep(system.deps);
    await system.db.collection('list_stores').deleteMany({ listId: other });
    await finish(system, job);
    expect(domainsIn(await fileOf(system, job))).toEqual(all.slice(10, 1_200));
  });

  it('the deletion of a list cancels its exports, and what is done stays', async () => {
    const payer = await newPayer();
    const listId = await system.createList(payer.workspaceId, all.slice(0, 1_500));
    const job = await start(system, payer, { where: filterOf({ list: { any: [listId] } }) });
    await runNextStep(system.deps);
    await deleteList(system.deps, tenantOf(payer), listId, context());
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'canceled', done: 1_000 });
    expect(await partsOf(system, job)).toHaveLength(1);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(1_000);
  });

  it('a canceled export keeps and bills the parts that it has', async () => {
    const payer = await newPayer();
    const job = await start(system, payer);
    await runNextStep(system.deps);
    expect(await cancelJob(system.deps, tenantOf(payer), job.id, context())).toMatchObject({ state: 'canceled' });
    expect(await system.runSteps()).toBe(0);
    expect(domainsIn(await fileOf(system, job))).toEqual(all.slice(0, 1_000));
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(1_000);
  });

  it('an edition that ends before the first charge is replaced by the latest one', async () => {
    const payer = await newPayer();
    const job = await start(system, payer);
    system.search.open(all.slice(0, 1_100));
    system.search.endEditions();
    await finish(system, job);
    expect(domainsIn(await fileOf(system, job))).toEqual(all.slice(0, 1_100));
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', total: 1_100, done: 1_100 });
  });

  it('an export whose next edition exceeds its bounds fails, and bills nothing', async () => {
    const payer = await newPayer();
    const job = await start(system, payer, { maxRows: 2_300 });
    system.search.open(domainsOf(2_301));
    system.search.endEditions();
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'failed', done: 0, error: { code: 'edition_ended' } });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(0);
  });

  it('an edition that ends after the first charge fails the export, and what is done stays', async () => {
    const payer = await newPayer();
    const job = await start(system, payer);
    await runNextStep(system.deps);
    system.search.open(all);
    system.search.endEditions();
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'failed', done: 1_000, error: { code: 'edition_ended' } });
    expect(domainsIn(await fileOf(system, job))).toEqual(all.slice(0, 1_000));
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(1_000);
  });

  it('an export waits while searches are unavailable, and continues', async () => {
    const job = await start(system, await newPayer());
    await runNextStep(system.deps);
    system.search.state.isAway = true;
    await system.runSteps();
    expect(await system.find(job)).toMatchObject({ state: 'running', done: 1_000 });
    system.search.state.isAway = false;
    await system.passTime(31_000);
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', done: 2_300 });
  });

  it('an export is refused as unavailable while searches are', async () => {
    const payer = await newPayer();
    system.search.state.isAway = true;
    await expect(start(system, payer)).rejects.toMatchObject({ code: 'unavailable' });
    system.search.state.isAway = false;
  });

  it('while the workspace has too many searches, a new export is refused as that, and a running one waits and continues', async () => {
    const payer = await newPayer();
    const job = await start(system, payer);
    await runNextStep(system.deps);
    system.search.state.isBusy = true;
    await system.runSteps();
    const refused = { code: 'concurrency_limited', details: { retry_after: 1 } };
    await expect(start(system, payer)).rejects.toMatchObject(refused);
    system.search.state.isBusy = false;
    await system.passTime(31_000);
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', done: 2_300 });
  });

  it('after the revocation of its key an export fails with what is done', async () => {
    const payer = await newPayer();
    const job = await start(system, payer);
    await runNextStep(system.deps);
    await system.keys.revokeKey({ ...payer, actor: 'operator:test', actorAddress: '', actorPerson: undefined });
    await system.runSteps(system.instance());
    expect(await system.find(job)).toMatchObject({ state: 'failed', done: 1_000, error: { code: 'key_revoked' } });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(1_000);
  });

  it('an export whose key lacks a scope of its query bills nothing', async () => {
    const payer = await newPayer({ scopes: ['read:stores'] });
    const job = await start(system, payer, { where: droppedFilter });
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'failed', done: 0, error: { code: 'key_revoked' } });
  });

  it('an export whose allowance ends fails with what is done, and bills no more', async () => {
    const plan = await system.createPlan('one-export', { lookupCached: 2_500 });
    const payer = await newPayer({ plan });
    const [job, other] = [await start(system, payer), await start(system, payer)];
    const done = await Promise.all([job, other].map((each) => finish(system, each)));
    const rows = done.reduce((sum, each) => sum + each.done, 0);
    expect(done.some(({ error }) => error?.code === 'allowance_exhausted')).toBe(true);
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(rows);
    expect(rows).toBeLessThanOrEqual(2_500);
    const files = await Promise.all([job, other].map((each) => fileOf(system, each)));
    expect(files.flatMap(domainsIn)).toHaveLength(rows);
  });

  it('an export beyond max_rows, max_units or the allowance is refused, and tells no more than a count', async () => {
    const payer = await newPayer();
    const refused = async (over: Parameters<typeof exportOf>[0], message: RegExp) =>
      expect(start(system, payer, over)).rejects.toThrow(message);
    await refused({ maxRows: 2_299 }, /^max_rows: .*2,300$/);
    const bounds = (lookupCached: number | null, historyQuery: number | null = null) => ({
      maxUnits: { lookupCached, historyQuery },
    });
    await refused(bounds(null), /^max_units: is required .*2,300 match/);
    await refused(bounds(2_299), /^max_units: .*up to 2300 lookup_cached$/);
    await refused({ ...bounds(2_300, 2), where: droppedFilter }, /and 3 history_query$/);
    const plan = await system.createPlan('too-few', { lookupCached: 2_299 });
    await expect(start(system, await newPayer({ plan }))).rejects.toMatchObject({ code: 'payment_required' });
    expect(await system.runSteps()).toBe(0);

    system.search.open(all.slice(0, 3));
    await refused({ maxRows: 3 }, /^max_rows: .*fewer than 5$/);
    expect((await start(system, payer, { maxRows: 4, ...bounds(null) })).total).toBe(5);
    const listId = await system.createList(payer.workspaceId, all.slice(0, 14));
    system.search.open(all);
    const where = filterOf({ list: { any: [listId] } });
    await refused({ where, maxRows: 13 }, /^max_rows: .*about 10$/);
    const job = await start(system, payer, { where, maxRows: 14 });
    expect(job.total).toBe(10);
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', total: 14, done: 14 });
  });

  it('an export without a store succeeds without a part, and only after it has run', async () => {
    system.search.open([]);
    const job = await start(system, await newPayer());
    expect(job.state).toBe('queued');
    await finish(system, job);
    expect(await system.find(job)).toMatchObject({ state: 'succeeded', total: 0, done: 0 });
    expect(await partsOf(system, job)).toEqual([]);
  });

  it('calls with one request token start one export', async () => {
    const payer = await newPayer();
    const [one, other] = [
      await start(system, payer, { requestToken: 'chg_1' }),
      await start(system, payer, { requestToken: 'chg_1' }),
    ];
    expect(other.id).toBe(one.id);
  });

  it('lists of another workspace are refused', async () => {
    const listId = await system.createList((await newPayer()).workspaceId, all.slice(0, 3));
    const where = filterOf({ list: { none: [listId] } });
    await expect(start(system, await newPayer(), { where })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the parts of an export are those of its workspace, and an unknown part or position is refused', async () => {
    system.search.open(all.slice(0, 3));
    const [payer, other] = [await newPayer(), await newPayer()];
    const job = await start(system, payer);
    await finish(system, job);
    const read = (workspaceId: string, part: number, fromByte = 0) =>
      readExportPart(system.deps, { workspaceId, environment: 'live' }, { id: job.id, part, fromByte }, context());
    await expect(read(other.workspaceId, 1)).rejects.toMatchObject({ code: 'not_found' });
    for (const part of [0, 2]) await expect(read(payer.workspaceId, part)).rejects.toMatchObject({ code: 'not_found' });
    const { part } = await read(payer.workspaceId, 1);
    await expect(read(payer.workspaceId, 1, part.bytes)).rejects.toMatchObject({ code: 'invalid_request' });
    const page = { id: job.id, afterDomain: '', limit: 10 };
    await expect(listJobResults(system.deps, tenantOf(other), page, context())).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('jobs are listed by their type', async () => {
    const payer = await newPayer();
    const [job, enrichment] = [
      await start(system, payer),
      await system.start(payer, await system.createList(payer.workspaceId, all.slice(0, 1))),
    ];
    const idsOf = async (...types: ('enrich' | 'export')[]) => {
      const filter = { types, states: [], ids: [], after: undefined, limit: 10 };
      return (await listJobs(system.deps, tenantOf(payer), filter, context())).rows.map(({ id }) => id).sort();
    };
    expect(await idsOf('export')).toEqual([job.id]);
    expect(await idsOf()).toEqual([job.id, enrichment.id].sort());
    await system.runSteps();
  });

  it('the pieces of an export are deleted with it, 30 days after its end', async () => {
    const payer = await newPayer();
    const listId = await system.createList(payer.workspaceId, all);
    const job = await start(system, payer, { where: filterOf({ list: { any: [listId] } }) });
    await finish(system, job);
    const [part] = await partsOf(system, job);
    if (part) await contentOf(system, job, part);
    const pieces = () => system.db.collection('bulk_job_parts').countDocuments({ jobId: job.id });
    expect(await pieces()).toBeGreaterThan(3);
    await system.passTime(30 * dayMs - 60_000);
    await deleteExpiredJobs(system.deps);
    expect(await pieces()).toBeGreaterThan(3);
    await system.passTime(120_000);
    const expired = () => system.deps.bulkJobs.listExpired(new Date(system.clock.now()), 1, 5_000);
    while ((await expired()).length > 0) await deleteExpiredJobs(system.deps);
    expect(await pieces()).toBe(0);
    expect(await system.db.collection('bulk_job_steps').countDocuments({ jobId: job.id })).toBe(0);
  });
});
