import { describe, expect, it } from 'vitest';
import { type Attempt, noUnits, type Operation, type OperationKind } from '../clients/history.ts';
import { failsOnlyWith, nothingSucceeds, someAreTold, someSucceed, unaffected } from '../faults/expectations.ts';
import { checkAdmission, isAdmissionShown, mostSentPerMinute } from './admission.ts';
import { checkAllowance, exhaustedTimes } from './allowance.ts';
import type { JobRecord } from './databases.ts';
import { compareJobs, compareScans } from './jobs.ts';
import { checkPush, checkRevocation, isPushShown, isRevocationShown } from './revocation.ts';
import {
  checkRecovery,
  checkRefusals,
  checkReplies,
  checkResolved,
  failuresOf,
  isSharp,
  type Timeline,
} from './timeline.ts';

const timeline: Timeline = {
  wallOffsetMs: 0,
  injectedMs: 60_000,
  struckMs: 60_000,
  healedMs: 100_000,
  recoversFromMs: 100_000,
  endedMs: 200_000,
  revokeAskedMs: 59_900,
  revokedMs: 60_000,
  isKeyKnown: true,
  standing: [{ gateway: 1, fromMs: 60_000, toMs: 71_000 }],
  blurMs: 100,
};
type Seen = Partial<Attempt> & { kind?: OperationKind; idempotencyKey?: string };
/** One operation with one attempt that took 10 ms unless told otherwise. */
function seen({ kind = 'look-up', idempotencyKey, ...attempt }: Seen): Operation {
  const startMs = attempt.startMs ?? 0;
  const whole = { gateway: 0, startMs, endMs: startMs + 10, outcome: 'ok', status: 200, code: '' } as const;
  const made = { ...whole, billed: noUnits, jobs: [], replayed: false, ...attempt };
  const identity = { id: 1, workspaceId: 'ws_1', keyId: 'key_1', mayBill: noUnits };
  return { ...identity, kind, idempotencyKey: idempotencyKey ?? null, attempts: [made] };
}
const failed = { outcome: 'fail', status: 500, code: 'internal' } as const;
const refused = (status: number) => ({ outcome: 'fail', status, code: 'refused' }) as const;

