import { createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import {
  ClaimOutcome,
  type Job,
  JobState,
  noUnits,
  type ReserveItem,
  ReserveOutcome,
  type ReserveResult,
  type ScanClaim,
  ScanUnit,
  type UsageRecorded,
  unitsOf,
} from '@shopscope/proto';
import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../keys/caller.ts';
import { requestStoreScan } from './request-store-scan.ts';

const domain = 'shop.example';
type Claim = Pick<ScanClaim, 'outcome' | 'created'>;
const own: Claim = { outcome: ClaimOutcome.CLAIMED, created: true };
const joined: Claim = { outcome: ClaimOutcome.JOINED, created: false };
const jobOf = (state: JobState) =>
  ({ id: 'job_1', type: 'scan', domain, state, unit: ScanUnit.REFRESH_REQUESTED, createdAtMs: 1 }) as Job;
type Reserve = () => Promise<Partial<ReserveResult>>;

function setUp(options: { claim?: Claim; states?: JobState[]; reserve: Reserve; isDown?: boolean }) {
  const clock = new ManualClock();
  const { claim = own, states = [JobState.REQUESTED], isDown = false } = options;
  const down = async () => {
    if (isDown) throw new Error('unavailable');
  };
  const scheduler = {
    getJob: async () => jobOf(states.shift() ?? JobState.SUCCEEDED),
    claimScans: vi.fn(async () => [{ ...claim, jobId: 'job_1', claimedAtMs: 5 }]),
    releaseClaims: vi.fn(async (_: { claims: unknown[] }) => {}),
  };
  const events = {
    publishScans: vi.fn(async () => {}),
    publishUsage: vi.fn(async (_: Partial<UsageRecorded>) => down()),
  };
  const reserve = vi.fn<(item: Pick<ReserveItem, 'units'>) => ReturnType<Reserve>>(options.reserve);
  const deps = {
    clock,
    scheduler,
    events,
    metering: { reserve, recordUsage: down, voidCharge: async () => ({ counts: false }) },
    leases: { charge: async () => undefined },
    balances: { put: () => {} },
    onCharge: () => {},
  } as unknown as Parameters<typeof requestStoreScan>[0];
  const request = (fingerprint?: Buffer) =>
    requestStoreScan(deps, {
      operation: 'requestScan',
      domain,
      chargeId: 'chg_1',
      fingerprint,
      caller: { workspaceId: 'ws_1', plan: { included: unitsOf({ lookupCached: 9 }) } } as Caller,
      origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
      deadline: createRequestDeadline(clock),
      billing: new RequestBilling(),
    });
  const isReleased = () => scheduler.releaseClaims.mock.calls.some(([{ claims }]) => claims.length > 0);
  return { request, scheduler, events, reserve, isReleased };
}

const granting =
  (refreshRequested: number, outcome: ReserveOutcome = ReserveOutcome.GRANTED): Reserve =>
  async () => {
    const balance = { periodStartMs: 0, periodEndMs: 1, taken: noUnits, used: undefined, reserved: undefined };
    return { outcome, attempt: 1, units: unitsOf({ refreshRequested }), periodStartMs: 0, balance };
  };
const settled = (refreshRequested: number) => granting(refreshRequested, ReserveOutcome.ALREADY_SETTLED);

describe('requestStoreScan', () => {
  it('an explicit scan charges one refresh_requested, and its request is published before the charge ends', async () => {
    const { request, events } = setUp({ reserve: granting(1) });
    expect(await request()).toMatchObject({ job: { id: 'job_1', state: 'queued' }, remaining: 9 });
    expect(events.publishUsage.mock.calls[0]?.[0]).toMatchObject({
      operation: 'requestScan',
      units: unitsOf({ refreshRequested: 1 }),
    });
    expect(events.publishScans).toHaveBeenCalledOnce();
    expect(events.publishScans).toHaveBeenCalledBefore(events.publishUsage);
  });

  it('an explicit scan releases its claim when it is refused, and keeps it when it is published and then voided', async () => {
    const refused = setUp({ reserve: () => Promise.reject(new AppError('payment_required', 'exhausted')) });
    await expect(refused.request(Buffer.from('a'))).rejects.toMatchObject({ code: 'payment_required' });
    expect(refused.isReleased()).toBe(true);
    const unbilled = setUp({ reserve: granting(1), isDown: true });
    await expect(unbilled.request(Buffer.from('a'))).rejects.toThrow('nothing was billed');
    expect(unbilled.isReleased()).toBe(false);
  });

  it('an explicit scan that joins a job charges nothing without an Idempotency-Key, and no units with one', async () => {
    const { request, reserve } = setUp({
      claim: joined,
      states: [JobState.RUNNING, JobState.QUEUED],
      reserve: granting(0),
    });
    expect(await request()).toEqual({ job: expect.objectContaining({ state: 'running' }) });
    expect(reserve).not.toHaveBeenCalled();
    expect((await request(Buffer.from('a'))).job.state).toBe('queued');
    expect(reserve.mock.calls[0]?.[0].units).toEqual(unitsOf({}));
  });

  it('a retried explicit scan has the job of the earlier execution, unbilled, whatever its settled charge pays for', async () => {
    const claim = { ...own, created: false };
    for (const units of [0, 1]) {
      const retried = setUp({ claim, states: [JobState.CANCELED], reserve: settled(units) });
      expect((await retried.request(Buffer.from('a'))).job).toMatchObject({ id: 'job_1', state: 'canceled' });
      expect(retried.isReleased()).toBe(false);
    }
    const unpaid = setUp({ reserve: settled(0) });
    await expect(unpaid.request(Buffer.from('a'))).rejects.toMatchObject({ code: 'internal' });
    expect(unpaid.isReleased()).toBe(true);
  });

  it('an explicit scan claims again at most three times when the job that it would join ends', async () => {
    const ended = [JobState.SUCCEEDED, JobState.CANCELED];
    const found = setUp({ claim: joined, states: [...ended, JobState.QUEUED], reserve: granting(0) });
    expect((await found.request()).job.state).toBe('queued');
    const lost = setUp({ claim: joined, states: [...ended, JobState.FAILED], reserve: granting(0) });
    await expect(lost.request()).rejects.toMatchObject({ code: 'unavailable' });
    expect(lost.scheduler.claimScans).toHaveBeenCalledTimes(3);
  });
});
