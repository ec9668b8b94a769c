import { hourMs, secondMs } from '@shopscope/clock';
import { waitUntil } from '@shopscope/testing';
import { recordDeletion } from '@shopscope/workspace-deletion';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addStores } from '../../src/operations/add-stores.ts';
import { createWatchlist } from '../../src/operations/create-group.ts';
import { deleteHiddenStores } from '../../src/operations/delete-hidden-stores.ts';
import { deleteWorkspaces } from '../../src/operations/delete-workspaces.ts';
import { listsOf, watchlistsOf } from '../../src/operations/group-kinds.ts';
import { runNextStep } from '../../src/operations/jobs/run-next-step.ts';
import { runRescans } from '../../src/operations/rescans/run-rescans.ts';
import { environmentCollections } from '../../src/outbound/mongo/stores.ts';
import { context, domainsOf, type JobSystem, type Live, startJobSystem, tenantOf } from './job-system.ts';

const bounds = { maxBatchSize: 1_000, maxPerRun: 10_000 };
const by = { actor: 'operator:test', actorAddress: '' };

describe('the deletion of a workspace that has work', () => {
  let system: JobSystem;
  const known = domainsOf(250, 'known');
  beforeAll(async () => {
    system = await startJobSystem('workspace-deletion-work');
    await system.addToCorpus(known);
  });
  afterAll(() => system?.stop());

  const newJob = async () => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, known);
    return { ...payer, listId, tenant: tenantOf(payer), job: await system.start(payer, listId) };
  };
  const runTimer = async () => {
    await system.passTime(secondMs);
    await runRescans(system.deps, new AbortController().signal);
    await runNextStep(system.deps);
    await deleteWorkspaces(system.deps, bounds);
    await deleteHiddenStores(system.deps, listsOf(system.deps), bounds);
    await deleteHiddenStores(system.deps, watchlistsOf(system.deps), bounds);
  };
  const collectionsOf = async (workspaceId: string) => {
    const found: string[] = [];
    for (const name of Object.keys(environmentCollections)) {
      const documents = await system.db.collection(name).find().toArray();
      if (documents.some((document) => JSON.stringify(document).includes(workspaceId))) found.push(name);
    }
    return found;
  };
  const isGone = async (workspaceId: string) => (await collectionsOf(workspaceId)).join() === 'deleted_workspaces';
  const remove = ({ tenant }: { tenant: ReturnType<typeof tenantOf> }) =>
    recordDeletion(system.deps, tenant, new Date(system.clock.now()));

  it('a step that was billed ends before its job, and the job before its data is deleted', async () => {
    const payer = await newJob();
    const dying: Live = system.instance();
    const jobSteps = { ...dying.jobSteps, show: () => Promise.reject(new Error('killed')), release: async () => {} };
    await runNextStep({ ...dying, jobSteps, bulkJobs: { ...dying.bulkJobs, delay: async () => {} } });
    await remove(payer);
    await deleteWorkspaces(system.deps, bounds);
    expect(await system.find(payer.job)).toMatchObject({ state: 'canceling', done: 0, stored: { steps: 1 } });
    await system.passTime(31 * secondMs);
    await runNextStep(system.deps);
    expect(await system.find(payer.job)).toMatchObject({ state: 'canceled', done: 100, billed: { lookupCached: 100 } });
    await waitUntil('the deletion', async () => {
      await runTimer();
      return isGone(payer.workspaceId);
    });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(100);
  });

  it('an execution of a step whose workspace is deleted meanwhile bills nothing and ends quietly', async () => {
    const payer = await newJob();
    const { charging, ...slow } = system.instance();
    const { lookUpMany } = charging.profiles;
    const profiles = {
      ...charging.profiles,
      async lookUpMany(...args: Parameters<typeof lookUpMany>) {
        await remove(payer);
        await deleteWorkspaces(system.deps, bounds);
        await waitUntil('the deletion', async () => {
          await runTimer();
          return (await collectionsOf(payer.workspaceId)).every((name) => !name.startsWith('bulk_job'));
        });
        return lookUpMany(...args);
      },
    };
    await runNextStep({ ...slow, charging: { ...charging, profiles } } as Live);
    await waitUntil('the deletion', async () => {
      await runTimer();
      return isGone(payer.workspaceId);
    });
    expect((await system.ledger(payer.workspaceId)).lookupCached).toBe(0);
  });

  it('rescans that have not begun are canceled, and their units return', async () => {
    const { workspaceId, keyId } = await system.createWorkspace();
    const tenant = tenantOf({ workspaceId });
    const creation = { name: 'W', signalTypes: [], technologies: [], quota: 10, requestToken: '' };
    const rescans = { interval: { days: 7 }, budget: { refreshRequested: undefined }, keyId };
    const { id } = await createWatchlist(system.deps, tenant, { ...creation, rescans }, context());
    const stores = domainsOf(200, 'watched').map((domain) => ({ domain }));
    await addStores(system.deps, watchlistsOf(system.deps), tenant, { id, stores, quota: 1e9 }, context());
    await system.passTime(hourMs);
    await runRescans(system.deps, new AbortController().signal);
    const jobs = () => system.database('scan-scheduler').collection('jobs').find({ workspaceId }).toArray();
    const statesOf = async () => [...new Set((await jobs()).map(({ state }) => state))];
    await waitUntil('the queue', async () => (await statesOf()).join() === 'queued');
    expect((await system.ledger(workspaceId)).refreshRequested).toBeGreaterThan(0);
    await system.keys.deleteWorkspace({ workspaceId, ...by });
    await remove({ tenant });
    await waitUntil('the deletion', async () => {
      await runTimer();
      return isGone(workspaceId);
    });
    expect(await statesOf()).toEqual(['canceled']);
    await waitUntil('the refunds', async () => (await system.ledger(workspaceId)).refreshRequested === 0);
  });

  it('a call that starts a job of a deleted workspace is refused, and creates nothing', async () => {
    const payer = await system.createWorkspace();
    const listId = await system.createList(payer.workspaceId, known);
    await remove({ tenant: tenantOf(payer) });
    await expect(system.start(payer, listId)).rejects.toMatchObject({ code: 'not_found' });
    const created = (await collectionsOf(payer.workspaceId)).filter((name) => name.startsWith('bulk_job'));
    expect(created).toEqual([]);
  });
});
