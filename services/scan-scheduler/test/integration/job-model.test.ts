import { ScanJobEndState } from '@shopscope/proto';
import { runsOf, testNamespace } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Job, type JobState, liveStates, maxAttempts, transitions } from '../../src/domain/job.ts';
import type { LeasedScan } from '../../src/operations/lease-scan.ts';
import { releaseClaims } from '../../src/operations/release-claims.ts';
import { toJob } from '../../src/outbound/mongo/job-document.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

/** `.ci/nightly` tries more histories. */
const { numRuns } = runsOf({ byDay: 20, atNight: 60 });
const workspaces = ['ws_a', 'ws_b'];
const domains = ['one.example', 'two.example'];

/** The steps of callers, scanners and time, in any order. `n` selects a charge, a job or a lease. */
const steps = [
  'claim',
  'request',
  'release',
  'lease',
  'observe',
  'abandon',
  'merge',
  'reject',
  'cancel',
  'wait',
] as const;
type Step = { kind: (typeof steps)[number]; n: number };

/** One run for each end, because random runs may reach none of one kind. */
const endings: [Step[]][] = (['merge', 'reject', 'cancel'] as const).map((ending) => [
  (['claim', 'request', 'lease', 'observe', ending] as const).map((kind) => ({ kind, n: 0 })),
]);

/** The states that are reachable from `state`, itself included. */
function reachable(state: JobState): Set<JobState> {
  const seen = new Set([state]);
  for (const from of seen) for (const to of transitions[from]) seen.add(to);
  return seen;
}

/** Returns the content of the event of an ended job. A live or canceled job has no event. */
const endOf = ({ id, state, error }: Job) =>
  state === 'succeeded' || state === 'failed'
    ? [[id, state === 'failed' ? ScanJobEndState.FAILED : ScanJobEndState.SUCCEEDED, error?.code ?? '']]
    : [];

describe('model of jobs', () => {
  const namespace = testNamespace('scans-job-model');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
  });
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });
  const allJobs = async (): Promise<Job[]> =>
    (await scheduler.db.collection('jobs').find().sort({ _id: 1 }).toArray()).map((document) =>
      toJob(document as never),
    );

  /** A scheduler with the claims and leases of a run. */
  const startRun = async () => {
    await scheduler.reset();
    const charges: { workspaceId: string; chargeId: string; domain: string; jobId: string }[] = [];
    const leases: LeasedScan[] = [];
    const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
    const run: Record<Step['kind'], (n: number) => Promise<unknown>> = {
      async claim(n) {
        const [workspaceId, domain] = [workspaces[n % 2] as string, domains[(n >> 1) % 2] as string];
        const chargeId = `chg_${charges.length}`;
        const { jobId, outcome } = await scheduler.claim(workspaceId, chargeId, domain);
        if (outcome === 'claimed') charges.push({ workspaceId, chargeId, domain, jobId });
      },
      async request(n) {
        const charge = at(charges, n);
        if (charge) await scheduler.requestJob(charge.jobId, charge.workspaceId, charge.chargeId, charge.domain);
      },
      async release(n) {
        const charge = at(charges, n);
        if (charge) await releaseClaims(scheduler.deps, { ...charge, claims: [] }, context);
      },
      async lease() {
        const scan = await scheduler.lease();
        if (scan) leases.push(scan);
      },
      observe: async (n) => leases.length > 0 && scheduler.finish(at(leases, n) as LeasedScan),
      abandon: async (n) =>
        leases.length > 0 &&
        scheduler.finish(at(leases, n) as LeasedScan, 'abandoned', n % 2 ? 'timeout' : 'scanner_stopping'),
      merge: async (n) => leases.length > 0 && scheduler.applyMergeOutcome(at(leases, n) as LeasedScan),
      reject: async (n) => leases.length > 0 && scheduler.applyMergeOutcome(at(leases, n) as LeasedScan, 'unreachable'),
      async cancel(n) {
        const job = at(await allJobs(), n);
        if (job) await scheduler.cancel(job.workspaceId, job.id);
      },
      async wait(n) {
        scheduler.clock.advance([1_000, policy.leaseMs, policy.mergeWaitMs, 600_000][n % 4] as number);
        scheduler.positions.end += 1n;
        await scheduler.tick();
        scheduler.positions.committed = scheduler.positions.end;
        await scheduler.tick();
      },
    };
    return { run, charges };
  };

  it('jobs keep to their state machine, end once and with one event, and give back the unit of each job that was canceled before it ran', async () => {
    const step = fc.record({ kind: fc.constantFrom(...steps), n: fc.nat({ max: 30 }) });
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (sequence) => {
        const { run } = await startRun();
        const seen = new Map<string, Job>();
        const refunded = new Set<string>();
        const check = async (kind: Step['kind']) => {
          const jobs = await allJobs();
          for (const job of jobs) {
            const before = seen.get(job.id);
            expect(job.attempts).toBeLessThanOrEqual(maxAttempts);
            expect(job.holdsPlace && !liveStates.includes(job.state)).toBe(false);
            expect(job.finishedAt !== null).toBe(!liveStates.includes(job.state));
            if (before && !liveStates.includes(before.state)) {
              // An ended job changes in one way: a refund that was owed is given.
              expect(job).toEqual(
                before.refund === 'owed' && job.refund === 'given' ? { ...before, refund: 'given' } : before,
              );
            } else if (before) expect([...reachable(before.state)], `${kind} ${before.state}`).toContain(job.state);
            if (kind === 'cancel' && before && before.state !== job.state) {
              expect(job.state).toBe('canceled');
              expect(job.refund).toBe(
                { requested: 'owed', queued: 'given', running: 'none' }[before.state as 'queued'],
              );
            }
            if (job.refund === 'given') refunded.add(job.id);
            if (!liveStates.includes(job.state)) ends.add(job.state);
          }
          // Each queued or running job waits for a live scan, which names its workspace.
          for (const { scanId, workspaceId, domain, state } of jobs) {
            if (state !== 'queued' && state !== 'running') continue;
            const scan = await scheduler.scan({ id: scanId ?? '', domain });
            expect({ state: scan?.state === 'ended', joined: scan?.workspaceIds.includes(workspaceId) }).toEqual({
              state: false,
              joined: true,
            });
          }
          // Only claims disappear: they were released or dropped.
          for (const [id, before] of seen) {
            if (!jobs.some((job) => job.id === id)) expect(before.state).toBe('requested');
          }
          seen.clear();
          for (const job of jobs) seen.set(job.id, job);
          expect((await scheduler.refunds()).map(({ jobId }) => jobId).sort()).toEqual([...refunded].sort());
          const events = (await scheduler.jobEnds()).map((event) => [event.jobId, event.state, event.errorCode]);
          expect(events.sort()).toEqual(jobs.flatMap(endOf).sort());
        };
        for (const { kind, n } of sequence) {
          await run[kind](n);
          await check(kind);
        }
        // Every job ends by time alone.
        for (let waits = 0; waits < 30 && (await allJobs()).some(({ state }) => liveStates.includes(state)); waits++) {
          await run.wait(3);
          await check('wait');
        }
        for (const { state } of await allJobs()) expect(transitions[state]).toEqual([]);
        const scans = await scheduler.db.collection('scans').find({ live: true }).toArray();
        expect(scans.filter(({ state }) => state !== 'observed')).toEqual([]);
      }),
      { numRuns, examples: endings },
    );
    expect(ends).toEqual(new Set(['succeeded', 'failed', 'canceled']));
  }, 240_000);
});
