import { type ChargeUnits, createRequestDeadline, RequestBilling } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { type Job, JobState, ScanUnit, unitsOf } from '@shopscope/proto';
import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../keys/caller.ts';
import { createChargeScans } from '../../scans/charge-scans.ts';
import type { RequestScans, ScanClaims } from '../../scans/request-scans.ts';
import { requestStoreScan } from './request-store-scan.ts';

const domain = 'shop.example';
const own: ScanClaims = {
  jobIds: new Map([[domain, 'job_1']]),
  claimed: [domain],
  created: new Map([[domain, 5]]),
};
const joined: ScanClaims = { ...own, claimed: [], created: new Map() };
const jobOf = (state: JobState) =>
  ({ id: 'job_1', type: 'scan', domain, state, unit: ScanUnit.REFRESH_REQUESTED, createdAtMs: 1 }) as Job;

function setUp(options: { claims?: ScanClaims; states?: JobState[]; chargeUnits: ChargeUnits }) {
  const clock = new ManualClock();
  const { claims = own, states = [JobState.REQUESTED], chargeUnits } = options;
  const requestScans = {
    claim: vi.fn<RequestScans['claim']>(async () => claims),
    publish: vi.fn<RequestScans['publish']>(async () => {}),
    release: vi.fn<RequestScans['release']>(async () => {}),
  };
  const charge = vi.fn(chargeUnits);
  const deps = {
    scheduler: { getJob: async () => jobOf(states.shift() ?? JobState.SUCCEEDED) },
    requestScans,
    chargeScans: createChargeScans({ requestScans, chargeUnits: charge }),
  };
  const request = (fingerprint?: Buffer) =>
    requestStoreScan(deps, {
      ...{
        operation: 'requestScan',
        domain,
        chargeId: 'chg_1',
        fingerprint,
        caller: { workspaceId: 'ws_1' } as Caller,
      },
      ...{ origin: { requestId: 'req_1', traceparent: '' }, deadline: createRequestDeadline(clock) },
      billing: new RequestBilling(),
    });
  const isReleased = () => requestScans.release.mock.calls.some(([, { created }]) => created.size > 0);
  return { request, requestScans, charge, isReleased };
}

const commitDeadline = createRequestDeadline(new ManualClock());
const charging =
  (refreshRequested: number, after: () => void = () => {}): ChargeUnits =>
  async ({ onReserved, beforeEvent }) => {
    const units = unitsOf({ refreshRequested });
    onReserved?.();
    await beforeEvent?.(units, commitDeadline);
    after();
    return { units, remaining: 9, voidCharge: async () => {} };
  };
const voided = new AppError('internal', 'nothing was billed');

describe('an explicit scan', () => {
  it('charges one refresh_requested, and its request is published before the charge ends', async () => {
    const { request, requestScans, charge } = setUp({ chargeUnits: charging(1) });
    expect(await request()).toMatchObject({ job: { id: 'job_1', state: 'queued' }, remaining: 9 });
    expect(charge.mock.calls[0]?.[0]).toMatchObject({
      ...{ operation: 'requestScan', units: unitsOf({ refreshRequested: 1 }) },
    });
    expect(requestScans.publish).toHaveBeenCalledOnce();
  });

  it('that is refused releases its claim; one whose charge is voided after its publication does not, because it runs unbilled', async () => {
    const refusing: ChargeUnits = async () => {
      throw new AppError('payment_required', 'exhausted');
    };
    const refused = setUp({ chargeUnits: refusing });
    await expect(refused.request(Buffer.from('a'))).rejects.toMatchObject({ code: 'payment_required' });
    expect(refused.isReleased()).toBe(true);
    const failing = charging(1, () => {
      throw voided;
    });
    const unbilled = setUp({ chargeUnits: failing });
    await expect(unbilled.request()).rejects.toBe(voided);
    expect(unbilled.isReleased()).toBe(false);
  });

  it('that joins a job charges nothing without an Idempotency-Key, and no units with one', async () => {
    const { request, charge } = setUp({
      claims: joined,
      states: [JobState.RUNNING, JobState.QUEUED],
      chargeUnits: charging(0),
    });
    expect(await request()).toEqual({ job: expect.objectContaining({ state: 'running' }) });
    expect(charge).not.toHaveBeenCalled();
    expect((await request(Buffer.from('a'))).job.state).toBe('queued');
    expect(charge.mock.calls[0]?.[0].units).toEqual(unitsOf({}));
  });

  it('has the job of an earlier execution of its Idempotency-Key, unbilled, whatever the settled charge says that it pays for', async () => {
    const claims = { ...own, created: new Map() };
    for (const units of [0, 1]) {
      const retried = setUp({ claims, states: [JobState.CANCELED], chargeUnits: charging(units) });
      expect((await retried.request(Buffer.from('a'))).job).toMatchObject({ id: 'job_1', state: 'canceled' });
      expect(retried.isReleased()).toBe(false);
    }
    const unpaid = setUp({ chargeUnits: charging(0) });
    await expect(unpaid.request(Buffer.from('a'))).rejects.toMatchObject({ code: 'internal' });
    expect(unpaid.isReleased()).toBe(true);
  });

  it('claims again at most three times when the job that it would join ends', async () => {
    const ended = [JobState.SUCCEEDED, JobState.CANCELED];
    const found = setUp({ claims: joined, states: [...ended, JobState.QUEUED], chargeUnits: charging(0) });
    expect((await found.request()).job.state).toBe('queued');
    const lost = setUp({ claims: joined, states: [...ended, JobState.FAILED], chargeUnits: charging(0) });
    await expect(lost.request()).rejects.toMatchObject({ code: 'unavailable' });
    expect(lost.requestScans.claim).toHaveBeenCalledTimes(3);
  });
});
