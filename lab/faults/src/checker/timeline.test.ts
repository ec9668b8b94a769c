import { describe, expect, it } from 'vitest';
import { type Attempt, noUnits, type Operation, type OperationKind } from '../clients/history.ts';
import { failsOnlyWith, nothingSucceeds, someGetResponse, someSucceed, unaffected } from '../faults/expectations.ts';
import { checkAdmission, isAdmissionMeasured, mostSentPerMinute } from './admission.ts';
import { checkAllowance, exhaustedTimes } from './allowance.ts';
import type { JobRecord } from './databases.ts';
import { compareJobs, compareScans } from './jobs.ts';
import { checkPush, checkRevocation, isPushMeasured, isRevocationMeasured } from './revocation.ts';
import {
  checkRecovery,
  checkRefusals,
  checkReplies,
  checkResolved,
  failuresOf,
  isTimingReliable,
  type Timeline,
} from './timeline.ts';

const timeline: Timeline = {
  wallOffsetMs: 0,
  injectionStartMs: 60_000,
  faultStartMs: 60_000,
  healedMs: 100_000,
  recoveryStartMs: 100_000,
  endedMs: 200_000,
  revokeRequestedMs: 59_900,
  revokedMs: 60_000,
  isKeyCached: true,
  suspensions: [{ gateway: 1, fromMs: 60_000, toMs: 71_000 }],
  maxLoopDelayMs: 100,
};
const live = { unit: 'lookup_live', refund: 'none' } as const;
type Seen = Partial<Attempt> & { kind?: OperationKind; idempotencyKey?: string };
/** One operation with one attempt, of 10 ms by default. */
function seen({ kind = 'look-up', idempotencyKey, ...attempt }: Seen): Operation {
  const startMs = attempt.startMs ?? 0;
  const whole = {
    gateway: 0,
    startMs,
    endMs: startMs + 10,
    wallOffsetMs: 0,
    outcome: 'ok',
    status: 200,
    code: '',
    retryAfterS: null,
  } as const;
  const made = { ...whole, billed: noUnits, jobs: [], replayed: false, ...attempt };
  const identity = { id: 1, workspaceId: 'ws_1', keyId: 'key_1', mayBill: noUnits };
  return { ...identity, kind, idempotencyKey: idempotencyKey ?? null, attempts: [made] };
}
const failed = { outcome: 'fail', status: 500, code: 'internal' } as const;
const refused = (status: number) => ({ outcome: 'fail', status, code: 'refused' }) as const;

