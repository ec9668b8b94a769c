import { deriveId } from '@shopscope/ids';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimScans } from '../../src/operations/claim-scans.ts';
import type { Requested } from '../../src/operations/queue-jobs.ts';
import { requestScans } from '../../src/operations/request-scans.ts';
import { context, type Scheduler, startScheduler } from './scheduler.ts';

describe('concurrent requests of scans', () => {
  const namespace = testNamespace('scans-together');
  let one: Scheduler;
  let other: Scheduler;
  beforeAll(async () => {
    one = await startScheduler(namespace);
    other = await startScheduler(namespace);
  });
  beforeEach(() => one.reset());
  afterAll(async () => {
    await one?.stop();
    await other?.stop();
    await namespace.cleanup();
  });

  const { origin } = context;
  const domains = Array.from({ length: 150 }, (_, n) => `shop-${n}.example`);
  const chargeOf = (workspaceId: string) => `chg_${workspaceId}`;
  const claim = (workspaceId: string) =>
    claimScans(one.deps, { workspaceId, chargeId: chargeOf(workspaceId), domains, unit: 'lookup_live' }, context);
  const requestsOf = (workspaceId: string, some = domains) =>
    some.map((domain) => {
      const chargeId = chargeOf(workspaceId);
      const jobId = deriveId('job', chargeId, domain);
      return {
        request: { jobId, workspaceId, chargeId, domain, unit: 'lookup_live' as const, requestedAtMs: one.clock.now() },
        origin,
      };
    });
  const jobs = () => one.db.collection('jobs').find().toArray();
  const scans = () => one.db.collection('scans').find().toArray();

  it('scans that two workspaces request at the same time at two instances are one per domain, which both wait for', async () => {
    await Promise.all(['ws_a', 'ws_b'].map(claim));
    await Promise.all([
      requestScans(one.deps, requestsOf('ws_a')),
      requestScans(other.deps, requestsOf('ws_b').reverse()),
      requestScans(other.deps, requestsOf('ws_a')),
    ]);
    const scanOf = new Map((await scans()).map(({ _id, domain }) => [domain, _id]));
    expect([scanOf.size, await one.db.collection('scans').countDocuments()]).toEqual([150, 150]);
    const queued = await jobs();
    expect(queued).toHaveLength(300);
    for (const { state, scanId, domain } of queued) expect([state, scanId]).toEqual(['queued', scanOf.get(domain)]);
  });

  it('scans in one call may have one domain for several workspaces, repetitions, and claims that were dropped', async () => {
    await claim('ws_a');
    const some = domains.slice(0, 3);
    // ws_b has no claims: they were dropped.
    await requestScans(one.deps, [
      ...requestsOf('ws_a', some),
      ...requestsOf('ws_b', some),
      ...requestsOf('ws_a', some),
      ...requestsOf('ws_b', some),
    ]);
    const queued = (await jobs()).filter(({ state }) => state === 'queued');
    expect(
      queued.map(({ workspaceId, domain, holdsPlace }) => `${workspaceId} ${domain} ${holdsPlace}`).sort(),
    ).toEqual(['ws_a', 'ws_b'].flatMap((workspaceId) => some.map((domain) => `${workspaceId} ${domain} true`)));
    expect(await scans()).toHaveLength(3);
  });

  it('scans in one call are all refused when one has the job of another workspace', async () => {
    await claim('ws_a');
    const [own, foreign] = requestsOf('ws_a', domains.slice(0, 2)) as Requested[];
    const stolen = { origin, request: { ...(foreign as Requested).request, workspaceId: 'ws_b' } };
    await expect(requestScans(one.deps, [own as Requested, stolen])).rejects.toThrow(/job_id/);
    expect((await jobs()).filter(({ workspaceId, state }) => workspaceId === 'ws_b' || state !== 'requested')).toEqual(
      [],
    );
  });

  it('scans in one call are all refused when one is invalid, and the refusal names its field', async () => {
    await claim('ws_a');
    const [first, ...rest] = requestsOf('ws_a', domains.slice(0, 3));
    const invalid = { request: { ...first?.request, domain: 'Not A Domain' }, origin } as NonNullable<typeof first>;
    await expect(requestScans(one.deps, [...rest, invalid])).rejects.toThrow(/domain/);
    expect((await jobs()).filter(({ state }) => state !== 'requested')).toEqual([]);
  });
});
