import { hourMs, periodAt } from '@shopscope/clock';
import type { CallContext } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { ClaimOutcome, ScanUnit, unitsOf } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addStores } from '../../src/operations/add-stores.ts';
import { createWatchlist } from '../../src/operations/create-group.ts';
import { findGroup } from '../../src/operations/find-group.ts';
import { watchlistsOf } from '../../src/operations/group-kinds.ts';
import { removeStores } from '../../src/operations/remove-stores.ts';
import { runRescans } from '../../src/operations/rescans/run-rescans.ts';
import { context, domainsOf, eventsOf, type JobSystem, type Live, startJobSystem, tenantOf } from './job-system.ts';

const by = { actor: 'operator:test', actorAddress: '' };

/** Rescans with keys, metering, profiles and scan-scheduler. */
describe('rescans of a whole system', () => {
  let system: JobSystem;
  let second: Live;
  beforeAll(async () => {
    system = await startJobSystem('rescan-system');
    second = system.instance();
  });
  afterAll(() => system?.stop());

  async function watch({
    count,
    plan,
    days = 7,
    budget,
  }: {
    count: number;
    plan: string;
    days?: number;
    budget?: number;
  }) {
    const { workspaceId, keyId } = await system.createWorkspace({ plan });
    const tenant = tenantOf({ workspaceId });
    const rescans = { interval: { days }, budget: { refreshRequested: budget }, keyId };
    const creation = { name: 'W', signalTypes: [], technologies: [], quota: 10, requestToken: '', rescans };
    const { id } = await createWatchlist(system.deps, tenant, creation, context());
    const domains = domainsOf(count, workspaceId.slice(-6).replaceAll('_', '-'));
    const stores = domains.map((domain) => ({ domain }));
    await addStores(system.deps, watchlistsOf(system.deps), tenant, { id, stores, quota: 1e9 }, context());
    return {
      workspaceId,
      keyId,
      tenant,
      id,
      domains,
      get: () => findGroup(watchlistsOf(system.deps), tenant, id, context()),
    };
  }
  /** Passes time in steps; both instances run after each. */
  async function pass(ms: number, stepMs: number, instances = [system.deps, second]) {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await system.passTime(stepMs);
      await Promise.all(instances.map((deps) => runRescans(deps, new AbortController().signal)));
    }
  }
  const jobsOf = (workspaceId: string) =>
    system.database('scan_scheduler').collection('jobs').find({ workspaceId }).toArray();
  const spent = async (workspaceId: string) => (await system.ledger(workspaceId)).refreshRequested;

  it('a revoked key pauses rescans, and a removed store gets its unit back', async () => {
    const watched = await watch({ count: 200, plan: 'growth' });
    // After a longer time, scan-scheduler lets the job expire.
    await pass(hourMs / 2, hourMs / 2);
    await waitUntil('queued', async () => (await jobsOf(watched.workspaceId)).every(({ state }) => state === 'queued'));
    const jobs = await jobsOf(watched.workspaceId);
    expect(jobs).toHaveLength(1);
    expect(await spent(watched.workspaceId)).toBe(jobs.length);
    const domains = jobs.map(({ domain }) => domain as string);
    await removeStores(system.deps, watchlistsOf(system.deps), watched.tenant, { id: watched.id, domains }, context());
    await pass(2_000, 1_000);
    expect((await jobsOf(watched.workspaceId)).filter(({ state }) => state === 'canceled')).toHaveLength(jobs.length);
    await waitUntil('refunds', async () => (await spent(watched.workspaceId)) === (await watched.get()).rescans.taken);

    await system.keys.revokeKey({ workspaceId: watched.workspaceId, keyId: watched.keyId, ...by });
    // The other instances may have cached the key for up to 30 s.
    await pass(4 * hourMs, hourMs, [system.instance()]);
    expect(await watched.get()).toMatchObject({ rescans: { paused: 'key_revoked' } });
  });

  it('a removed store leaves a scan that an explicit request of the workspace has joined', async () => {
    const watched = await watch({ count: 200, plan: 'growth' });
    const { workspaceId } = watched;
    await pass(hourMs / 2, hourMs / 2);
    await waitUntil('queued', async () => (await jobsOf(workspaceId))[0]?.state === 'queued');
    const [job] = await jobsOf(workspaceId);
    const { scheduler } = system.deps.charging;
    const domains = [job?.domain as string];
    const explicit = { workspaceId, chargeId: newId('chg'), domains, unit: ScanUnit.REFRESH_REQUESTED };
    const { origin, deadline } = context() as CallContext;
    const [claim] = await scheduler.claimScans(explicit, origin, deadline);
    expect(claim).toMatchObject({ jobId: job?._id, outcome: ClaimOutcome.JOINED });
    await removeStores(system.deps, watchlistsOf(system.deps), watched.tenant, { id: watched.id, domains }, context());
    await pass(2_000, 1_000);
    // The withdrawal has ended.
    expect(await system.db.collection('rescans').countDocuments({ workspaceId, jobId: job?._id })).toBe(0);
    expect((await jobsOf(workspaceId)).find(({ _id }) => _id === job?._id)).toMatchObject({ state: 'queued' });
    expect(await spent(workspaceId)).toBe((await jobsOf(workspaceId)).length);
  });

  it('a spent allowance pauses rescans until the next period, in which they continue', async () => {
    const plan = await system.createPlan('rescans-2', { refreshRequested: 2 });
    const watched = await watch({ count: 2_000, plan });
    await pass(3 * hourMs, hourMs);
    expect(await watched.get()).toMatchObject({ rescans: { paused: 'allowance_exhausted' } });
    expect(await system.ledger(watched.workspaceId)).toEqual(unitsOf({ refreshRequested: 2 }));
    expect(await jobsOf(watched.workspaceId)).toHaveLength(2);
    const until = (await watched.get()).rescans.nextAt?.getTime() ?? 0;
    await system.passTime(until - system.clock.now() + 1_000);
    await pass(3 * hourMs, hourMs);
    expect((await eventsOf(system, watched.workspaceId)).map(({ type }) => type).slice(0, 2)).toEqual([
      'watchlist.rescans_paused',
      'watchlist.rescans_resumed',
    ]);
    expect((await jobsOf(watched.workspaceId)).length).toBeGreaterThan(2);
  });

  it('two instances spend a budget to the unit, each rescan is one scan job, and the ledger agrees', {
    tags: ['nightly'],
    timeout: 120_000,
  }, async () => {
    const watched = await watch({ count: 2_000, plan: 'growth', budget: 12 });
    const { endMs } = periodAt(system.clock.now());
    await pass(endMs - system.clock.now() - 8 * hourMs, 8 * hourMs);
    expect(await watched.get()).toMatchObject({ rescans: { taken: 12, turn: 12, paused: 'budget_exhausted' } });
    expect(await spent(watched.workspaceId)).toBe(12);
    expect(await jobsOf(watched.workspaceId)).toHaveLength(12);
  });
});
