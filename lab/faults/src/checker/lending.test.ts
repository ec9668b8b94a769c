import { describe, expect, it } from 'vitest';
import type { LimitedCustomer } from '../clients/customers.ts';
import { type Attempt, noUnits, type Operation } from '../clients/history.ts';
import { allowanceRecordOf, holdersOf } from './databases.ts';
import { checkPrematureRefusals, checkSold, type Sold } from './lending.ts';
import { type LentSample, lentBy } from './sampler.ts';

const customer: LimitedCustomer = { workspaceId: 'ws_1', keys: [], included: 2 };
const one = { lookupCached: 1, lookupLive: 0 };

function operation(startMs: number, attempt: Partial<Attempt>): Operation {
  const whole = { gateway: 0, startMs, endMs: startMs + 10, wallOffsetMs: 1_000, billed: noUnits, jobs: [] };
  const response = { outcome: 'fail', status: 0, code: '', retryAfterS: null, replayed: false } as const;
  const attempts = [{ ...whole, ...response, ...attempt }];
  return { id: 1, kind: 'scarce', workspaceId: 'ws_1', keyId: 'key_1', idempotencyKey: null, mayBill: one, attempts };
}
const ok = (startMs: number) => operation(startMs, { outcome: 'ok', status: 200, billed: one });
const unanswered = (startMs: number) => operation(startMs, { outcome: 'unknown' });
const exhausted = (startMs: number) => operation(startMs, { status: 402 });
const holder = (sinceMs: number) => ({ chargeId: `chg_${sinceMs}`, sinceMs });
const charge = (chargeId: string) => ({ chargeId, keyId: 'key_1', units: one, counted: 1 });
const sample = (startMs: number, ...leases: string[]): LentSample => ({
  startMs,
  unspent: new Map(leases.length > 0 ? [['ws_1', leases]] : []),
});
const sold = (over: Partial<Sold>): Sold => ({ customer, operations: [], charges: [], holders: [], ...over });

describe('premature 402', () => {
  const both = [holder(1_100), holder(1_200)];

  it('the promise of no premature 402 holds when every unit was sold or reserved before the response', () => {
    expect(checkPrematureRefusals(sold({ operations: [exhausted(300)], holders: both }), [])).toEqual([]);
  });

  it('the promise of no premature 402 is broken by a 402 before the last unit was sold or reserved', () => {
    expect(checkPrematureRefusals(sold({ operations: [exhausted(150)], holders: both }), [])).toHaveLength(1);
  });

  it('the promise of no premature 402 does not use the number of charges while a request without a response may have one', () => {
    const operations = [unanswered(100), exhausted(300)];
    expect(checkPrematureRefusals(sold({ operations, holders: [holder(1_100)] }), [])).toEqual([]);
    const later = [exhausted(300), unanswered(400)];
    expect(checkPrematureRefusals(sold({ operations: later, holders: [holder(1_100)] }), [])).toHaveLength(1);
  });

  it('the promise of no premature 402 is broken by a 402 between two samples in which the same lease has unspent units', () => {
    const refused = sold({ operations: [exhausted(300)], holders: both });
    expect(checkPrematureRefusals(refused, [sample(250, 'a'), sample(400, 'a')])).toHaveLength(1);
    expect(checkPrematureRefusals(refused, [sample(250, 'a'), sample(400, 'b')])).toEqual([]);
    expect(checkPrematureRefusals(refused, [sample(250, 'a'), sample(305), sample(400, 'a')])).toHaveLength(1);
    expect(checkPrematureRefusals(refused, [sample(250, 'a'), sample(4_000, 'a')])).toEqual([]);
  });
});

describe('promise that exactly the included units are sold', () => {
  it('the promise that exactly the included units are sold holds when ledger and billed responses have each unit', () => {
    expect(checkSold(sold({ operations: [ok(1), ok(2)], charges: [charge('a'), charge('b')] }))).toEqual([]);
    expect(checkSold(sold({ operations: [ok(1), unanswered(2)], charges: [charge('a'), charge('b')] }))).toEqual([]);
  });

  it('the promise that exactly the included units are sold is broken by a unit nobody could buy and by one sold twice', () => {
    expect(checkSold(sold({ operations: [ok(1)], charges: [charge('a')] }))).toHaveLength(2);
    expect(checkSold(sold({ operations: [ok(1), ok(2), ok(3)], charges: [charge('a'), charge('b')] }))).toHaveLength(1);
  });
});

it('a reservation holds units from its record on, a charge of a lease from its event or from a request before its void', () => {
  const at = (ms: number) => new Date(ms);
  const entry = (id: string, kind: string, ms: number) => ({ _id: id, kind, occurredAt: at(ms) });
  const entries = [
    ...[entry('chg_1/1/1', 'charge', 50_000), entry('lse_1-0/1/1', 'charge', 50_000)],
    ...[entry('lse_1-1/1/1', 'void', 50_000), entry('lse_1-0/1/2', 'reversal', 60_000)],
  ];
  expect(holdersOf([{ _id: 'chg_1', firstSeenAt: at(40_000) }], entries)).toEqual([
    { chargeId: 'chg_1', sinceMs: 40_000 },
    { chargeId: 'lse_1-0', sinceMs: 50_000 },
    { chargeId: 'lse_1-1', sinceMs: 39_500 },
  ]);
});

describe('leases of an allowance', () => {
  const at = (ms: number) => new Date(ms);
  const lease = { openedAt: at(1_000), endsAt: at(3_000), granted: 5, spent: 1 };
  const leases = [
    { id: 'lse_1', ...lease },
    { id: 'lse_2', unit: 'historyQuery' as const, ...lease },
  ];
  const settled = new Map([['ws_1/2026-11/lse_2', 4]]);
  const record = allowanceRecordOf({ _id: 'ws_1/2026-11', taken: { lookupCached: 9 }, leases }, settled);

  it('leases of an allowance are of the unit that their document names, and of look-ups without one', () => {
    expect(record.taken).toEqual({ lookupCached: 9, historyQuery: 0 });
    expect(record.leases).toMatchObject([
      { id: 'lse_1', unit: 'lookupCached', openedAtMs: 1_000, endsAtMs: 3_000, settled: 0 },
      { id: 'lse_2', unit: 'historyQuery', settled: 4 },
    ]);
  });

  it('leases of an allowance make a 402 premature only where they hold look-ups, and are stranded whatever they hold', () => {
    const allowances = new Map([['ws_1', record]]);
    expect(lentBy(allowances, 8_000)).toEqual({ unspent: new Map([['ws_1', ['lse_1']]]), stranded: 0 });
    expect(lentBy(allowances, 8_001).stranded).toBe(5 + 1);
    const queries = new Map([['ws_1', { leases: record.leases.slice(1) }]]);
    expect(lentBy(queries, 0).unspent.size).toBe(0);
  });
});
