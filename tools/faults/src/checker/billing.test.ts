import { describe, expect, it } from 'vitest';
import type { Attempt, Operation } from '../clients/history.ts';
import { compareAnswers, compareBilling } from './billing.ts';
import { sumCharges } from './databases.ts';

const attempt = (outcome: Attempt['outcome'], lookupCached = 0, jobs: Attempt['jobs'] = []): Attempt => ({
  gateway: 0,
  startMs: 0,
  endMs: 1,
  outcome,
  status: outcome === 'ok' ? 200 : 500,
  code: '',
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

describe('billed = ledger', () => {
  it('holds when each success is recorded once, retries and replays included', () => {
    const retried = operation([attempt('unknown'), attempt('ok', 3), attempt('ok', 3)]);
    expect(problems([retried, operation([attempt('ok', 1)])], [entry('a/1/1', 3), entry('b/1/1', 1)])).toEqual([]);
  });

  it('misses what was billed and not recorded', () => {
    expect(problems([operation([attempt('ok', 1)])], [])).toHaveLength(1);
  });

  it('finds what was recorded for a failure, or twice', () => {
    expect(problems([operation([attempt('fail')])], [entry('a/1/1', 1)])).toHaveLength(1);
    expect(problems([operation([attempt('ok', 1)])], [entry('a/1/1', 1), entry('b/1/1', 1)])).toHaveLength(1);
    expect(problems([operation([attempt('ok', 1)])], [entry('a/1/1', 1), entry('a/2/1', 1)])).not.toEqual([]);
  });

  it('finds errors that cancel each other out in the sum', () => {
    const said = [operation([attempt('ok', 2)]), operation([attempt('ok', 2)])];
    expect(problems(said, [entry('a/1/1', 1), entry('b/1/1', 3)])).not.toEqual([]);
  });

  it('leaves open what went unanswered without an Idempotency-Key, once', () => {
    const unanswered = operation([attempt('unknown')], 1);
    expect(problems([unanswered], [])).toEqual([]);
    expect(problems([unanswered], [entry('a/1/1', 1)])).toEqual([]);
    expect(problems([unanswered], [entry('a/1/1', 1), entry('b/1/1', 1)])).toHaveLength(1);
  });

  it('nets what was reversed', () => {
    expect(problems([operation([attempt('fail')])], [entry('a/1/1', 2), entry('a/1/2', -2)])).toEqual([]);
  });
});

it('one execution per key: successes that differ in what they bill or which jobs they name are found', () => {
  const job = (id: string) => [{ id, domain: 'a.example' }];
  const problems = (second: Attempt, areKept = true) =>
    compareAnswers([operation([attempt('ok', 1, job('job_1')), second])], { areKept }).length;
  expect(problems(attempt('ok', 1, job('job_1')))).toBe(0);
  expect(problems(attempt('ok', 1, job('job_2')))).toBe(1);
  expect(problems(attempt('ok', 1, job('job_2')), false)).toBe(0);
  expect(problems(attempt('ok', 0, job('job_1')), false)).toBe(1);
});