describe('checker', () => {
  it('the checker reports a late response, except of a gateway that was suspended', () => {
    const late = (startMs: number, gateway: number) =>
      checkReplies([seen({ startMs, endMs: startMs + 10_700, gateway })], timeline);
    expect(checkReplies([seen({ endMs: 10_550 })], timeline)).toEqual([]);
    expect(late(0, 0)).toHaveLength(1);
    expect(late(55_000, 1)).toEqual([]);
    expect(late(70_900, 1)).toEqual([]);
    expect(late(55_000, 0)).toHaveLength(1);
    expect(late(40_000, 1)).toHaveLength(1);
    expect(late(72_000, 1)).toHaveLength(1);
  });

  it('the checker reports a revoked key that is accepted after its cache entry expired, or later than 60 s', () => {
    const accepted = (startMs: number, endMs: number) =>
      checkRevocation([seen({ kind: 'revoked', startMs, endMs, gateway: 1 })], timeline);
    expect(accepted(89_000, 90_500)).toEqual([]);
    expect(accepted(90_200, 90_300)).toHaveLength(1);
    expect(accepted(80_000, 119_000)).toEqual([]);
    expect(accepted(80_000, 121_000)).toHaveLength(1);
  });

  it('the checker reports a revoked key that is accepted later than 5 s when the push works', () => {
    const accepted = (startMs: number) => checkPush([seen({ kind: 'revoked', startMs })], timeline);
    expect(accepted(65_000)).toEqual([]);
    expect(accepted(65_200)).toHaveLength(1);
  });

  it('the checker measures revocation only if the key is used when it should be refused', () => {
    const tried = (startMs: number) => [seen({ ...refused(401), kind: 'revoked', startMs })];
    expect(isPushMeasured(tried(64_000), timeline)).toBe(false);
    expect(isPushMeasured(tried(66_000), timeline)).toBe(true);
    expect(isPushMeasured(tried(66_000), { ...timeline, isKeyCached: false })).toBe(false);
    expect(isRevocationMeasured(tried(66_000), timeline)).toBe(false);
    expect(isRevocationMeasured(tried(91_000), timeline)).toBe(true);
    expect(isRevocationMeasured(tried(91_000), { ...timeline, isKeyCached: false })).toBe(false);
    expect(isRevocationMeasured(tried(91_000), { ...timeline, endedMs: 91_500 })).toBe(false);
    expect(isRevocationMeasured([seen({ ...failed, kind: 'revoked', startMs: 91_000 })], timeline)).toBe(false);
  });

  it('the checker does not trust times when the event loop of the bench was delayed for more than 500 ms', () => {
    expect(isTimingReliable({ maxLoopDelayMs: 500 })).toBe(true);
    expect(isTimingReliable({ maxLoopDelayMs: 501 })).toBe(false);
  });

  it('the checker reports a valid request that was refused with another status than its kind expects', () => {
    const refusals = (kind: OperationKind, status: number, startMs = 70_000) =>
      checkRefusals([seen({ ...refused(status), kind, startMs })], timeline).length;
    expect([refusals('small-allowance', 402), refusals('rate-limited', 429), refusals('revoked', 401)]).toEqual([
      0, 0, 0,
    ]);
    expect([refusals('small-allowance', 429), refusals('rate-limited', 402), refusals('revoked', 403)]).toEqual([
      1, 1, 1,
    ]);
    expect([401, 403, 404, 400, 409, 429].map((status) => refusals('look-up', status))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(refusals('revoked', 401, 50_000)).toBe(1);
    const notFound = seen({ ...refused(404), startMs: 116_000 });
    expect(checkRecovery([notFound], timeline)).toHaveLength(1);
    expect(failsOnlyWith('500 internal')([seen({ ...refused(404), startMs: 70_000 })], timeline)).toHaveLength(1);
  });

  it('the checker accepts unavailable for a refresh only after the refresh has waited for the other claim', () => {
    const failures = (endMs: number) =>
      failuresOf([seen({ ...failed, kind: 'refresh', status: 503, code: 'unavailable', endMs })], timeline).length;
    expect(failures(1_850)).toBe(0);
    expect(failures(100)).toBe(1);
  });

  it('the checker reports an allowance that was exceeded, or refused before all its units were in the ledger', () => {
    const given = (count: number) => Array.from({ length: count }, () => seen({ kind: 'small-allowance' }));
    const used = (lookupCached: number) => [
      { chargeId: 'c', keyId: 'k', units: { lookupCached, lookupLive: 0 }, counted: 1 },
    ];
    const unanswered = seen({ kind: 'small-allowance', outcome: 'unknown', status: 0 });
    expect(checkAllowance(given(5), used(5), 5)).toEqual([]);
    expect(checkAllowance(given(5), used(6), 5)).toHaveLength(1);
    expect(checkAllowance(given(6), used(5), 5)).toHaveLength(1);
    expect(checkAllowance(given(4), used(4), 5)).toHaveLength(1);
    expect(checkAllowance([...given(4), unanswered], used(4), 5)).toEqual([]);
    expect(exhaustedTimes([...given(5), seen({ ...refused(402), kind: 'small-allowance' })])).toBe(1);
    expect(exhaustedTimes(given(5))).toBe(0);
  });

  it('the checker reports a failure later than 15 s after the fault', () => {
    expect(checkRecovery([seen({ ...failed, startMs: 114_000 })], timeline)).toEqual([]);
    expect(checkRecovery([seen({ ...failed, startMs: 116_000 })], timeline)).toHaveLength(1);
    expect(checkRecovery([seen({ outcome: 'refused', status: 0, startMs: 116_000 })], timeline)).toHaveLength(1);
  });

  it('the checker reports more admitted requests per minute than the limit, or than twice the limit where Redis did not decide', () => {
    const fill = (count: number, startMs: number, wallOffsetMs: number) =>
      Array.from({ length: count }, () => seen({ kind: 'rate-limited', startMs, wallOffsetMs }));
    const admit = (count: number, startMs: number, losesRedisState: boolean, localDecisions = 0) => {
      return checkAdmission(fill(count, startMs, 0), timeline, { rpm: 5, losesRedisState, localDecisions });
    };
    expect(admit(5, 61_000, false)).toEqual([]);
    expect(admit(6, 61_000, false)).toHaveLength(1);
    expect(admit(10, 61_000, true)).toEqual([]);
    expect(admit(11, 61_000, true)).toHaveLength(1);
    expect(admit(6, 181_000, true)).toHaveLength(1);
    expect(admit(10, 181_000, false, 1)).toEqual([]);
    expect(admit(11, 181_000, false, 1)).toHaveLength(1);
    // The wall clock stepped by a minute after the first five.
    const stepped = [...fill(5, 61_000, 0), ...fill(5, 62_000, 60_000)];
    expect(checkAdmission(stepped, timeline, { rpm: 5, losesRedisState: false, localDecisions: 0 })).toEqual([]);
  });

  it('the checker measures admission only in a minute of the fault with more requests than twice the limit', () => {
    const ask = (count: number, startMs: number) =>
      Array.from({ length: count }, () => seen({ ...refused(429), kind: 'rate-limited', startMs }));
    const isShown = (operations: Operation[]) =>
      isAdmissionMeasured(operations, timeline, { rpm: 5, losesRedisState: true, localDecisions: 0 });
    expect(isShown(ask(14, 61_000))).toBe(false);
    expect(isShown(ask(15, 61_000))).toBe(true);
    expect(isShown(ask(15, 181_000))).toBe(false);
    expect(mostSentPerMinute([...ask(7, 61_000), ...ask(8, 121_000)], timeline)).toBe(7);
  });

  it('the checker reports a request under an Idempotency-Key that never got a response', () => {
    const unanswered = { outcome: 'unknown', status: 0 } as const;
    expect(checkResolved([seen(unanswered)])).toEqual([]);
    const open = seen({ ...unanswered, idempotencyKey: 'k' });
    expect(checkResolved([open])).toHaveLength(1);
    const [attempt] = open.attempts;
    const then = (status: number) => ({
      ...open,
      attempts: [...open.attempts, { ...attempt, outcome: 'fail', status }] as Attempt[],
    });
    expect(checkResolved([then(402)])).toEqual([]);
    expect(checkResolved([then(503)])).toHaveLength(1);
  });

  it('the checker reports a returned job that is missing, of another domain, unfinished, failed without reason or leased too often', () => {
    const returned = [seen({ jobs: [{ id: 'job_1', domain: 'a.example' }] })];
    const job = { id: 'job_1', domain: 'a.example', state: 'succeeded', chargeId: 'chg_1', attempts: 1, ...live };
    const compare = (jobs: JobRecord[], allSucceed = true) => compareJobs(returned, jobs, { allSucceed }).length;
    expect(compare([job])).toBe(0);
    expect(compare([])).toBe(1);
    expect(compare([{ ...job, domain: 'b.example' }])).toBe(1);
    expect(compare([{ ...job, state: 'running' }])).toBe(1);
    expect(compare([{ ...job, state: 'failed' }])).toBe(1);
    expect(compare([{ ...job, state: 'failed' }], false)).toBe(0);
    expect(compare([{ ...job, attempts: 3 }])).toBe(0);
    expect(compare([{ ...job, attempts: 4 }])).toBe(1);
  });

  it('the checker reports a charge with more or fewer jobs than billed scans, and a response with fewer jobs than it billed', () => {
    const job = { id: 'job_1', domain: 'a.example', state: 'queued', chargeId: 'chg_1', attempts: 1, ...live };
    const charge = (lookupLive: number) => [
      { chargeId: 'chg_1', keyId: 'key_1', units: { lookupCached: 0, lookupLive }, counted: 1 },
    ];
    const compare = (lookupLive: number, jobs: JobRecord[]) => compareScans([], charge(lookupLive), jobs).length;
    expect(compare(1, [job])).toBe(0);
    expect(compare(2, [job])).toBe(1);
    expect(compare(1, [job, { ...job, id: 'job_2' }])).toBe(1);
    expect(compare(1, [{ ...job, chargeId: 'chg_2' }])).toBe(1);
    expect(compare(1, [job, { ...job, id: 'job_2', state: 'requested' }])).toBe(0);
    const billed = { lookupCached: 0, lookupLive: 1 };
    expect(compareScans([seen({ billed, jobs: [{ id: 'job_1', domain: 'a.example' }] })], [], [])).toEqual([]);
    expect(compareScans([seen({ billed })], [], [])).toHaveLength(1);
    const refresh = { ...job, unit: 'refresh_requested' } as const;
    expect(compare(1, [refresh])).toBe(1);
    expect(compare(1, [job, { ...job, id: 'job_2', state: 'canceled', refund: 'owed' }])).toBe(0);
    const asked = [seen({ kind: 'scan', jobs: [{ id: 'job_1', domain: 'a.example' }] })];
    const paid = { chargeId: 'chg_1', keyId: 'key_1', units: { ...noUnits, refreshRequested: 1 }, counted: 1 };
    expect(compareScans(asked, [paid], [refresh])).toEqual([]);
    expect(compareScans(asked, [], [refresh])).toHaveLength(1);
    const failedScan = seen({ ...failed, kind: 'scan' });
    expect(compareScans([...asked, failedScan], [], [refresh])).toEqual([]);
    const another = { ...refresh, id: 'job_2', chargeId: 'chg_2' };
    const askedAgain = seen({ kind: 'scan', jobs: [{ id: 'job_2', domain: 'b.example' }] });
    expect(compareScans([...asked, askedAgain, failedScan], [], [refresh, another])).toHaveLength(1);
  });

  it('the checker reports failures that a scenario does not allow, and successes that it excludes, during the fault', () => {
    const during = seen({ ...failed, startMs: 70_000 });
    expect(unaffected('all', () => true)([during], timeline)).toHaveLength(1);
    expect(unaffected('all', () => true)([seen({ ...failed, startMs: 50_000 })], timeline)).toEqual([]);
    expect(failsOnlyWith('503 unavailable')([during], timeline)).toHaveLength(1);
    expect(failsOnlyWith('500 internal')([during], timeline)).toEqual([]);
    expect(nothingSucceeds(5_000, () => true)([seen({ startMs: 66_000 })], timeline)).toHaveLength(1);
    expect(nothingSucceeds(5_000, () => true)([seen({ startMs: 64_000 })], timeline)).toEqual([]);
    expect(someSucceed(5_000, () => true)([during], timeline)).toHaveLength(1);
    expect(someGetResponse('500 internal', 3_000, () => true)([during], timeline)).toEqual([]);
    expect(someGetResponse('503 unavailable', 3_000, () => true)([during], timeline)).toHaveLength(1);
    expect(someGetResponse('500 internal', 15_000, () => true)([during], timeline)).toHaveLength(1);
  });
});
