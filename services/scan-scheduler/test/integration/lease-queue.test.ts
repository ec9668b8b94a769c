import { dayMs } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import { testNamespace } from '@shopscope/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isQueued, type Scan } from '../../src/domain/scan.ts';
import { claimScans } from '../../src/operations/claim-scans.ts';
import type { LeasedScan } from '../../src/operations/lease-scan.ts';
import { placeDueScans } from '../../src/operations/place-due-scans.ts';
import { releaseClaims } from '../../src/operations/release-claims.ts';
import { LeaseQueueModel, type ModelScan } from './lease-queue-model.ts';
import { context, policy, type Scheduler, startScheduler } from './scheduler.ts';

const workspaces = ['ws_a', 'ws_b'];
const domains = ['one.example', 'two.example'];

interface Held {
  real: LeasedScan;
  scan: ModelScan;
  sequence: number;
}

/** The real scheduler and the model: each step runs on both and compares the results. */
function sideBySide(scheduler: Scheduler) {
  const model = new LeaseQueueModel(scheduler.clock.now(), policy);
  const leases: Held[] = [];
  const picked = (n: number): [Held, number] | undefined => {
    const lease = leases.length > 0 ? n % leases.length : -1;
    return lease < 0 ? undefined : [leases[lease] as Held, lease];
  };
  const names = (ws: number, charge: number, dom: number) => {
    const workspace = workspaces[ws] as string;
    const chargeId = `chg_${workspace}_${charge}`;
    const domain = domains[dom] as string;
    return { workspace, chargeId, domain, id: deriveId('job', chargeId, domain) };
  };

  const steps = {
    async claim(ws: number, charge: number, dom: number) {
      const { workspace, chargeId, domain, id } = names(ws, charge, dom);
      const [real] = await claimScans(
        scheduler.deps,
        { workspaceId: workspace, chargeId, domains: [domain], unit: 'lookup_live' },
        context,
      );
      expect(real?.outcome).toBe(model.claim(id, workspace, chargeId, domain));
    },
    async release(ws: number, charge: number) {
      const { workspace, chargeId } = names(ws, charge, 0);
      await releaseClaims(scheduler.deps, { workspaceId: workspace, chargeId, claims: [] }, context);
      model.release(chargeId);
    },
    async request(ws: number, charge: number, dom: number) {
      const { workspace, chargeId, domain, id } = names(ws, charge, dom);
      await scheduler.request(workspace, chargeId, domain);
      model.request(id, workspace, chargeId, domain);
    },
    async lease() {
      // fair-leases.test.ts and fair-order.test.ts test which start a scan gets. Here every due scan has a start, and
      // the lowest is leased.
      await placeDueScans(scheduler.deps);
      const waiting = await scheduler.db.collection('scans').find({ state: 'ready' }).toArray();
      const startOf = new Map(waiting.map(({ domain, start }) => [String(domain), Number(start)]));
      const due = model.due(({ domain }) => startOf.get(domain) ?? Number.NaN);
      const real = await scheduler.lease();
      const scan = due.find(({ domain }) => domain === real?.domain);
      expect(real?.domain).toBe(due.length === 0 ? undefined : scan?.domain);
      if (!real || !scan) return;
      model.lease(scan, leases.length);
      expect(real).toMatchObject({ sequence: scan.sequence, attempts: scan.attempts });
      leases.push({ real, scan, sequence: scan.sequence });
    },
    async renew(which: number) {
      const [held, lease] = picked(which) ?? [];
      if (!held || lease === undefined) return;
      expect((await scheduler.renew(held.real)).held).toBe(model.renew(held.scan, lease));
    },
    async finish(which: number, result: 'observed' | 'abandoned') {
      const [held, lease] = picked(which) ?? [];
      if (!held || lease === undefined) return;
      expect(await scheduler.finish(held.real, result, 'scanner_fault')).toBe(model.finish(held.scan, lease, result));
    },
    async applyMergeOutcome(which: number, merged: boolean) {
      const [held] = picked(which) ?? [];
      if (!held) return;
      await scheduler.applyMergeOutcome(held.real, merged ? null : 'timeout', { sequence: held.sequence });
      model.applyMergeOutcome(held.scan, held.sequence, merged ? 'succeeded' : 'failed');
    },
    async pass(ms: number) {
      scheduler.clock.advance(ms);
      model.nowMs += ms;
      // The first tick marks overdue work, the second one handles it.
      await scheduler.tick();
      await scheduler.tick();
      model.tick();
    },
  };

  const compare = async () => {
    const jobs = await scheduler.db.collection('jobs').find().toArray();
    const real = jobs.map(({ _id, state, attempts, holdsPlace }) => ({ id: String(_id), state, attempts, holdsPlace }));
    const expected = [...model.jobs].map(([id, { state, attempts, holdsPlace }]) => {
      return { id, state, attempts, holdsPlace: holdsPlace && state !== 'succeeded' && state !== 'failed' };
    });
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect(real.sort(byId)).toEqual(expected.sort(byId));
    const scans = await scheduler.db
      .collection<Pick<Scan, 'domain' | 'state' | 'attempts'>>('scans')
      .find({ live: true })
      .toArray();
    const live = model.scans.filter(({ state }) => state !== 'over');
    const plain = ({ domain, attempts }: Pick<Scan, 'domain' | 'attempts'>, state: string) =>
      `${domain} ${state} ${attempts}`;
    const realScans = scans.map((scan) => plain(scan, isQueued(scan) ? 'queued' : scan.state));
    expect(realScans.sort()).toEqual(live.map((scan) => plain(scan, scan.state)).sort());
  };
  return { steps, compare, model };
}

