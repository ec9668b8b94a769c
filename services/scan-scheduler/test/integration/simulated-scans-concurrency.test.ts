import { createDeadline } from '@shopscope/async';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { policy, type Scheduler } from './scheduler.ts';
import { type Simulator, simulatorOf, startSimulated, testContext } from './simulator.ts';

describe('simulated scans of two schedulers', () => {
  const namespace = testNamespace('simulated-scans-two');
  let scheduler: Scheduler;
  let other: Scheduler;
  let simulator: Simulator;
  beforeAll(async () => {
    scheduler = await startSimulated(namespace);
    other = await startSimulated(namespace);
    simulator = simulatorOf(scheduler, [{ ...other.test, clock: scheduler.clock }]);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await other?.stop();
    await namespace.cleanup();
  });
  const countIn = (collection: string, query: object = {}) => scheduler.db.collection(collection).countDocuments(query);

  it('each job ends once, and the numbers of each store have no gaps', async () => {
    const domains = ['matched.test', 'changes.test', 'scan-fails.test'];
    const workspaces = ['ws_a', 'ws_b', 'ws_c', 'ws_d'];
    const jobIds: string[] = [];
    for (const round of [1, 2, 3]) {
      for (const each of workspaces) jobIds.push(...(await simulator.queueAll(each, `chg_${each}${round}`, domains)));
      await simulator.pass(2_750);
      await Promise.all([simulator.merge(), simulator.merge()]);
    }
    const ended = (await simulator.jobEnds()).map(({ jobId }) => jobId);
    expect(ended.toSorted()).toEqual(jobIds.toSorted());
    const completed = await simulator.completed();
    for (const workspaceId of workspaces) {
      for (const domain of ['matched.test', 'changes.test']) {
        const own = completed.filter((event) => event.workspaceId === workspaceId && event.domain === domain);
        expect(own.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
      }
    }
    expect(completed).toHaveLength(24);
    expect(await countIn('test_scans')).toBe(0);
  });

  it('a job that is canceled while both run its scan is either canceled or ended, and never both', async () => {
    const domains = Array.from({ length: 20 }, (_, n) => `store-${String(n + 1).padStart(4, '0')}.test`);
    const jobIds = await simulator.queueAll('ws_a', 'chg_1', domains);
    await simulator.pass(2_250);
    await Promise.all([simulator.pass(250), ...jobIds.map((jobId) => simulator.cancel('ws_a', jobId))]);
    await simulator.merge();
    const states = await Promise.all(jobIds.map(async (jobId) => (await simulator.job('ws_a', jobId)).state));
    expect(new Set(states)).toEqual(new Set(['canceled']));
    expect(await simulator.jobEnds()).toEqual([]);
    expect(await countIn('test_scans')).toBe(0);
  });
});

describe('a canceled job of the test environment', () => {
  const namespace = testNamespace('simulated-scans-cancel');
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

  it('a queued job gives its unit back once, in the topic of the test environment, and its scan never starts', async () => {
    const jobId = await simulator.queue('ws_a', 'chg_1', 'matched.test');
    expect(await simulator.cancel('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'given' });
    await simulator.cancel('ws_a', jobId);
    expect(await simulator.refunds()).toMatchObject([{ jobId, workspaceId: 'ws_a', chargeId: 'chg_1' }]);
    await simulator.pass(3_000);
    expect(await simulator.completed()).toEqual([]);
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'canceled', startedAt: null });
    expect(await scheduler.refunds()).toEqual([]);
  });

  it('a claim that is canceled gives its unit back when its request arrives, once', async () => {
    const [claim] = await simulator.claim('ws_a', 'chg_1', ['matched.test']);
    const jobId = claim?.jobId ?? '';
    expect(await simulator.cancel('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'owed' });
    expect(await simulator.refunds()).toEqual([]);
    await simulator.request('ws_a', 'chg_1', ['matched.test']);
    await simulator.request('ws_a', 'chg_1', ['matched.test']);
    expect(await simulator.refunds()).toMatchObject([{ jobId }]);
    expect(await simulator.job('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'given' });
  });

  it('a running job stays billed, and profiles gets no event about its scan', async () => {
    const jobId = await simulator.queue('ws_a', 'chg_1', 'slow.test');
    await simulator.pass(30_000);
    expect(await simulator.cancel('ws_a', jobId)).toMatchObject({ state: 'canceled', refund: 'none', attempts: 1 });
    await simulator.pass(31_000);
    expect(await simulator.completed()).toEqual([]);
    expect(await simulator.refunds()).toEqual([]);
  });

  it('a job whose scan is observed stays canceled after the merge, and the next scan of the store has the next number', async () => {
    const canceled = await simulator.queue('ws_a', 'chg_1', 'matched.test');
    await simulator.pass(2_500);
    await simulator.cancel('ws_a', canceled);
    const next = await simulator.queue('ws_a', 'chg_2', 'matched.test');
    await simulator.pass(2_500);
    await simulator.merge();
    expect(await simulator.job('ws_a', canceled)).toMatchObject({ state: 'canceled' });
    expect(await simulator.job('ws_a', next)).toMatchObject({ state: 'succeeded' });
    expect((await simulator.completed()).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(await simulator.jobEnds()).toMatchObject([{ jobId: next }]);
  });
});

describe('a reset of the scans of a workspace', () => {
  const namespace = testNamespace('simulated-scans-reset');
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
  const countOf = (workspaceId: string) =>
    Promise.all([
      scheduler.db.collection('test_jobs').countDocuments({ workspaceId }),
      scheduler.db.collection('test_scans').countDocuments({ workspaceId }),
      // The time of the reset is kept.
      scheduler.db.collection('test_scan_targets').countDocuments({ workspaceId, count: { $exists: true } }),
    ]);
  const outcomes = async () => {
    const domains = ['matched.test', 'scan-fails.test', 'forbidden.test', 'changes.test'];
    const seen: unknown[] = [];
    for (const round of [1, 2]) {
      const before = (await simulator.completed()).length;
      const jobIds = await simulator.queueAll('ws_a', `chg_${round}`, domains);
      await simulator.pass(2_500);
      await simulator.merge();
      for (const jobId of jobIds) {
        const { id, domain, state, attempts, error } = await simulator.job('ws_a', jobId);
        seen.push({ id, domain, state, attempts, error });
      }
      const completed = (await simulator.completed()).slice(before);
      seen.push(completed.map(({ domain, sequence }) => [domain, sequence]).toSorted());
    }
    return seen;
  };

  it('the same calls have the same outcomes and numbers after a reset', async () => {
    const first = await outcomes();
    await simulator.reset('ws_a');
    expect(await outcomes()).toEqual(first);
  });

  it('jobs in every state disappear, their late requests and reports change nothing, and other workspaces keep theirs', async () => {
    await simulator.queue('ws_a', 'chg_1', 'matched.test');
    const kept = await simulator.queue('ws_b', 'chg_2', 'matched.test');
    await simulator.pass(2_500);
    await simulator.merge();
    await simulator.queueAll('ws_a', 'chg_3', ['slow.test', 'scan-fails.test']);
    await simulator.pass(1_000);
    await simulator.queue('ws_a', 'chg_4', 'stale.test');
    await simulator.claim('ws_a', 'chg_5', ['changes.test']);
    const ends = (await simulator.jobEnds()).length;

    await simulator.reset('ws_a');
    expect(await countOf('ws_a')).toEqual([0, 0, 0]);
    await simulator.request('ws_a', 'chg_5', ['changes.test']);
    await simulator.request('ws_a', 'chg_3', ['slow.test']);
    await simulator.merge();
    await simulator.pass(61_000);
    expect(await countOf('ws_a')).toEqual([0, 0, 0]);
    expect(await simulator.jobEnds()).toHaveLength(ends);
    expect(await simulator.completed()).toHaveLength(2);
    expect(await simulator.job('ws_b', kept)).toMatchObject({ state: 'succeeded' });
    expect(await countOf('ws_b')).toEqual([1, 0, 1]);
  });

  it('a reset waits until profiles has merged the scans on the way, whose jobs then have no event', async () => {
    await simulator.queue('ws_a', 'chg_1', 'matched.test');
    await simulator.pass(2_500);
    let isReset = false;
    const reset = simulator.reset('ws_a', createDeadline(60_000)).then(() => {
      isReset = true;
    });
    const passed = async () => {
      scheduler.clock.advance(50);
      return (await countOf('ws_a'))[0];
    };
    await expect.poll(passed, { timeout: 60_000 }).toBe(0);
    for (let look = 0; look < 5; look++) await passed();
    expect(isReset).toBe(false);
    await simulator.merge();
    const hasReset = async () => {
      await passed();
      return isReset;
    };
    await expect.poll(hasReset, { timeout: 60_000 }).toBe(true);
    await reset;
    expect(await countOf('ws_a')).toEqual([0, 0, 0]);
    expect(await simulator.jobEnds()).toEqual([]);
    await simulator.queue('ws_a', 'chg_2', 'matched.test');
    await simulator.pass(2_500);
    expect((await simulator.completed()).map(({ sequence }) => sequence)).toEqual([1, 1]);
  });

  it('a reset is unavailable while profiles does not merge, and succeeds when the scan has been given up', async () => {
    await simulator.queue('ws_a', 'chg_1', 'matched.test');
    await simulator.pass(2_500);
    const tooShort = createDeadline(999, { clock: scheduler.clock });
    await expect(simulator.reset('ws_a', tooShort)).rejects.toMatchObject({ code: 'unavailable' });
    scheduler.clock.advance(policy.mergeWaitMs);
    await simulator.pass(250);
    await simulator.reset('ws_a');
    expect(await countOf('ws_a')).toEqual([0, 0, 0]);
  });

  it('a reset while both queues and timers run leaves no job without a scan', async () => {
    for (let round = 0; round < 5; round++) {
      const queueing = ['matched.test', 'scan-fails.test', 'stale.test'].map((domain, n) =>
        simulator.queue('ws_a', `chg_${round}${n}`, domain),
      );
      let isDone = false;
      const settled = Promise.allSettled([...queueing, simulator.reset('ws_a', testContext.deadline)]).then(() => {
        isDone = true;
      });
      await simulator.pass(750);
      // A reset that finds a scan looks again after a pause.
      while (!isDone) await simulator.pass(250);
      await settled;
      const jobs = scheduler.db.collection('test_jobs');
      const attached = await jobs.find({ workspaceId: 'ws_a', state: { $in: ['queued', 'running'] } }).toArray();
      for (const { scanId } of attached) {
        expect(await scheduler.db.collection('test_scans').countDocuments({ _id: scanId })).toBe(1);
      }
      await simulator.pass(3_000);
      await simulator.merge();
      await simulator.reset('ws_a');
      expect(await countOf('ws_a')).toEqual([0, 0, 0]);
    }
  });
});
