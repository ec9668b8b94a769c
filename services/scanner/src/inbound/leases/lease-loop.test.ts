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

/** A loop of three workers whose calls end as `outcomes` say, one after the other; the last one lasts. */
function startLogged(outcomes: (Error | undefined)[]) {
  const { logger, lines } = recordingTelemetry();
  const clock = new ManualClock();
  let calls = 0;
  const loop = startLeaseLoop({
    leases: {
      next: async (signal) => {
        const outcome = outcomes[Math.floor(calls++ / workers)];
        if (outcome) throw outcome;
        if (calls > outcomes.length * workers) return untilAborted(signal);
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

/** Resolves when aborted, as a long poll that is given up does. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('the lease loop', () => {
  // Pauses without their random part.
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('never holds more scans than its concurrency', async () => {
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
    expect(loop.inHand).toBe(3);
    const stopped = loop.stop();
    release.resolve();
    await stopped;
    expect(loop.inHand).toBe(0);
  });

  it('asks again later and later while there is no answer, and says that it is not available', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const loop = startLeaseLoop({
      leases: {
        next: async (signal) => {
          asked += 1;
          if (asked <= 2) throw new Error('no scheduler');
          return untilAborted(signal);
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
    expect([asked, loop.available]).toEqual([1, false]);
    clock.advance(200);
    await turn();
    clock.advance(200);
    await turn();
    expect(asked).toBe(2);
    clock.advance(200);
    await turn();
    expect(asked).toBe(3);
    await loop.stop();
  });

  it('says in one line without a stack that the scheduler is not up yet, and in one line that it answers', async () => {
    const { lines, loop, pass } = startLogged([unavailable(), unavailable(), undefined]);
    await pass();
    await pass();
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'scan-scheduler or kafka cannot be reached yet; trying again',
        reason: 'The service is not available; retry shortly: 14 UNAVAILABLE: No connection established',
      },
      { level: 'info', msg: 'scan-scheduler answers; taking work' },
    ]);
    expect(lines[0]).not.toHaveProperty('err');
    await loop.stop();
  });

  it('gives the cause of a fault once, at the start and after work was had, and says when it is over', async () => {
    const { lines, loop, pass } = startLogged([new Error('not the scheduler'), undefined, unavailable(), undefined]);
    for (let passes = 0; passes < 4; passes++) await pass();
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'no work can be had; asking again', err: { message: 'not the scheduler' } },
      { level: 'info', msg: 'work can be had again' },
      {
        level: 'warn',
        msg: 'no work can be had; asking again',
        reason: expect.stringContaining('UNAVAILABLE'),
      },
      { level: 'info', msg: 'work can be had again' },
    ]);
    // Connections end on a healthy system too: a stack would look like a defect.
    expect(lines[2]).not.toHaveProperty('err');
    await loop.stop();
  });

  it('takes no lease while results could not be published', async () => {
    const clock = new ManualClock();
    let broker = false;
    let leased = 0;
    const loop = startLeaseLoop({
      leases: {
        next: async (signal) => {
          leased += 1;
          return untilAborted(signal);
        },
      },
      ready: async () => {
        if (!broker) throw new Error('no broker');
      },
      carryOut: async () => {},
      concurrency: 1,
      clock,
      logger,
      graceMs: 0,
    });
    await turn();
    expect([leased, loop.available]).toEqual([0, true]);
    broker = true;
    clock.advance(200);
    await turn();
    expect(leased).toBe(1);
    await loop.stop();
  });

  it('a stop does not wait for a broker that does not answer', async () => {
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
    expect(loop.inHand).toBe(0);
  });

  it('a stop aborts what does not end within its grace, and nothing before that', async () => {
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
