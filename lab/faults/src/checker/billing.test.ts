import { describe, expect, it } from 'vitest';
import type { Attempt, Operation } from '../clients/history.ts';
import { compareBilling, usageByKey } from './billing.ts';
import { sumCharges } from './databases.ts';

const attempt = (outcome: Attempt['outcome'], lookupCached = 0, jobs: Attempt['jobs'] = []): Attempt => ({
  gateway: 0,
  startMs: 0,
  endMs: 1,
  wallOffsetMs: 0,
  outcome,
  status: outcome === 'ok' ? 200 : 500,
  code: '',
  retryAfterS: null,
  billed: { lookupCached, lookupLive: 0 },
  jobs,
  replayed: false,
});
const operation = (attempts: Attempt[], mayBill = 0): Operation => ({
  id: 1,
  kind: 'look-up',
  workspaceId: 'ws_1',
  keyId: 'key_1',
  idempotencyKey: null,
  mayBill: { lookupCached: mayBill, lookupLive: 0 },
  attempts,
});
const entry = (id: string, lookupCached: number) => ({ _id: id, keyId: 'key_1', units: { lookupCached } });
const problems = (operations: Operation[], entries: ReturnType<typeof entry>[]) =>
  compareBilling(operations, sumCharges(entries));

describe('promise billed = ledger', () => {
  it('the promise billed = ledger holds when the ledger has each success once, with retries and replays', () => {
    const retried = operation([attempt('unknown'), attempt('ok', 3), attempt('ok', 3)]);
    expect(problems([retried, operation([attempt('ok', 1)])], [entry('a/1/1', 3), entry('b/1/1', 1)])).toEqual([]);
  });

  it('the promise billed = ledger is broken by a billed operation that is not in the ledger', () => {
    expect(problems([operation([attempt('ok', 1)])], [])).toHaveLength(1);
  });

  it('the promise billed = ledger is broken by a ledger entry for a failure, and by two entries for one success', () => {
    expect(problems([operation([attempt('fail')])], [entry('a/1/1', 1)])).toHaveLength(1);
    expect(problems([operation([attempt('ok', 1)])], [entry('a/1/1', 1), entry('b/1/1', 1)])).toHaveLength(1);
    expect(problems([operation([attempt('ok', 1)])], [entry('a/1/1', 1), entry('a/2/1', 1)])).not.toEqual([]);
  });

  it('the promise billed = ledger covers history queries as well, of which an empty page bills none', () => {
    const page = (historyQuery: number) =>
      operation([{ ...attempt('ok'), billed: { ...attempt('ok').billed, historyQuery } }]);
    const query = (id: string) => ({ _id: id, keyId: 'key_1', units: { historyQuery: 1 } });
    const compared = (operations: Operation[], entries: object[]) =>
      compareBilling(operations, sumCharges(entries as Parameters<typeof sumCharges>[0]));
    expect(compared([page(1), page(0)], [query('a/1/1')])).toEqual([]);
    expect(compared([page(1), page(0)], [query('a/1/1'), query('b/1/1')])).not.toEqual([]);
    expect(compared([page(1)], [entry('a/1/1', 1)])).not.toEqual([]);
    const used = usageByKey(sumCharges([query('a/1/1'), query('b/1/1')]));
    expect(used.get('key_1')).toMatchObject({ lookupCached: 0, historyQuery: 2 });
  });

  it('the promise billed = ledger is broken by two errors that cancel out in the sum', () => {
    const operations = [operation([attempt('ok', 2)]), operation([attempt('ok', 2)])];
    expect(problems(operations, [entry('a/1/1', 1), entry('b/1/1', 3)])).not.toEqual([]);
  });

  it('the promise billed = ledger allows zero or one entry for an operation without response and without Idempotency-Key', () => {
    const unanswered = operation([attempt('unknown')], 1);
    expect(problems([unanswered], [])).toEqual([]);
    expect(problems([unanswered], [entry('a/1/1', 1)])).toEqual([]);
    expect(problems([unanswered], [entry('a/1/1', 1), entry('b/1/1', 1)])).toHaveLength(1);
  });

  it('the promise billed = ledger does not count a reversed attempt', () => {
    expect(problems([operation([attempt('fail')])], [entry('a/1/1', 2), entry('a/1/2', -2)])).toEqual([]);
  });
});
