import { minuteMs } from '@shopscope/clock';
import type { Transact } from '@shopscope/mongo';
import { ScanJobEndState, ScanUnit } from '@shopscope/proto';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropClaims } from '../../src/operations/drop-claims.ts';
import { simulateScans } from '../../src/operations/simulate-scans.ts';
import { policy, type Scheduler } from './scheduler.ts';
import { type Simulator, simulatorOf, startSimulated } from './simulator.ts';

const found = [
  'matched.test',
  'stale.test',
  'unknown.test',
  'changes.test',
  'flaps.test',
  'migrates.test',
  'password.test',
  'closed.test',
  'redirects.test',
  'huge.test',
  'no-catalogue.test',
  'xn--bcher-kva.test',
  'store-0001.test',
  'store-1000.test',
];
const failing = [
  ['scan-fails.test', 'unreachable'],
  ['forbidden.test', 'robots_disallowed'],
  ['store-1001.test', 'unreachable'],
  ['any-other-name.test', 'unreachable'],
] as const;

describe('simulated scans', () => {
  const namespace = testNamespace('simulated-scans');
  let scheduler: Scheduler;
  let simulator: Simulator;
  beforeAll(async () => {
    scheduler = await startSimulated(namespace);
    simulator = simulatorOf(scheduler);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });
  const liveCollections = ['jobs', 'scans', 'scan_targets', 'queue_starts', 'pacing_targets', 'refresh_budget'];
  const countLive = () => Promise.all(liveCollections.map((name) => scheduler.db.collection(name).countDocuments({})));

  it.each(found)(
    'a scan of %s runs for two seconds, and its job succeeds when profiles has merged it',
    async (domain) => {
      const jobId = await simulator.queue('ws_a', 'chg_1', domain);
      expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'queued', attempts: 0, startedAt: null });
      await simulator.pass(500);
      const startedAt = new Date(scheduler.clock.now());
      expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'running', attempts: 1, startedAt });
      await simulator.pass(1_750);
      expect(await simulator.completed()).toEqual([]);
      await simulator.pass(250);
      const { scanId } = await simulator.job('ws_a', jobId);
      const event = { workspaceId: 'ws_a', domain, scanId, sequence: 1, completedAtMs: scheduler.clock.now() };
      expect(await simulator.completed()).toEqual([event]);
      expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'running' });
      expect(await simulator.jobEnds()).toEqual([]);

      await simulator.merge();
      await simulator.merge();
      const finishedAt = new Date(scheduler.clock.now());
      expect(await simulator.job('ws_a', jobId)).toMatchObject({
        state: 'succeeded',
        error: null,
        finishedAt,
        holdsPlace: false,
      });
      expect(await simulator.jobEnds()).toEqual([
        {
          jobId,
          workspaceId: 'ws_a',
          domain,
          state: ScanJobEndState.SUCCEEDED,
          errorCode: '',
          errorMessage: '',
          endedAtMs: finishedAt.getTime(),
          unit: ScanUnit.REFRESH_REQUESTED,
          scanId,
        },
      ]);
    },
  );

  it.each(failing)('a scan of %s fails as %s, and profiles gets no event', async (domain, code) => {
    const jobId = await simulator.queue('ws_a', 'chg_1', domain);
    await simulator.pass(2_500);
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'failed', error: { code }, attempts: 1 });
    expect(await simulator.jobEnds()).toMatchObject([{ jobId, state: ScanJobEndState.FAILED, errorCode: code }]);
    expect(await simulator.completed()).toEqual([]);
    expect(await scheduler.db.collection('test_scan_targets').countDocuments({})).toBe(0);
  });

  it('a scan of slow.test runs for 60 seconds, even if another instance continues it', async () => {
    const jobId = await simulator.queue('ws_a', 'chg_1', 'slow.test');
    await simulator.pass(30_000);
    const restarted = await startSimulated(namespace);
    const continued = simulatorOf({ ...scheduler, test: { ...restarted.test, clock: scheduler.clock } });
    await continued.pass(30_250);
    expect(await continued.completed()).toEqual([]);
    expect(await continued.job('ws_a', jobId)).toMatchObject({ state: 'running' });
    await continued.pass(250);
    expect(await continued.completed()).toMatchObject([{ domain: 'slow.test', sequence: 1 }]);
    await restarted.stop();
  });

  it('a scan that was due while no instance ran ends at once, and counts no further attempt', async () => {
    const jobId = await simulator.queue('ws_a', 'chg_1', 'scan-fails.test');
    scheduler.clock.advance(10 * minuteMs);
    await simulator.pass(250);
    scheduler.clock.advance(10 * minuteMs);
    await simulator.pass(250);
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'failed', attempts: 1 });
  });

  it('the scans of a store have consecutive numbers per workspace, and failed or canceled scans have none', async () => {
    for (const n of [1, 2, 3]) {
      for (const workspaceId of ['ws_a', 'ws_b']) {
        await simulator.queueAll(workspaceId, `chg_${workspaceId}${n}`, ['changes.test', 'scan-fails.test']);
      }
      await simulator.pass(2_500);
      await simulator.merge();
      const canceled = await simulator.queue('ws_a', `chg_canceled${n}`, 'changes.test');
      await simulator.pass(1_000);
      await simulator.cancel('ws_a', canceled);
    }
    const numbers = (await simulator.completed()).map(({ workspaceId, sequence }) => [workspaceId, sequence]);
    expect(numbers).toEqual(
      [1, 2, 3].flatMap((n) => [
        ['ws_a', n],
        ['ws_b', n],
      ]),
    );
  });

  it('a job that profiles rejects fails with the reason', async () => {
    const jobId = await simulator.queue('ws_a', 'chg_1', 'matched.test');
    await simulator.pass(2_500);
    await simulator.merge('rejected');
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'failed', error: { code: 'rejected' } });
  });

  it('a scan that profiles never merges fails as observation_lost, and a later report changes nothing', async () => {
    const jobId = await simulator.queue('ws_a', 'chg_1', 'matched.test');
    await simulator.pass(2_500);
    scheduler.clock.advance(policy.mergeWaitMs - 500);
    await simulator.pass(250);
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'running' });
    await simulator.pass(250);
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'failed', error: { code: 'observation_lost' } });
    await simulator.merge();
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'failed' });
    expect(await simulator.jobEnds()).toHaveLength(1);
  });

  const dropClaim = async () => {
    const [claim] = await simulator.claim('ws_a', 'chg_1', ['matched.test']);
    scheduler.clock.advance(policy.claimWaitMs);
    await dropClaims(simulator.deps, 10);
    await dropClaims(simulator.deps, 10);
    expect(await scheduler.db.collection('test_jobs').countDocuments({})).toBe(0);
    return claim?.jobId ?? '';
  };

  it('a claim without a request is dropped in the test environment, too, and its late request inserts the job again', async () => {
    const jobId = await dropClaim();
    await simulator.request('ws_a', 'chg_1', ['matched.test']);
    await simulator.request('ws_a', 'chg_1', ['matched.test']);
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'queued' });
    await simulator.pass(2_500);
    await simulator.merge();
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
    expect(await simulator.jobEnds()).toHaveLength(1);
  });

  it('a request from before a reset inserts no job, and one from after it does', async () => {
    await dropClaim();
    const requestedAtMs = scheduler.clock.now();
    scheduler.clock.advance(1_000);
    await simulator.reset('ws_a');
    await simulator.request('ws_a', 'chg_1', ['matched.test'], requestedAtMs);
    expect(await scheduler.db.collection('test_jobs').countDocuments({})).toBe(0);
    scheduler.clock.advance(1_000);
    await simulator.request('ws_a', 'chg_1', ['matched.test']);
    expect(await scheduler.db.collection('test_jobs').countDocuments({})).toBe(1);
  });

  it('the deletion of a workspace deletes its simulated scans, observed ones too, and late requests and reports bring nothing back', async () => {
    const other = await simulator.queue('ws_b', 'chg_9', 'changes.test');
    const requestedAtMs = scheduler.clock.now();
    await simulator.queueAll('ws_a', 'chg_1', ['matched.test', 'scan-fails.test']);
    await simulator.pass(2_500);
    await simulator.queue('ws_a', 'chg_2', 'slow.test');
    await simulator.delete('ws_a');
    await simulator.merge();
    await simulator.request('ws_a', 'chg_1', ['matched.test'], requestedAtMs);
    for (const name of ['test_jobs', 'test_scans']) {
      expect(await scheduler.db.collection(name).countDocuments({ workspaceId: 'ws_a' })).toBe(0);
    }
    const counts = await scheduler.db.collection('test_scan_targets').find({ workspaceId: 'ws_a' }).toArray();
    expect(counts).toEqual([
      { _id: 'ws_a', workspaceId: 'ws_a', resetAt: expect.any(Date), forgetAt: expect.any(Date) },
    ]);
    expect(await simulator.job('ws_b', other)).toMatchObject({ state: 'succeeded' });
  });

  it('the turns of simulated scans are fair: a workspace with many due scans does not delay another one', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `many-${n}.test`);
    await simulator.queueAll('ws_a', 'chg_1', many);
    const jobId = await simulator.queue('ws_b', 'chg_2', 'scan-fails.test');
    scheduler.clock.advance(500);
    // The other workspace has its turn after one turn of this one.
    let turns = 0;
    const walked: number[] = [];
    const counting: Transact = async (work) => {
      const result = await simulator.deps.transact(work);
      turns++;
      if ((await simulator.job('ws_b', jobId)).state === 'running') walked.push(turns);
      return result;
    };
    await simulateScans({ ...simulator.deps, transact: counting });
    expect(walked[0]).toBe(2);
    expect(turns).toBe(7);
  });

  it('hundreds of scans of a workspace at once end within 5 seconds, as one does', async () => {
    const domains = Array.from({ length: 400 }, (_, n) => `many-${n}.test`);
    await simulator.queueAll('ws_a', 'chg_1', domains);
    await simulator.pass(3_000);
    const jobs = scheduler.db.collection('test_jobs');
    expect(await jobs.countDocuments({ workspaceId: 'ws_a', state: 'failed' })).toBe(400);
    expect(await scheduler.db.collection('test_scans').countDocuments({})).toBe(0);
  });

  it('a domain that belongs to the other environment is neither claimed nor requested, and the error names it', async () => {
    const refused = (domain: string) => ({ code: 'invalid_request', message: expect.stringContaining(domain) });
    await expect(simulator.claim('ws_a', 'chg_1', ['matched.test', 'shop.example'])).rejects.toMatchObject(
      refused('shop.example'),
    );
    await expect(simulator.request('ws_a', 'chg_1', ['shop.example'])).rejects.toMatchObject(refused('shop.example'));
    await expect(scheduler.claim('ws_a', 'chg_1', 'matched.test')).rejects.toMatchObject(refused('matched.test'));
    await expect(scheduler.request('ws_a', 'chg_1', 'matched.test')).rejects.toMatchObject(refused('matched.test'));
    expect(await scheduler.db.collection('test_jobs').countDocuments({})).toBe(0);
    expect(await countLive()).toEqual(liveCollections.map(() => 0));
  });

  it('simulated scans change no live collection, and write no event of a live topic', async () => {
    const live = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const before = await countLive();
    const [, canceled] = await simulator.queueAll('ws_a', 'chg_2', ['matched.test', 'stale.test', 'scan-fails.test']);
    await simulator.cancel('ws_a', canceled as string);
    await simulator.pass(3_000);
    await simulator.merge();
    await simulator.reset('ws_a');
    expect(await countLive()).toEqual(before);
    expect(await scheduler.job('ws_a', live)).toMatchObject({ state: 'queued' });
    const topics = await scheduler.outbox.collection.distinct('topic');
    expect(topics.toSorted()).toEqual(['test-observations.v1', 'test-refund-requests.v1', 'test-scan-jobs.v1']);
    expect(await scheduler.lease()).toMatchObject({ domain: 'shop.example' });
    expect(await scheduler.lease()).toBeNull();
  });
});