type Steps = ReturnType<typeof sideBySide>['steps'];
type Step = (steps: Steps) => Promise<void>;

const named = (name: string, step: Step): Step => Object.assign(step, { toString: () => name });
const index = (max: number) => fc.nat({ max: max - 1 });
const job = fc.tuple(index(2), index(3), index(2));
const anyLease = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: job.map((to) => named(`claim ${to}`, (s) => s.claim(...to))) },
  { weight: 1, arbitrary: job.map(([ws, charge]) => named(`release ${ws},${charge}`, (s) => s.release(ws, charge))) },
  { weight: 4, arbitrary: job.map((to) => named(`request ${to}`, (s) => s.request(...to))) },
  { weight: 5, arbitrary: fc.constant(named('lease', (s) => s.lease())) },
  { weight: 2, arbitrary: anyLease.map((n) => named(`renew ${n}`, (s) => s.renew(n))) },
  { weight: 3, arbitrary: anyLease.map((n) => named(`observed ${n}`, (s) => s.finish(n, 'observed'))) },
  { weight: 2, arbitrary: anyLease.map((n) => named(`abandoned ${n}`, (s) => s.finish(n, 'abandoned'))) },
  { weight: 2, arbitrary: anyLease.map((n) => named(`merged ${n}`, (s) => s.applyMergeOutcome(n, true))) },
  { weight: 1, arbitrary: anyLease.map((n) => named(`rejected ${n}`, (s) => s.applyMergeOutcome(n, false))) },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(1, 2_000, 10_000, 30_000, 61_000, 120_000)
      .map((ms) => named(`pass ${ms}`, (s) => s.pass(ms))),
  },
);

describe('the lease queue', () => {
  const namespace = testNamespace('scans-model');
  let scheduler: Scheduler;
  beforeAll(async () => {
    scheduler = await startScheduler(namespace);
    // The model has no time limit of a job; job-time-limit.test.ts tests it.
    scheduler.deps.policy = { ...policy, jobTimeLimitMs: dayMs };
  });
  afterAll(async () => {
    await scheduler?.stop();
    await namespace.cleanup();
  });

  it('the lease queue behaves as its model under random commands, and every job ends', async () => {
    // Each run has other random commands. `.ci/nightly` makes four times as many.
    const numRuns = Number(process.env.SHOPSCOPE_MODEL_RUNS ?? (process.env.SHOPSCOPE_NIGHTLY === 'true' ? 40 : 10));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (script) => {
        await scheduler.reset();
        const { steps, compare, model } = sideBySide(scheduler);
        for (const run of script) {
          await run(steps);
          await compare();
        }
        for (let n = 0; n < 60 && model.scans.some(({ state }) => state !== 'over'); n++) {
          await steps.lease();
          await steps.pass(120_000);
        }
        await steps.pass(120_000);
        await compare();
        expect([...model.jobs.values()].filter(({ state }) => state !== 'succeeded' && state !== 'failed')).toEqual([]);
      }),
      { numRuns, endOnFailure: false },
    );
  }, 120_000);
});