describe('a promise that was broken is found', () => {
  it('replies: a late one, but not of a gateway while it stood still', () => {
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

  it('revocation: begun beyond the cache, accepted after a minute, by whomever', () => {
    const accepted = (startMs: number, endMs: number) =>
      checkRevocation([seen({ kind: 'revoked', startMs, endMs, gateway: 1 })], timeline);
    expect(accepted(89_000, 90_500)).toEqual([]);
    expect(accepted(90_200, 90_300)).toHaveLength(1);
    expect(accepted(80_000, 119_000)).toEqual([]);
    expect(accepted(80_000, 121_000)).toHaveLength(1);
  });

  it('revocation by push: accepted after seconds', () => {
    const accepted = (startMs: number) => checkPush([seen({ kind: 'revoked', startMs })], timeline);
    expect(accepted(65_000)).toEqual([]);
    expect(accepted(65_200)).toHaveLength(1);
  });

  it('revocation is shown only by a key that is tried when it should be dead', () => {
    const tried = (startMs: number) => [seen({ ...refused(401), kind: 'revoked', startMs })];
    expect(isPushShown(tried(64_000), timeline)).toBe(false);
    expect(isPushShown(tried(66_000), timeline)).toBe(true);
    expect(isPushShown(tried(66_000), { ...timeline, isKeyKnown: false })).toBe(false);
    expect(isRevocationShown(tried(66_000), timeline)).toBe(false);
    expect(isRevocationShown(tried(91_000), timeline)).toBe(true);
    expect(isRevocationShown(tried(91_000), { ...timeline, isKeyKnown: false })).toBe(false);
    expect(isRevocationShown(tried(91_000), { ...timeline, endedMs: 91_500 })).toBe(false);
    expect(isRevocationShown([seen({ ...failed, kind: 'revoked', startMs: 91_000 })], timeline)).toBe(false);
  });

  it('a bench that was held up measures no time', () => {
    expect(isSharp({ blurMs: 500 })).toBe(true);
    expect(isSharp({ blurMs: 501 })).toBe(false);
  });

  it('refusals: of a valid request, whatever its kind is not made to meet', () => {
    const refusals = (kind: OperationKind, status: number, startMs = 70_000) =>
      checkRefusals([seen({ ...refused(status), kind, startMs })], timeline).length;
    expect([refusals('tight', 402), refusals('limited', 429), refusals('revoked', 401)]).toEqual([0, 0, 0]);
    expect([refusals('tight', 429), refusals('limited', 402), refusals('revoked', 403)]).toEqual([1, 1, 1]);
    expect([401, 403, 404, 400, 409, 429].map((status) => refusals('look-up', status))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(refusals('revoked', 401, 50_000)).toBe(1);
    const notFound = seen({ ...refused(404), startMs: 116_000 });
    expect(checkRecovery([notFound], timeline)).toHaveLength(1);
    expect(failsOnlyWith('500 internal')([seen({ ...refused(404), startMs: 70_000 })], timeline)).toHaveLength(1);
  });

  it('refusals: a refresh may be told to come again, but only after it waited', () => {
    const told = (endMs: number) =>
      failuresOf([seen({ ...failed, kind: 'refresh', status: 503, code: 'unavailable', endMs })], timeline).length;
    expect(told(2_000)).toBe(0);
    expect(told(100)).toBe(1);
  });

  it('allowance: oversold, or not all of it used when it was refused', () => {
    const given = (count: number) => Array.from({ length: count }, () => seen({ kind: 'tight' }));
    const used = (lookupCached: number) => [
      { chargeId: 'c', keyId: 'k', units: { lookupCached, lookupLive: 0 }, counted: 1 },
    ];
    const unanswered = seen({ kind: 'tight', outcome: 'unknown', status: 0 });
    expect(checkAllowance(given(5), used(5), 5)).toEqual([]);
    expect(checkAllowance(given(5), used(6), 5)).toHaveLength(1);
    expect(checkAllowance(given(6), used(5), 5)).toHaveLength(1);
    expect(checkAllowance(given(4), used(4), 5)).toHaveLength(1);
    expect(checkAllowance([...given(4), unanswered], used(4), 5)).toEqual([]);
    expect(exhaustedTimes([...given(5), seen({ ...refused(402), kind: 'tight' })])).toBe(1);
    expect(exhaustedTimes(given(5))).toBe(0);
  });

  it('recovery: a failure long after the fault', () => {
    expect(checkRecovery([seen({ ...failed, startMs: 114_000 })], timeline)).toEqual([]);
    expect(checkRecovery([seen({ ...failed, startMs: 116_000 })], timeline)).toHaveLength(1);
    expect(checkRecovery([seen({ outcome: 'refused', status: 0, startMs: 116_000 })], timeline)).toHaveLength(1);
  });

  it('admission: more than the limit in a minute, twice it where Redis was lost', () => {
    const admit = (count: number, startMs: number, isRedisLost: boolean) => {
      const requests = Array.from({ length: count }, () => seen({ kind: 'limited', startMs }));
      return checkAdmission(requests, timeline, { rpm: 5, isRedisLost });
    };
    expect(admit(5, 61_000, false)).toEqual([]);
    expect(admit(6, 61_000, false)).toHaveLength(1);
    expect(admit(10, 61_000, true)).toEqual([]);
    expect(admit(11, 61_000, true)).toHaveLength(1);
    expect(admit(6, 181_000, true)).toHaveLength(1);
  });

  it('admission is shown only in a minute of the fault in which more than twice the limit was asked for', () => {
    const ask = (count: number, startMs: number) =>
      Array.from({ length: count }, () => seen({ ...refused(429), kind: 'limited', startMs }));
    const isShown = (operations: Operation[]) => isAdmissionShown(operations, timeline, { rpm: 5, isRedisLost: true });
    expect(isShown(ask(14, 61_000))).toBe(false);
    expect(isShown(ask(15, 61_000))).toBe(true);
    expect(isShown(ask(15, 181_000))).toBe(false);
    expect(mostSentPerMinute([...ask(7, 61_000), ...ask(8, 121_000)], timeline)).toBe(7);
  });

  it('retries: never answered', () => {
    const unanswered = { outcome: 'unknown', status: 0 } as const;
    expect(checkResolved([seen(unanswered)])).toEqual([]);
    expect(checkResolved([seen({ ...unanswered, idempotencyKey: 'k' })])).toHaveLength(1);
  });

  it('jobs: missing, of another domain, without end, failed for no reason, or tried too often', () => {
    const returned = [seen({ jobs: [{ id: 'job_1', domain: 'a.example' }] })];
    const job = { id: 'job_1', domain: 'a.example', state: 'succeeded', chargeId: 'chg_1', attempts: 1 };
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

  it('jobs: more or fewer than were billed under a charge, or not named by the answer that billed them', () => {
    const job = { id: 'job_1', domain: 'a.example', state: 'queued', chargeId: 'chg_1', attempts: 1 };
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
  });

  it('what may fail, how, and what may not succeed while a fault lasts', () => {
    const during = seen({ ...failed, startMs: 70_000 });
    expect(unaffected('all', () => true)([during], timeline)).toHaveLength(1);
    expect(unaffected('all', () => true)([seen({ ...failed, startMs: 50_000 })], timeline)).toEqual([]);
    expect(failsOnlyWith('503 unavailable')([during], timeline)).toHaveLength(1);
    expect(failsOnlyWith('500 internal')([during], timeline)).toEqual([]);
    expect(nothingSucceeds(5_000, () => true)([seen({ startMs: 66_000 })], timeline)).toHaveLength(1);
    expect(nothingSucceeds(5_000, () => true)([seen({ startMs: 64_000 })], timeline)).toEqual([]);
    expect(someSucceed(5_000, () => true)([during], timeline)).toHaveLength(1);
    expect(someAreTold('500 internal', 3_000, () => true)([during], timeline)).toEqual([]);
    expect(someAreTold('503 unavailable', 3_000, () => true)([during], timeline)).toHaveLength(1);
    expect(someAreTold('500 internal', 15_000, () => true)([during], timeline)).toHaveLength(1);
  });
});
