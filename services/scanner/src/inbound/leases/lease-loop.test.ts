import { ManualClock } from '@shopscope/clock';
import { recordingTelemetry, silentTelemetry } from '@shopscope/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HeldLease } from '../../outbound/scheduler/leases.ts';
import { startLeaseLoop } from './lease-loop.ts';

const { logger } = silentTelemetry();
const unavailable = () =>
  Object.assign(new Error('The service is not available; retry shortly.'), {
    code: 'unavailable',
    cause: new Error('14 UNAVAILABLE: No connection established'),
  });

/** A loop of three workers. The calls of pass n end with `outcomes[n]`; further calls stay pending. */
function startLogged(outcomes: (Error | undefined)[]) {
  const { logger, lines } = recordingTelemetry();
  const clock = new ManualClock();
  let calls = 0;
  const loop = startLeaseLoop({
    leases: {
      next: async (abort) => {
        const outcome = outcomes[Math.floor(calls++ / workers)];
        if (outcome) throw outcome;
        if (calls > outcomes.length * workers) return untilAborted(abort);
        return undefined;
      },
    },
    ready,
    carryOut: async () => {},
    concurrency: workers,
    clock,
    logger,
    graceMs: 0,
  });
  const pass = async () => {
    await turn();
    clock.advance(10_000);
    await turn();
  };
  return { lines, loop, pass };
}
const workers = 3;

const turn = () => new Promise((resolve) => setImmediate(resolve));
const ready = async () => {};
const lease = { scanId: 'scan-1' } as HeldLease;

/** Rejects when aborted, as a cancelled long poll does. */
const untilAborted = (abort: AbortSignal) =>
  new Promise<never>((_, reject) => abort.addEventListener('abort', () => reject(abort.reason)));

describe('the lease loop', () => {
  // Pauses without their random part.
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('the lease loop never runs more scans than its concurrency', async () => {
    const release = Promise.withResolvers<void>();
    const loop = startLeaseLoop({
      leases: { next: async () => lease },
      ready,
      carryOut: () => release.promise,
      concurrency: 3,
      clock: new ManualClock(),
      logger,
      graceMs: 1_000,
    });
    await turn();
    expect(loop.inProgress).toBe(3);
    const stopped = loop.stop();
    release.resolve();
    await stopped;
    expect(loop.inProgress).toBe(0);
  });

  it('the lease loop retries with growing pauses while calls fail, and reports that it is not available', async () => {
    const clock = new ManualClock();
    let calls = 0;
    const loop = startLeaseLoop({
      leases: {
        next: async (abort) => {
          calls += 1;
          if (calls <= 2) throw new Error('no scheduler');
          return untilAborted(abort);
        },
      },
      ready,
      carryOut: async () => {},
      concurrency: 1,
      clock,
      logger,
      graceMs: 0,
    });
    await turn();
    expect([calls, loop.available]).toEqual([1, false]);
    clock.advance(200);
    await turn();
    clock.advance(200);
    await turn();
    expect(calls).toBe(2);
    clock.advance(200);
    await turn();
    expect(calls).toBe(3);
    await loop.stop();
  });

  it('the lease loop logs one line without a stack while the scheduler is not up yet, and one line when it responds', async () => {
    const { lines, loop, pass } = startLogged([unavailable(), unavailable(), undefined]);
    await pass();
    await pass();
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'scan-scheduler or kafka cannot be reached yet; retrying',
        reason: 'The service is not available; retry shortly: 14 UNAVAILABLE: No connection established',
      },
      { level: 'info', msg: 'scan-scheduler responds; leasing scans' },
    ]);
    expect(lines[0]).not.toHaveProperty('err');
    await loop.stop();
  });

  it('the lease loop logs the cause of an outage once, at the start and later, and logs its end', async () => {
    const { lines, loop, pass } = startLogged([new Error('not the scheduler'), undefined, unavailable(), undefined]);
    for (let passes = 0; passes < 4; passes++) await pass();
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'scans cannot be leased; retrying', err: { message: 'not the scheduler' } },
      { level: 'info', msg: 'scans can be leased again' },
      {
        level: 'warn',
        msg: 'scans cannot be leased; retrying',
        reason: expect.stringContaining('UNAVAILABLE'),
      },
      { level: 'info', msg: 'scans can be leased again' },
    ]);
    // Connections end on a healthy system too, and a stack would look like a defect.
    expect(lines[2]).not.toHaveProperty('err');
    await loop.stop();
  });

  it('the lease loop takes no lease while Kafka is unavailable', async () => {
    const clock = new ManualClock();
    let brokerIsUp = false;
    let leased = 0;
    const loop = startLeaseLoop({
      leases: {
        next: async (abort) => {
          leased += 1;
          return untilAborted(abort);
        },
      },
      ready: async () => {
        if (!brokerIsUp) throw new Error('no broker');
      },
      carryOut: async () => {},
      concurrency: 1,
      clock,
      logger,
      graceMs: 0,
    });
    await turn();
    expect([leased, loop.available]).toEqual([0, true]);
    brokerIsUp = true;
    clock.advance(200);
    await turn();
    expect(leased).toBe(1);
    await loop.stop();
  });

  it('the lease loop stops without waiting for a broker that does not respond', async () => {
    const loop = startLeaseLoop({
      leases: { next: async () => lease },
      ready: () => new Promise(() => {}),
      carryOut: async () => {},
      concurrency: 2,
      clock: new ManualClock(),
      logger,
      graceMs: 0,
    });
    await loop.stop();
    expect(loop.inProgress).toBe(0);
  });

  it('the lease loop aborts the scans that have not ended when the stop grace period is over', async () => {
    const clock = new ManualClock();
    let aborted = false;
    const loop = startLeaseLoop({
      leases: { next: async () => lease },
      ready,
      carryOut: (_, stopping) =>
        untilAborted(stopping).catch(() => {
          aborted = true;
        }),
      concurrency: 1,
      clock,
      logger,
      graceMs: 5_000,
    });
    await turn();
    const stopped = loop.stop();
    clock.advance(4_999);
    await turn();
    expect(aborted).toBe(false);
    clock.advance(1);
    await stopped;
    expect(aborted).toBe(true);
  });
});
