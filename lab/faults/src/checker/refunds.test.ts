import { describe, expect, it } from 'vitest';
import { noUnits, type Operation } from '../clients/history.ts';
import { usageByKey } from './billing.ts';
import { type JobRecord, refundsOf, sumCharges } from './databases.ts';
import { compareRefunds } from './refunds.ts';

const entry = (id: string, lookupLive: number, kind = 'charge') => {
  return { _id: id, keyId: 'key_1', units: { lookupLive }, kind };
};
const job: JobRecord = {
  id: 'job_1',
  domain: 'a.example',
  chargeId: 'chg_1',
  attempts: 0,
  state: 'canceled',
  unit: 'lookup_live',
  refund: 'given',
};
const said = (state: string, isBilled: boolean): Operation => ({
  id: 1,
  kind: 'cancel',
  workspaceId: 'ws_1',
  keyId: 'key_1',
  idempotencyKey: 'k',
  mayBill: noUnits,
  attempts: [
    {
      gateway: 0,
      startMs: 0,
      endMs: 1,
      wallOffsetMs: 0,
      outcome: 'ok',
      status: 200,
      code: '',
      retryAfterS: null,
      billed: noUnits,
      jobs: [],
      replayed: false,
      canceled: { id: 'job_1', state, isBilled },
    },
  ],
});
const charge = entry('chg_1/1/1', 3);
const refund = entry('chg_1/1/job_1', -1, 'refund');
const problems = (entries: ReturnType<typeof entry>[], jobs: JobRecord[], operations: Operation[] = []) =>
  compareRefunds(operations, sumCharges(entries), refundsOf(entries), jobs).length;

describe('refunds', () => {
  it('the promise on refunds holds when each job that was canceled before it ran is given back once', () => {
    expect(problems([charge, refund], [job], [said('canceled', false)])).toBe(0);
    expect(problems([charge], [{ ...job, refund: 'none' }], [said('canceled', true)])).toBe(0);
    expect(problems([charge], [{ ...job, state: 'succeeded', refund: 'none' }], [said('succeeded', true)])).toBe(0);
    expect(problems([], [job]), 'its charge was never counted').toBe(0);
  });

  it('the promise on refunds is broken by a missing one, a second one, one of a billed job, and one of another amount', () => {
    expect(problems([charge], [job])).toBe(1);
    expect(problems([charge, refund, entry('chg_1/2/job_1', -1, 'refund')], [job])).toBeGreaterThan(0);
    expect(problems([charge, refund], [{ ...job, refund: 'none' }])).toBe(1);
    expect(problems([charge, refund], [])).toBe(1);
    expect(problems([charge, entry('chg_1/1/job_1', -2, 'refund')], [job])).toBe(1);
  });

  it('the promise on refunds is broken by a response with another state of the job, or with a refund that does not exist', () => {
    expect(problems([charge, refund], [job], [said('succeeded', true)])).toBe(1);
    expect(problems([charge], [{ ...job, refund: 'none' }], [said('canceled', false)])).toBe(1);
  });

  it('a refund reduces usage and not the units that a response billed, and a reversal takes back the units without a refund', () => {
    const of = (entries: ReturnType<typeof entry>[]) => {
      const charges = sumCharges(entries);
      return [charges[0]?.units.lookupLive, usageByKey(charges, refundsOf(entries)).get('key_1')?.lookupLive];
    };
    expect(of([charge, refund])).toEqual([3, 2]);
    expect(of([entry('chg_1/1/1', 1), refund])).toEqual([1, 0]);
    const reversed = [charge, refund, entry('chg_1/1/2', -2, 'reversal')];
    expect(of(reversed)).toEqual([0, 0]);
    const again = [...reversed, entry('chg_1/2/1', 3), entry('chg_1/2/job_1', -1, 'refund')];
    expect(of(again)).toEqual([3, 2]);
    expect(problems(again, [job])).toBe(0);
  });
});
