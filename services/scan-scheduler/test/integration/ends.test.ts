import { hourMs } from '@shopscope/clock';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { policy, type Scheduler, startScheduler } from './scheduler.ts';

describe('end of a job', () => {
  const namespace = testNamespace('scans-ends');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  it('a job ends with the merge, even when FinishLease arrives after the merge', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.applyMergeOutcome(scan);
    const ended = await scheduler.job('ws_a', jobId);
    expect(ended).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.finish(scan), 'the scanner held the lease').toBe(true);
    expect(await scheduler.finish(scan), 'a repeated call has the same result').toBe(true);
    expect(await scheduler.job('ws_a', jobId)).toEqual(ended);
    scheduler.clock.advance(hourMs);
    await scheduler.tick();
    expect(await scheduler.lease()).toBeNull();
  });

  it('a job ends as a failure with the reason when its observation is rejected', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    await scheduler.applyMergeOutcome(scan, 'robots_disallowed');
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({
      state: 'failed',
      error: { code: 'robots_disallowed', message: expect.stringMatching(/robots\.txt/) },
    });
  });

  it('the error code of a job is never text that is not a code', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await scheduler.applyMergeOutcome(await scheduler.leaseNext(), 'Error: ECONNREFUSED 10.0.0.3');
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'failed', error: { code: 'rejected' } });
  });

  it('a job ends once, and a repeated or late update or an update of another scan changes nothing', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.applyMergeOutcome({ ...scan, id: 'scan_unknown' });
    await scheduler.applyMergeOutcome({ ...scan, domain: 'other.example' });
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running' });
    await scheduler.applyMergeOutcome(scan);
    const ended = await scheduler.job('ws_a', jobId);
    scheduler.clock.advance(1_000);
    await scheduler.applyMergeOutcome(scan);
    await scheduler.applyMergeOutcome(scan, 'timeout');
    expect(await scheduler.job('ws_a', jobId)).toEqual(ended);
    expect(await scheduler.scan(scan)).toMatchObject({ state: 'ended', outcome: 'succeeded' });

    const next = await scheduler.queue('ws_a', 'chg_2', 'shop.example');
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_a', next)).toMatchObject({ state: 'queued' });
  });

  it('a job ends with an update also when the database was restored to a state before the lease', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const [waiting] = await scheduler.db.collection('scans').find().toArray();
    const scan = await scheduler.leaseNext();
    // The state after a restore: the scan waits, and its lease and the domain's sequence are lost.
    await scheduler.db.collection('scans').replaceOne({}, waiting ?? {});
    await scheduler.db.collection('scan_targets').deleteMany({});
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.scan(scan)).toMatchObject({ state: 'ended', outcome: 'succeeded' });
  });

  it('the end of a job is not prevented by a sequence that profiles has already merged before a restore', async () => {
    await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.applyMergeOutcome({ ...scan, id: 'scan_after_the_backup' }, null, { sequence: 7 });
    await scheduler.finish(scan, 'abandoned', 'scanner_stopping');
    expect((await scheduler.leaseNext()).sequence).toBe(8);
    // An older event does not lower the sequence.
    await scheduler.applyMergeOutcome({ ...scan, id: 'scan_before_the_backup' }, null, { sequence: 3 });
    scheduler.clock.advance(policy.jobTimeLimitMs - 60_000);
    await scheduler.tick();
    expect((await scheduler.leaseNext()).sequence).toBe(9);
  });

  it.each([40, 1])(
    'a job ends with a further scan when the profile had reached sequence %s before',
    async (profileSequence) => {
      const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
      const scan = await scheduler.leaseNext();
      await scheduler.finish(scan);
      // The database was restored without the events since the backup, so the sequence repeats one that profiles has merged.
      const rejected = () => scheduler.applyMergeOutcome(scan, 'superseded', { profileSequence });
      await rejected();
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued' });
      const next = await scheduler.leaseNext();
      expect(next.sequence).toBe(profileSequence + 1);
      expect(next.id, 'profiles ignores a further observation of the same scan').not.toBe(scan.id);
      await rejected();
      await scheduler.applyMergeOutcome(next);
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded', attempts: 2 });
    },
  );

  it('the end of a job is not prevented by sequences from before a restore, because all later ones are above the floor', async () => {
    const other = await scheduler.queue('ws_a', 'chg_1', 'other.example');
    const before = await scheduler.leaseNext();
    await scheduler.applyMergeOutcome(before);
    expect(await scheduler.job('ws_a', other)).toMatchObject({ state: 'succeeded' });
    await scheduler.db.collection<{ _id: number }>('sequence_floors').insertMany([{ _id: 2 ** 50 }, { _id: 2 ** 49 }]);
    for (const domain of ['other.example', 'new.example'])
      await scheduler.queue('ws_a', `chg_${domain.split('.', 1)}`, domain);
    const first = await scheduler.leaseNext();
    const second = await scheduler.leaseNext();
    expect([first.sequence, second.sequence]).toEqual([2 ** 50 + 1, 2 ** 50 + 1]);
    await scheduler.applyMergeOutcome(first);
    await scheduler.queue('ws_a', 'chg_again', first.domain);
    expect((await scheduler.leaseNext()).sequence).toBe(2 ** 50 + 2);
  });

  it('the end of a job is not delayed by an observation of an earlier lease that comes after a later one', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const lost = await scheduler.leaseNext();
    scheduler.clock.advance(policy.leaseMs);
    await scheduler.tick();
    const current = await scheduler.leaseNext();
    await scheduler.applyMergeOutcome(lost, 'superseded', { profileSequence: current.sequence });
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running' });
    await scheduler.applyMergeOutcome(current);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
  });

  it('a job ends once, and a repeated scan request starts no further scan', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    await Promise.all([1, 2, 3].map(() => scheduler.request('ws_a', 'chg_1', 'shop.example')));
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    await scheduler.request('ws_a', 'chg_1', 'shop.example');
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded', attempts: 1 });
    scheduler.clock.advance(hourMs);
    expect(await scheduler.lease()).toBeNull();
  });

  it('a job ends with the observation of a lost lease when profiles merges it', async () => {
    const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const lost = await scheduler.leaseNext();
    scheduler.clock.advance(policy.leaseMs);
    await scheduler.tick();
    await scheduler.applyMergeOutcome(lost);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
    scheduler.clock.advance(hourMs);
    expect(await scheduler.lease()).toBeNull();
  });

  it('a job ends with an observation that completes after the request; an already durable one is not enough', async () => {
    const first = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const scan = await scheduler.leaseNext();
    await scheduler.finish(scan);
    const late = await scheduler.queue('ws_b', 'chg_2', 'shop.example');
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'queued', attempts: 0 });
    await scheduler.applyMergeOutcome(scan);
    expect(await scheduler.job('ws_a', first)).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'queued' });

    const next = await scheduler.leaseNext();
    expect(next.id).not.toBe(scan.id);
    expect(next.sequence).toBeGreaterThan(scan.sequence);
    await scheduler.applyMergeOutcome(next);
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'succeeded', attempts: 1 });
  });

  it('a job that joined the second attempt does not end with a late observation of the first attempt', async () => {
    const first = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
    const lost = await scheduler.leaseNext();
    scheduler.clock.advance(policy.leaseMs);
    await scheduler.tick();
    const running = await scheduler.leaseNext('scanner-2');
    const late = await scheduler.queue('ws_b', 'chg_2', 'shop.example');
    await scheduler.applyMergeOutcome(lost);
    expect(await scheduler.job('ws_a', first)).toMatchObject({ state: 'succeeded' });
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'queued' });
    expect(await scheduler.renew(running), 'its scan has ended').toMatchObject({ held: false });

    const untilMs = running.lease.expiresAt.getTime() - scheduler.clock.now();
    scheduler.clock.advance(untilMs - 1);
    expect(await scheduler.lease(), 'the old lease may still be in use').toBeNull();
    scheduler.clock.advance(1);
    await scheduler.applyMergeOutcome(await scheduler.leaseNext());
    expect(await scheduler.job('ws_b', late)).toMatchObject({ state: 'succeeded' });
  });

  describe('without a merge of the observation', () => {
    beforeEach(() => Object.assign(scheduler.positions, { end: 5n, committed: 5n }));
    const observe = async () => {
      const scan = await scheduler.leaseNext();
      await scheduler.finish(scan);
      return scan;
    };
    const overdue = async () => {
      scheduler.clock.advance(policy.mergeWaitMs);
      await scheduler.tick();
      await scheduler.tick();
    };

    it('a job without a merge of its observation fails with a reason after three attempts', async () => {
      const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
      for (let attempt = 1; attempt <= 3; attempt++) {
        await observe();
        await overdue();
        scheduler.clock.advance(policy.mergeWaitMs - 1);
        await scheduler.tick();
        await scheduler.tick();
        expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running', attempts: attempt });
        scheduler.clock.advance(1);
        await scheduler.tick();
        await scheduler.tick();
      }
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({
        state: 'failed',
        error: { code: 'observation_lost' },
      });
    });

    it('a job does not end while profiles has not read its observation, however long that takes', async () => {
      const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
      const scan = await observe();
      Object.assign(scheduler.positions, { observationsEnd: 7n, observationsRead: 6n });
      for (let minute = 0; minute < 60; minute += 2) await overdue();
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running', attempts: 1 });

      scheduler.positions.observationsRead = 7n;
      await scheduler.tick();
      scheduler.clock.advance(policy.mergeWaitMs - 1);
      await scheduler.tick();
      await scheduler.tick();
      expect(await scheduler.job('ws_a', jobId), 'its update may not be published yet').toMatchObject({
        state: 'running',
        attempts: 1,
      });
      await scheduler.applyMergeOutcome(scan);
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded', attempts: 1 });
    });

    it('a job is not ended by an end offset of profile-updates.v1 that was read before profiles read the observation', async () => {
      const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
      const scan = await observe();
      const mergeMark = [{ partition: 0, offset: 5 }];
      await scheduler.db.collection<{ _id: string }>('scans').updateOne({ _id: scan.id }, { $set: { mergeMark } });
      await overdue();
      scheduler.positions.end = 9n;
      await overdue();
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running', attempts: 1 });
    });

    it('a job does not end while its update may be durable and not yet consumed', async () => {
      const jobId = await scheduler.queue('ws_a', 'chg_1', 'shop.example');
      const scan = await observe();
      scheduler.positions.end = 9n;
      await overdue();
      await overdue();
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running' });
      await scheduler.applyMergeOutcome(scan);
      expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'succeeded' });
    });
  });

  it('every job ends, whatever the scanners do', async () => {
    const jobs: [string, string][] = [];
    for (let n = 0; n < 12; n++) {
      const ws = `ws_${n}`;
      jobs.push([ws, await scheduler.queue(ws, `chg_${n}`, `shop${n % 3}.example`)]);
      const scan = await scheduler.lease();
      if (scan && n % 4 === 1) await scheduler.finish(scan);
      if (scan && n % 4 === 2) await scheduler.finish(scan, 'abandoned', 'scanner_fault');
      if (scan && n % 4 === 3) await scheduler.applyMergeOutcome(scan);
      scheduler.clock.advance(7_000);
      await scheduler.tick();
    }
    for (let second = 0; second < 3_000; second += 10) {
      await scheduler.lease();
      scheduler.clock.advance(10_000);
      await scheduler.tick();
    }
    for (const [ws, id] of jobs) {
      const job = await scheduler.job(ws, id);
      expect(job.finishedAt, `${id} is ${job.state}`).not.toBeNull();
      expect(job.attempts).toBeLessThanOrEqual(3);
    }
    expect(await scheduler.db.collection('scans').countDocuments({ live: true })).toBe(0);
  });
});
