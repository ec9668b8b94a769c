import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { context, type Scheduler, startScheduler } from './scheduler.ts';

describe('life cycle of a job', () => {
  const namespace = testNamespace('scans-flow');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  beforeEach(() => scheduler.reset());
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  it('a job is requested → queued → running → succeeded, with the time of start and end', async () => {
    const { jobId, outcome } = await scheduler.claim('ws_a', 'chg_1', 'shop.example');
    expect(outcome).toBe('claimed');
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'requested', attempts: 0, startedAt: null });

    await scheduler.request('ws_a', 'chg_1', 'shop.example');
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'queued' });

    const scan = await scheduler.leaseNext();
    const { origin } = context;
    expect(scan).toMatchObject({ domain: 'shop.example', attempts: 1, sequence: 1, origin });
    expect(origin.environment).toBe('live');
    const startedAt = new Date(scheduler.clock.now());
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running', attempts: 1, startedAt });

    scheduler.clock.advance(2_000);
    expect(await scheduler.finish(scan)).toBe(true);
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({ state: 'running' });

    await scheduler.applyMergeOutcome(scan);
    const finishedAt = new Date(scheduler.clock.now());
    expect(await scheduler.job('ws_a', jobId)).toMatchObject({
      state: 'succeeded',
      startedAt,
      finishedAt,
      error: null,
    });
  });
});
